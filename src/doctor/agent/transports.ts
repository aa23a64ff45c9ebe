// Whether each transport that the agent claims responds, whether all serve the same tasks, and whether the agent card is
// correct (spec 4.2). A transport that is neither claimed nor served is not an error.

import { canonicalJson } from '../../lib/canonical-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Transport } from '../../protocol/task.ts'
import { type Check, PASSED, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import { brandEntries } from './brand.ts'
import { type AgentContext, CONTEXT, type TransportState } from './context.ts'

const group = 'transports'

export const WIRE_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'serves-tasks',
    group,
    writes: false,
    title: 'the agent answers tasks over HTTP, MCP or A2A',
    why: 'something answers at this address, but no agent that can be called',
    fix: 'check the address and the path: give the URL of the server, or of its MCP or A2A endpoint',
    run: async (context) => {
      const transports = await context.transports()
      if (transports.some(({ isServed }) => isServed)) return PASSED
      return verdictOf(
        transports.map(({ transport, capabilities }) =>
          capabilities.ok ? undefined : `${transport}: ${quotedValue(capabilities.message)}`,
        ),
      )
    },
  },
  {
    id: 'agent-card',
    group,
    writes: false,
    title: 'the A2A agent card is whole and names an endpoint of the same origin',
    why: 'A2A callers go where the card sends them, and a key must not follow it to another host',
    fix: 'serve /.well-known/agent-card.json with name, version, skills and a JSONRPC interface of this very origin; check the public URL setting',
    run: async (context) => {
      const card = await readCard(context)
      if (!card) return skipped('the agent publishes no agent card')
      return verdictOf(faultsOfCard(card, new URL(context.base).origin))
    },
  },
  ...(['http', 'mcp', 'a2a'] as const).map(transportCheck),
  {
    id: 'transports-tasks',
    group,
    writes: false,
    title: 'every transport serves the tasks that the others list',
    why: 'a caller that changes its transport loses tasks without a word',
    fix: 'derive tools, skills and paths from one table of tasks',
    run: async (context) => {
      const served = (await context.served()).filter(({ list }) => list.ok)
      if (served.length < 2) return skipped(`${served.length} transport lists tasks`)
      return verdictOf(served.flatMap((one) => missingOn(one, served)))
    },
  },
  {
    id: 'transports-answers',
    group,
    writes: false,
    title: 'every transport gives the same answer to the same call',
    why: 'what an agent can do must not depend on the transport',
    fix: 'answer all transports from the same handler, and add nothing on the way',
    run: async (context) => {
      const states = (await context.served()).filter(({ capabilities }) => capabilities.ok)
      const [first, ...others] = states
      if (!first || others.length === 0) return skipped(`${states.length} transport answers`)
      return verdictOf(others.map((other) => differenceOf(first, other)))
    },
  },
  {
    id: 'context-echo',
    group,
    writes: false,
    title: 'the context of a request comes back with its answer, as it was',
    why: 'callers keep their own state in it: without it they cannot match responses to requests',
    fix: 'copy the top-level context of the request into every answer, and change nothing in it',
    run: async (context) => {
      const states = (await context.served()).filter(({ capabilities }) => capabilities.ok)
      if (states.length === 0) return skipped('no transport answers the capabilities')
      return verdictOf(
        states.map(({ transport, capabilities }) =>
          faultOfContext(capabilities.body?.context, transport),
        ),
      )
    },
  },
]

/** What is wrong with a returned context. */
export function faultOfContext(context: unknown, where: string): string | undefined {
  if (context === undefined) return `${where}: the context did not come back`
  return sameJson(context, CONTEXT)
    ? undefined
    : `${where}: the context came back changed: ${quotedValue(context)}`
}

function transportCheck(transport: Transport): Check<AgentContext> {
  const name = { http: 'HTTP', mcp: 'MCP', a2a: 'A2A' }[transport]
  return {
    id: `transport-${transport}`,
    group,
    writes: false,
    ...(transport === 'a2a' ? { needs: ['agent-card'] } : {}),
    title: `the agent responds over ${name}, if its agent card or capabilities list it`,
    why: 'callers choose a transport by what the agent publishes, and are lost on one that does not answer',
    fix: `serve ${name}, or take it out of brand.json, the agent card and /openapi.json`,
    run: (context) => checkTransport(context, transport),
  }
}

async function checkTransport(context: AgentContext, transport: Transport): Promise<Verdict> {
  const state = (await context.transports()).find((one) => one.transport === transport)
  if (!state) return skipped('the transport was not tried')
  const { capabilities, list } = state
  if (capabilities.ok && list.ok) return PASSED
  const claimed = await claimOf(context, state)
  const failure = capabilities.ok ? list : capabilities
  const reported = failure.ok ? '' : quotedValue(failure.message)
  if (claimed !== undefined) return verdictOf([`${claimed}, but: ${reported}`])
  if (!state.isServed) return skipped(`it is not served: ${reported}`)
  if (!failure.ok && failure.httpStatus === 401) return skipped('it requires a key: use --auth')
  return verdictOf([reported])
}

/** Where the agent says that it has this transport. */
async function claimOf(
  { agentUrl, base, ...context }: AgentContext,
  { transport, list }: TransportState,
): Promise<string | undefined> {
  if (transport === 'a2a') {
    const card = await readCard({ base, ...context })
    if (card) return 'there is an agent card'
  }
  if (transport === 'http')
    return list.ok && list.tasks.length > 0 ? '/openapi.json lists tasks' : undefined
  const url = `${base}/${transport}`
  if (agentUrl.startsWith(url)) return `the agent is named by ${quotedValue(url)}`
  const entries = await brandEntries({ base, ...context })
  const isNamed = entries.some((entry) => entry.split('?', 1)[0] === url)
  return isNamed ? `brand.json names ${quotedValue(url)}` : undefined
}

function readCard({
  ask,
  base,
  once,
}: Pick<AgentContext, 'ask' | 'base' | 'once'>): Promise<Record<string, unknown> | undefined> {
  return once('card', async () => {
    for (const path of ['/.well-known/agent-card.json', '/.well-known/agent.json']) {
      const { status, body } = await ask({ url: `${base}${path}`, method: 'GET' })
      if (status !== 200) continue
      try {
        const card: unknown = JSON.parse(body.toString('utf8'))
        return isObject(card) ? card : {}
      } catch {
        return {}
      }
    }
    return undefined
  })
}

function faultsOfCard(card: Record<string, unknown>, origin: string): string[] {
  const faults: string[] = []
  if (typeof card.name !== 'string') faults.push('the card has no name')
  if (typeof card.version !== 'string') faults.push('the card has no version')
  if (!Array.isArray(card.skills) || card.skills.length === 0) faults.push('the card has no skills')
  const interfaces = Array.isArray(card.supportedInterfaces) ? card.supportedInterfaces : []
  const urls = [card.url, ...interfaces.map((one) => (isObject(one) ? one.url : undefined))].filter(
    (url) => typeof url === 'string',
  )
  if (urls.length === 0) faults.push('the card names no endpoint')
  for (const url of new Set(urls)) {
    if (originOf(url) !== origin) faults.push(`the card sends callers to ${quotedValue(url)}`)
  }
  return faults
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}

/** A public listing may omit tasks visible only to some callers, so there may be more tools than skills. */
function missingOn(one: TransportState, served: readonly TransportState[]): string[] {
  const listed = one.list.ok ? one.list.tasks.map(({ name }) => name) : []
  const own = new Set(listed)
  const elsewhere = served
    .filter((other) => other !== one && (one.transport === 'mcp' || other.transport !== 'mcp'))
    .flatMap(({ list }) => (list.ok ? list.tasks.map(({ name }) => name) : []))
  const missing = [...new Set(elsewhere)].filter((name) => !own.has(name))
  return missing.length === 0 ? [] : [`${one.transport} lacks ${quotedValue(missing.join(', '))}`]
}

function differenceOf(first: TransportState, other: TransportState): string | undefined {
  const members = (state: TransportState) => {
    const {
      context: _,
      context_id: _id,
      task_id: _task,
      timestamp: _at,
      ...rest
    } = state.capabilities.body ?? {}
    return rest
  }
  const [a, b] = [members(first), members(other)]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const different = names.filter((name) => !sameJson(a[name], b[name]))
  if (different.length === 0) return undefined
  return `${first.transport} and ${other.transport} differ in ${quotedValue(different.join(', '))}`
}

/** Whatever the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
