// An `agent` reference: call the agent. It is there when it answers an MCP `initialize`, asks for a
// credential as a protected MCP server does, or publishes an A2A card that names its address.

import type { EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { invalid, unreachable, valid } from './verdicts.ts'
import type { ReferenceToVerify, Verdict, VerifyPorts } from './verify-reference.ts'

const MAX_ANSWER_BYTES = 256 * 1024
const TIMEOUT_MS = 10_000

export async function verifyAgent(
  reference: ReferenceToVerify,
  ports: VerifyPorts,
): Promise<Verdict> {
  const agentUrl = reference.agent_url as string
  const initialized = await initialize(agentUrl, ports)
  if (!initialized.ok) return unreachable(initialized.message)
  const asMcp = judgeInitialize(reference, initialized)
  if (asMcp) return asMcp

  const card = await fetchCard(agentUrl, ports)
  if (!card.ok) return unreachable(card.message)
  const asA2a = judgeCard(reference, agentUrl, card)
  if (asA2a) return asA2a

  if (!is2xx(initialized.status) && !is2xx(card.status)) {
    return unreachable(
      `the agent answered ${initialized.status} to an MCP call and ${card.status} for its A2A card`,
    )
  }
  return invalid('the address answers, but neither as an MCP server nor with an A2A card naming it')
}

type Answer = Extract<EgressResult, { ok: true }>

function initialize(agentUrl: string, { fetch, signal }: VerifyPorts): Promise<EgressResult> {
  return fetch({
    url: agentUrl,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'adwire-registry', version: '1.0.0' },
      },
    }),
    maxBytes: MAX_ANSWER_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  })
}

function judgeInitialize(reference: ReferenceToVerify, answer: Answer): Verdict | undefined {
  const challenge = answer.headers['www-authenticate'] ?? ''
  if (answer.status === 401 && /^bearer\b/i.test(challenge)) {
    return valid(0, 'the agent answers and asks for a credential', agentLabel(reference, undefined))
  }
  if (!is2xx(answer.status)) return undefined
  const result = objectAt(jsonRpcBody(answer), 'result')
  const server = objectAt(result, 'serverInfo')
  if (!result || !server || typeof server.name !== 'string') return undefined
  const score = share([
    server.name,
    server.version,
    server.title,
    result.instructions,
    objectAt(result, 'capabilities')?.tools,
  ])
  return valid(score, 'the agent answers as an MCP server', agentLabel(reference, server.name))
}

/** The JSON of an answer, or the last event of an event stream that holds JSON. */
function jsonRpcBody(answer: Answer): unknown {
  const text = answer.body.toString('utf8')
  if (!(answer.headers['content-type'] ?? '').startsWith('text/event-stream')) return parse(text)
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
      .join('\n'),
  )
  return events.map(parse).findLast((body) => body !== undefined)
}

function fetchCard(agentUrl: string, { fetch, signal }: VerifyPorts): Promise<EgressResult> {
  return fetch({
    url: new URL('/.well-known/agent-card.json', agentUrl).href,
    headers: { accept: 'application/json' },
    redirects: 'same-site',
    maxBytes: MAX_ANSWER_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  })
}

function judgeCard(
  reference: ReferenceToVerify,
  agentUrl: string,
  answer: Answer,
): Verdict | undefined {
  if (!is2xx(answer.status)) return undefined
  const card = asObject(parse(answer.body.toString('utf8')))
  if (!card || typeof card.name !== 'string') return undefined
  const interfaces = [
    card.url,
    ...listOf(card.supportedInterfaces).map((one) => asObject(one)?.url),
  ]
  if (!interfaces.some((url) => typeof url === 'string' && sameAddress(url, agentUrl))) {
    return invalid(`the agent's card names another address: it must name ${agentUrl}`)
  }
  const score = share([
    card.name,
    card.description,
    card.version,
    listOf(card.skills).length > 0,
    card.provider,
    card.documentationUrl,
    card.iconUrl,
  ])
  return valid(score, 'the agent publishes an A2A card', agentLabel(reference, card.name))
}

function agentLabel(reference: ReferenceToVerify, name: string | undefined): Verdict['labels'] {
  const kind = reference.manifest_type === 'brand.json' ? 'brand' : 'publisher'
  return [{ kind, label: name?.slice(0, 200) ?? reference.domain }]
}

function sameAddress(a: string, b: string): boolean {
  const strip = (url: string) => (URL.canParse(url) ? trimEnd(new URL(url).href, '/') : url)
  return strip(a) === strip(b)
}

function share(fields: readonly unknown[]): number {
  const filled = fields.filter((field) => field !== undefined && field !== '' && field !== false)
  return Math.round((filled.length / fields.length) * 100)
}

function is2xx(status: number): boolean {
  return status >= 200 && status <= 299
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Record<string, unknown>
}

function objectAt(value: unknown, key: string): Record<string, unknown> | undefined {
  return asObject(asObject(value)?.[key])
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
