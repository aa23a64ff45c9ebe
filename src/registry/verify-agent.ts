// An `agent` reference: calls the agent. The agent exists if it responds to an MCP `initialize`, requests a
// credential as a protected MCP server does, or publishes an A2A card that names its URL. A server that can report
// which brands it knows is queried for the reference's id.

import { canonicalUrl } from '../lib/canonical-url.ts'
import { defined } from '../lib/defined.ts'
import type { EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import {
  type AgentAnswer,
  asObject,
  isOk,
  jsonOf,
  jsonRpcOf,
  listOf,
  objectAt,
} from './agent-answer.ts'
import { callMcp, MAX_ANSWER_BYTES } from './call-mcp.ts'
import { deniesBrand } from './denies-brand.ts'
import type { SearchLabel } from './store.ts'
import { invalid, unreachable } from './verdicts.ts'
import type {
  ReferenceToVerify,
  UrlFinding,
  VerificationRun,
  VerificationVerdict,
} from './verification.ts'

export async function callAgent(
  reference: ReferenceToVerify,
  run: VerificationRun,
): Promise<UrlFinding> {
  const agentUrl = reference.agent_url as string
  const initialized = await callMcp(agentUrl, run, INITIALIZE)
  if (!initialized.ok) return failed(unreachable(initialized.message))
  const asMcp = checkInitialize(reference, initialized)
  if (asMcp) {
    const isDenied = await deniesBrand(reference, initialized, run)
    return isDenied ? failed(invalid(unknownId(reference))) : asMcp
  }

  const card = await fetchCard(agentUrl, run)
  if (!card.ok) return failed(unreachable(card.message))
  const asA2a = checkCard(reference, agentUrl, card)
  if (asA2a) return asA2a

  if (!isOk(initialized.status) && !isOk(card.status)) {
    const reason = `the agent answered ${initialized.status} to an MCP call and ${card.status} for its A2A card`
    return failed(unreachable(reason))
  }
  return failed(
    invalid('the address answers, but neither as an MCP server nor with an A2A card naming it'),
  )
}

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'adwire-registry', version: '1.0.0' },
  },
} as const

function checkInitialize(
  reference: ReferenceToVerify,
  answer: AgentAnswer,
): UrlFinding | undefined {
  const challenge = answer.headers['www-authenticate'] ?? ''
  if (answer.status === 401 && /^bearer\b/i.test(challenge)) {
    return found('an agent that requires a credential', 0, labelsOf(reference, undefined))
  }
  if (!isOk(answer.status)) return undefined
  const result = objectAt(jsonRpcOf(answer), 'result')
  const server = objectAt(result, 'serverInfo')
  if (!result || !server || typeof server.name !== 'string') return undefined
  const score = share([
    server.name,
    server.version,
    server.title,
    result.instructions,
    objectAt(result, 'capabilities')?.tools,
  ])
  return found('an agent that answers as an MCP server', score, labelsOf(reference, server.name))
}

function fetchCard(
  agentUrl: string,
  { fetch, timeoutMs, signal }: VerificationRun,
): Promise<EgressResult> {
  return fetch({
    url: new URL('/.well-known/agent-card.json', agentUrl).href,
    headers: { accept: 'application/json' },
    redirects: 'same-site',
    maxBytes: MAX_ANSWER_BYTES,
    totalTimeoutMs: timeoutMs(),
    ...defined({ signal }),
  })
}

function checkCard(
  reference: ReferenceToVerify,
  agentUrl: string,
  answer: AgentAnswer,
): UrlFinding | undefined {
  if (!isOk(answer.status)) return undefined
  const card = asObject(jsonOf(answer.body))
  if (!card || typeof card.name !== 'string') return undefined
  const interfaces = [
    card.url,
    ...listOf(card.supportedInterfaces).map((one) => asObject(one)?.url),
  ]
  const wanted = canonicalUrl(agentUrl)
  if (!interfaces.some((url) => typeof url === 'string' && canonicalUrl(url) === wanted)) {
    return failed(invalid(`the agent's card has another URL: it must have ${agentUrl}`))
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
  return found('an agent that publishes an A2A card', score, labelsOf(reference, card.name))
}

function found(what: string, completeness: number, labels: readonly SearchLabel[]): UrlFinding {
  return { ok: true, what, completeness, labels, hops: [], speaksOfDomain: true }
}

function failed(verdict: VerificationVerdict): UrlFinding {
  return { ok: false, verdict }
}

function unknownId({ agent_id }: ReferenceToVerify): string {
  return `the agent does not know the brand ${JSON.stringify(agent_id)}: agent_id must be one that it knows`
}

function labelsOf(reference: ReferenceToVerify, name: string | undefined): SearchLabel[] {
  const kind = reference.manifest_type === 'brand.json' ? 'brand' : 'publisher'
  return [{ kind, label: name?.slice(0, 200) ?? reference.domain }]
}

function share(fields: readonly unknown[]): number {
  const filled = fields.filter((field) => field !== undefined && field !== '' && field !== false)
  return Math.round((filled.length / fields.length) * 100)
}
