// The state of endpoints, in SQL: for all requested ones at once, with the same number of queries as for one.

import type { EndpointCircuit, EndpointFacts } from '../../../console/queries.ts'
import type { OwnedEndpoint } from '../../../webhooks/sender/store.ts'
import type { Database } from '../../sql/database.ts'
import { rowsOf } from '../../sql/lists.ts'
import { withoutNulls } from '../../sql/nulls.ts'
import { isOwner, laneOf } from '../outbox/rows.ts'

const DELIVERIES_OF_EACH = 50
const ATTEMPTS_OF_EACH = 200
const MAX_COUNT = 10_000
/** Number of deliveries searched for the last successful one: for one endpoint, and for all that are requested. */
const LOOKED_AT = { most: 2_000, inAll: 10_000 }

type Attempt = EndpointFacts['attempts'][number]
type Numbered<T> = T & { n: number }

export async function endpointFacts(
  database: Database,
  of: readonly OwnedEndpoint[],
): Promise<EndpointFacts[]> {
  if (of.length === 0) return []
  const requested: Requested = {
    ...database,
    given: `${rowsOf(GIVEN)} AS g`,
    list: JSON.stringify(of.map((one, n) => ({ n, ...one, lane: laneOf(one) }))),
  }
  const attempts = await attemptsOf(requested)
  const states = new Map((await statesOf(requested)).map((row) => [row.n, row]))
  const facts = of.map((_, n) => factsOf(attempts.get(n) ?? [], states.get(n)))
  const silent = [...facts.keys()].filter((n) => facts[n]?.last_delivered_at === undefined)
  const last = await lastDelivered(requested, of, silent)
  return facts.map((one, n) => ({
    ...one,
    last_delivered_at: one.last_delivered_at ?? last.get(n),
  }))
}

const GIVEN = { n: 'INTEGER', owner: 'TEXT', endpoint: 'TEXT', lane: 'TEXT' } as const

interface Requested extends Pick<Database, 'dialect' | 'read'> {
  /** The requested endpoints, as a table. */
  given: string
  list: string
}

function factsOf(attempts: readonly Attempt[], state: StateRow | undefined): EndpointFacts {
  const { failures, opened_at, probe_at, paused_at } = state ?? NO_STATE
  return {
    circuit:
      failures === null
        ? undefined
        : withoutNulls<EndpointCircuit>({ failures, opened_at, probe_at, paused_at }),
    attempts: [...attempts],
    pending: state?.pending ?? 0,
    held: state?.held ?? 0,
    last_delivered_at: attempts.find(({ status }) => status === 'success')?.completed_at,
    isGone: state?.channels === 1 && state.live === 0,
  }
}

/** The deliveries of an endpoint, the newest first. */
const NEWEST = `FROM webhook_deliveries d WHERE d.endpoint = g.endpoint AND ${isOwner('g.owner')}
  ORDER BY d.delivery_id DESC`

/** In the order of an attempt's values. */
type Reported = [
  Attempt['status'],
  http_status_code: number | null,
  response_time_ms: number | null,
  error_message: string | null,
  fault: string | null,
  fired_at: number,
  completed_at: number | null,
]
const REPORTED = `a.status, a.http_status_code, a.response_time_ms, a.error_message, a.fault, a.fired_at,
  a.completed_at`
const LATEST = `ORDER BY a.fired_at DESC, a.delivery_id DESC, a.attempt DESC LIMIT ${ATTEMPTS_OF_EACH}`

/**
 * The newest of each, by the endpoint's position in the list: as JSON, since thousands of rows take longer to
 * transfer.
 */
async function attemptsOf({
  dialect,
  read,
  given,
  list,
}: Requested): Promise<Map<number, Attempt[]>> {
  const newest = `SELECT d.delivery_id ${NEWEST} LIMIT ${DELIVERIES_OF_EACH}`
  const reported =
    dialect === 'postgres'
      ? `SELECT CAST(json_agg(t.reported) AS TEXT) FROM (SELECT json_build_array(${REPORTED}) AS reported
           FROM (${newest}) AS d JOIN webhook_attempts a ON a.delivery_id = d.delivery_id ${LATEST}) AS t`
      : `SELECT json_group_array(json(t.reported)) FROM (SELECT json_array(${REPORTED}) AS reported
           FROM webhook_attempts a WHERE a.delivery_id IN (${newest}) ${LATEST}) AS t`
  const rows = await read.all<Numbered<{ reported: string | null }>>(
    `SELECT g.n, (${reported}) AS reported FROM ${given}`,
    [list],
  )
  return new Map(
    rows.map(({ n, reported }) => [
      n,
      reported === null ? [] : (JSON.parse(reported) as Reported[]).map(attemptOf),
    ]),
  )
}

function attemptOf([status, code, ms, error, fault, fired_at, completed_at]: Reported): Attempt {
  return {
    status,
    fired_at,
    http_status_code: code ?? undefined,
    response_time_ms: ms ?? undefined,
    error_message: error ?? undefined,
    fault: fault ?? undefined,
    completed_at: completed_at ?? undefined,
  }
}

interface StateRow
  extends Record<'failures' | 'opened_at' | 'probe_at' | 'paused_at', number | null>,
    Record<'n' | 'pending' | 'held' | 'channels' | 'live', number> {}

const NO_STATE = { failures: null, opened_at: null, probe_at: null, paused_at: null }

/** The circuit of each, its pending deliveries, and whether registrations use it. */
function statesOf({ read, given, list }: Requested): Promise<StateRow[]> {
  const waiting = (state: string) => `(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries w
    WHERE w.lane = g.lane AND w.state = '${state}' LIMIT ${MAX_COUNT}) AS found) AS ${state}`
  const theirs = 'FROM webhook_channels ch WHERE ch.owner = g.owner AND ch.endpoint = g.endpoint'
  return read.all<StateRow>(
    `SELECT g.n, c.failures, c.opened_at, c.probe_at, c.paused_at,
       ${waiting('pending')}, ${waiting('held')},
       (SELECT count(*) FROM (SELECT 1 ${theirs} LIMIT 1) AS found) AS channels,
       (SELECT count(*) FROM (SELECT 1 FROM (SELECT paused_at ${theirs}
         ORDER BY ch.created_at DESC LIMIT 1000) AS newest
         WHERE paused_at IS NULL LIMIT 1) AS found) AS live
     FROM ${given} LEFT JOIN webhook_circuits c ON c.lane = g.lane`,
    [list],
  )
}

/** Of those at these places. */
async function lastDelivered(
  { read, given }: Requested,
  of: readonly OwnedEndpoint[],
  places: readonly number[],
): Promise<Map<number, number>> {
  if (places.length === 0) return new Map()
  const depth = Math.min(LOOKED_AT.most, Math.floor(LOOKED_AT.inAll / places.length))
  const rows = await read.all<{ n: number; ended_at: number | null }>(
    `SELECT g.n, (SELECT ended_at FROM (SELECT d.state, d.ended_at ${NEWEST}
       LIMIT ${depth}) AS d
       WHERE state = 'delivered' LIMIT 1) AS ended_at FROM ${given}`,
    [JSON.stringify(places.map((n) => ({ n, ...of[n] })))],
  )
  return new Map(
    rows.flatMap(({ n, ended_at }) => (ended_at === null ? [] : [[n, ended_at] as const])),
  )
}
