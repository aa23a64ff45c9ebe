// `query_upstream_traffic`: the calls that this server made to platforms for the caller, so that a grader can
// distinguish an agent that activates from one that only claims to. The newest calls of each caller are kept, for all
// instances.

import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import type { Egress, EgressRequest } from '../lib/safe-fetch/safe-fetch.ts'
import { storable } from '../lib/storable-text.ts'
import type { Transact } from '../lib/transaction.ts'
import { tryJsonObject } from '../lib/try-json.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { isoTime, text } from '../protocol/schemas/common.ts'
import type { RecordedCall } from '../protocol/schemas/comply-test-controller.ts'
import type { Connectors } from '../signals/connectors/connector.ts'
import { SANDBOX_LIMITS } from './limits.ts'
import { type AnyScenario, defineScenario } from './scenario.ts'
import type { SandboxStore } from './store.ts'

export interface TrafficPorts {
  transact: Transact
  notes: SandboxStore
}

export interface Traffic {
  scenario: AnyScenario
  /** Records outgoing calls, and on whose behalf they are made. */
  recording(egress: Pick<Egress, 'fetch'>): Pick<Egress, 'fetch'>
  /** States on whose behalf a platform is called. */
  attributed(connectors: Connectors): Connectors
}

const KEPT = SANDBOX_LIMITS.recordedCalls.value
const MAX_PAYLOAD_CHARS = 16_384

export function createTraffic({ transact, notes }: TrafficPorts): Traffic {
  const caller = new AsyncLocalStorage<string>()
  const note = (owner: string, call: RecordedCall) =>
    transact(async (tx) => {
      const name = uuid7(await tx.now())
      await notes.put(tx, { owner, kind: 'call', name }, call)
      await notes.trim(tx, { owner, kind: 'call' }, KEPT)
    })
  return {
    scenario: queryScenario(notes),
    recording: ({ fetch }) => ({
      fetch: async (request) => {
        const timestamp = new Date().toISOString()
        const result = await fetch(request)
        const owner = caller.getStore()
        const status_code = result.ok ? result.status : undefined
        if (owner !== undefined) await note(owner, recordOf(request, { timestamp, status_code }))
        return result
      },
    }),
    attributed: (connectors) => ({
      find: (target) => {
        const found = connectors.find(target)
        if ('missing' in found) return found
        const { poll } = found
        return {
          activate: (run, abort) => caller.run(run.principal_id, () => found.activate(run, abort)),
          deactivate: (run, abort) =>
            caller.run(run.principal_id, () => found.deactivate(run, abort)),
          ...defined({
            poll: poll
              ? (run: Parameters<typeof poll>[0], abort: AbortSignal) =>
                  caller.run(run.principal_id, () => poll.call(found, run, abort))
              : undefined,
          }),
        }
      },
    }),
  }
}

function recordOf(
  { url, method = 'GET', headers = {}, body }: EgressRequest,
  { timestamp, status_code }: Pick<RecordedCall, 'timestamp' | 'status_code'>,
): RecordedCall {
  const { host, pathname } = new URL(url)
  const sent = storable(body === undefined ? '' : Buffer.from(body).toString())
  const payload = tryJsonObject(sent) ?? sent.slice(0, MAX_PAYLOAD_CHARS)
  const content_type = headers['content-type'] ?? ''
  return {
    method,
    url,
    endpoint: `${method} ${host}${pathname}`,
    host,
    path: pathname,
    content_type,
    payload,
    ...defined({ status_code }),
    timestamp,
  }
}

function queryScenario(notes: SandboxStore): AnyScenario {
  return defineScenario({
    name: 'query_upstream_traffic',
    params: z.looseObject({
      since_timestamp: isoTime.optional(),
      endpoint_pattern: text(500).optional(),
      limit: z.int().min(1).optional(),
    }),
    run: async ({ since_timestamp, endpoint_pattern = '*', limit = 100 }, { owner }) => {
      const since = since_timestamp === undefined ? undefined : Date.parse(since_timestamp)
      const found = await notes.list('call', { owner, since, limit: KEPT })
      const calls = found
        .map(({ value }) => value as RecordedCall)
        .filter(({ endpoint }) => matches(endpoint_pattern, endpoint))
      const most = Math.min(limit, KEPT)
      return {
        recorded_calls: calls.slice(0, most),
        total_count: calls.length,
        truncated: calls.length > most,
        ...defined({ since_timestamp }),
      }
    },
  })
}

/**
 * `*` matches anything; without one at its ends, a pattern must match the whole text. Each part is searched for once.
 */
function matches(pattern: string, endpoint: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return endpoint === first
  if (!endpoint.startsWith(first) || !endpoint.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = endpoint.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= endpoint.length - last.length
}
