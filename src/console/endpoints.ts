// Endpoints: the state of each as readable text, and the actions on it.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { EndpointLimits, LimitStore } from '../webhooks/sender/limit-store.ts'
import type { OutboxOperations, OwnedEndpoint } from '../webhooks/sender/store.ts'
import type {
  EndpointDetails,
  EndpointItem,
  EndpointsPage,
  EndpointsQuery,
} from './api/endpoints.ts'
import { type Action, type ActionPorts, act } from './audit.ts'
import { faultOf } from './faults.ts'
import { iso, isoOf, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { endpointIdOf, endpointOf } from './ids.ts'
import { percentile } from './percentiles.ts'
import type { ConsoleQueries, EndpointFacts } from './queries.ts'
import { badCursor, notFound, Refused } from './refusal.ts'

export interface EndpointPorts extends ActionPorts {
  queries: Pick<ConsoleQueries, 'endpoints' | 'endpointFacts' | 'endpointChannels'>
  outboxOperations: Pick<OutboxOperations, 'pause' | 'resume' | 'list'>
  names: PrincipalNames
  /** What holds for all. */
  limits: Pick<EndpointDetails['limits'], 'concurrency' | 'timeout_ms'>
  endpointLimits: LimitStore
  /** Adds a test delivery without content, and returns its key; undefined when no registration has this URL. */
  addTestEvent: (tx: Transaction, of: OwnedEndpoint) => Promise<string | undefined>
}

type EndpointRoute =
  | 'listEndpoints'
  | 'getEndpoint'
  | 'pauseEndpoint'
  | 'resumeEndpoint'
  | 'testEndpoint'
  | 'setEndpointLimits'

const MAX_CHANNELS = 50

export function endpointHandlers(ports: EndpointPorts): Handlers<EndpointRoute> {
  const { queries, outboxOperations } = ports
  const show = (endpointId: string) => showEndpoint(ports, endpointOf(endpointId))
  const targetOf = ({ owner, endpoint }: OwnedEndpoint) => `${endpoint} of ${owner}`
  const change = async (
    requested: { visitor: Action['visitor']; params: { endpoint_id: string } },
    name: 'pause' | 'resume',
  ) => {
    const of = endpointOf(requested.params.endpoint_id)
    await known(queries, of)
    const action = { visitor: requested.visitor, action: `endpoints.${name}`, target: targetOf(of) }
    await act(ports, action, async (tx) => {
      if (await outboxOperations[name](tx, of)) return
      const why = name === 'pause' ? 'the endpoint is already paused' : 'the endpoint is not paused'
      throw new Refused(409, 'conflict', why)
    })
    return showEndpoint(ports, of)
  }
  return {
    listEndpoints: ({ query }) => listEndpoints(ports, query),
    getEndpoint: ({ params }) => show(params.endpoint_id),
    pauseEndpoint: (requested) => change(requested, 'pause'),
    resumeEndpoint: (requested) => change(requested, 'resume'),
    setEndpointLimits: async ({ visitor, params, body }) => {
      const of = endpointOf(params.endpoint_id)
      await known(queries, of)
      const limits = {
        concurrency: body.concurrency ?? undefined,
        per_second: body.per_second ?? undefined,
      }
      const action = {
        visitor,
        action: 'endpoints.limits',
        target: targetOf(of),
        detail: inWords(limits),
      }
      await act(ports, action, (tx) => ports.endpointLimits.set(tx, of, limits))
      return showEndpoint(ports, of)
    },
    testEndpoint: async ({ visitor, params }) => {
      const of = endpointOf(params.endpoint_id)
      const action = { visitor, action: 'endpoints.test', target: targetOf(of) }
      const idempotency_key = await act(ports, action, async (tx) => {
        const added = await ports.addTestEvent(tx, of)
        if (added === undefined) throw notFound('registration that leads to this endpoint')
        return added
      })
      const [added] = await outboxOperations.list({ idempotency_key, limit: 1 })
      if (!added) throw notFound('delivery of this test any more')
      return { ok: true as const, delivery_id: added.delivery_id }
    },
  }
}

function inWords({ concurrency, per_second }: EndpointLimits): string {
  const atATime = concurrency === undefined ? 'the default' : String(concurrency)
  return `at a time: ${atATime}; a second: ${per_second ?? 'no bound'}`
}

const LIST = 'console.endpoints'

export async function listEndpoints(
  { queries, names }: Pick<EndpointPorts, 'queries' | 'names'>,
  { cursor, limit, q, principal_id, state }: EndpointsQuery,
): Promise<EndpointsPage> {
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['text', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const after = place && { owner: place[0], endpoint: place[1] }
  const filter = { owner: principal_id, contains: q, state, after, limit }
  const { rows, next } = await queries.endpoints(filter)
  const known = await names(rows.map(({ owner }) => owner))
  const facts = await queries.endpointFacts(rows)
  return {
    items: rows.map((of, index) => itemOf(of, facts[index] as EndpointFacts, known)),
    ...defined({ next_cursor: next && cursorOf(LIST, [next.owner, next.endpoint]) }),
  }
}

/** Throws a Refused when there was never a registration for this URL. */
async function known(
  queries: EndpointPorts['queries'],
  of: OwnedEndpoint,
): Promise<{ facts: EndpointFacts; channels: EndpointDetails['channels'] }> {
  const [[facts], channels] = await Promise.all([
    queries.endpointFacts([of]),
    queries.endpointChannels(of, MAX_CHANNELS),
  ])
  if (!facts || (channels.length === 0 && facts.attempts.length === 0 && !facts.circuit)) {
    throw notFound('such endpoint')
  }
  return {
    facts,
    channels: channels.map(({ created_at, paused_at, operation_id, ...channel }) => ({
      ...channel,
      created_at: iso(created_at),
      ...defined({ operation_id, gone_at: isoOf(paused_at) }),
    })),
  }
}

async function showEndpoint(ports: EndpointPorts, of: OwnedEndpoint): Promise<EndpointDetails> {
  const { facts, channels } = await known(ports.queries, of)
  const own = await ports.endpointLimits.get(of)
  const isPaused = facts.circuit?.paused_at !== undefined
  return {
    ...itemOf(of, facts, await ports.names([of.owner])),
    channels,
    limits: {
      ...ports.limits,
      ...defined({ own_concurrency: own.concurrency, per_second: own.per_second }),
    },
    may: { pause: !isPaused, resume: isPaused, test: channels.length > 0 },
  }
}

function itemOf(
  of: OwnedEndpoint,
  facts: EndpointFacts,
  names: ReadonlyMap<string, string>,
): EndpointItem {
  const { circuit } = facts
  const opened = circuit?.opened_at
  return {
    endpoint_id: endpointIdOf(of),
    url: of.endpoint,
    principal_id: of.owner,
    state: stateOf(facts),
    health: healthOf(facts),
    waiting: facts.pending,
    held: facts.held,
    ...defined({
      principal_name: names.get(of.owner),
      circuit:
        circuit && opened !== undefined
          ? {
              opened_at: iso(opened),
              failures: circuit.failures,
              ...defined({ next_probe_at: isoOf(circuit.probe_at) }),
            }
          : undefined,
      paused_at: isoOf(circuit?.paused_at),
    }),
  }
}

function stateOf({ circuit, isGone, attempts }: EndpointFacts): EndpointItem['state'] {
  if (circuit?.paused_at !== undefined) return 'paused'
  if (circuit?.opened_at !== undefined) return 'open'
  if (isGone) return 'gone'
  const last = attempts.find(({ status }) => status !== 'pending')
  if (!last) return 'unused'
  return last.status === 'success' ? 'healthy' : 'failing'
}

function healthOf({ attempts, last_delivered_at }: EndpointFacts): EndpointItem['health'] {
  const ended = attempts.filter(({ status }) => status !== 'pending')
  const won = ended.filter(({ status }) => status === 'success')
  const times = ended.flatMap(({ http_status_code, response_time_ms }) =>
    http_status_code === undefined || response_time_ms === undefined ? [] : [response_time_ms],
  )
  return {
    attempts: ended.length,
    faults: faultsOf(ended),
    ...defined({
      success_share: ended.length === 0 ? undefined : won.length / ended.length,
      p50_ms: percentile(times, 0.5),
      p95_ms: percentile(times, 0.95),
      last_success_at: isoOf(last_delivered_at),
      last_attempt_at: isoOf(ended[0]?.fired_at),
    }),
  }
}

function faultsOf(ended: EndpointFacts['attempts']): EndpointItem['health']['faults'] {
  const found = new Map<string, EndpointItem['health']['faults'][number]>()
  for (const attempt of ended) {
    const fault = faultOf(attempt)
    if (!fault) continue
    const known = found.get(fault.message)
    if (known) known.count += 1
    else found.set(fault.message, { ...fault, count: 1, last_at: iso(attempt.fired_at) })
  }
  return [...found.values()].sort((a, b) => b.count - a.count)
}
