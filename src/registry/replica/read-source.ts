// Reads the other registry: its snapshot, in pages if it supports them, and its feed. Everything it sends is
// validated before any of it is used.

import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { tryJson } from '../../lib/try-json.ts'
import type { SourceEvent } from './apply-event.ts'
import { REPLICA_LIMITS } from './limits.ts'

export interface SourcePorts {
  fetch: Egress['fetch']
  /** Its base URL, without a trailing slash. */
  url: string
  /** Value of its `Authorization` header; undefined for none. */
  key: string | undefined
  signal: AbortSignal
}

type SourceRow = Record<string, unknown> & { id: string }
type Failure = { ok: false; message: string }
export type SnapshotPage = { ok: true; rows: SourceRow[]; next: string | null } | Failure
export type EventPage =
  | { ok: true; events: SourceEvent[]; cursor: string | null; hasMore: boolean }
  | { ok: false; expired: true; message: string }
  | (Failure & { expired?: false })

export async function readSnapshot(ports: SourcePorts, after: string): Promise<SnapshotPage> {
  const query = new URLSearchParams({ limit: String(REPLICA_LIMITS.replicaRows.value) })
  if (after !== '') query.set('after', after)
  const path = `/api/registry/authorizations/snapshot?${query}`
  const answer = await get(ports, path, 'application/x-ndjson')
  if (!answer.ok) return answer
  const rows: SourceRow[] = []
  for (const line of answer.text.split('\n')) {
    if (line === '') continue
    const row = tryJson(line)
    if (!isMembers(row) || typeof row.id !== 'string') {
      return { ok: false, message: `${path} has a line that is no authorization` }
    }
    rows.push(row as SourceRow)
  }
  return { ok: true, rows, next: answer.headers['x-next-after'] ?? null }
}

export async function readEvents(ports: SourcePorts, cursor: string | null): Promise<EventPage> {
  const query = new URLSearchParams({ limit: String(REPLICA_LIMITS.replicaEvents.value) })
  if (cursor !== null) query.set('cursor', cursor)
  const answer = await get(ports, `/api/registry/feed?${query}`, 'application/json')
  if (!answer.ok) {
    if (answer.status !== 410) return answer
    return { ok: false, expired: true, message: 'its feed no longer has the place of this mirror' }
  }
  const page = tryJson(answer.text)
  const isPage = isMembers(page) && Array.isArray(page.events) && page.events.every(isEvent)
  if (!isPage) return { ok: false, message: 'its feed sent something that is no page of events' }
  const next = typeof page.cursor === 'string' ? page.cursor : null
  const events = page.events as SourceEvent[]
  if (next === null && events.length > 0) {
    return { ok: false, message: 'its feed sent events without a cursor' }
  }
  return { ok: true, events, cursor: next ?? cursor, hasMore: page.has_more === true }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEvent(value: unknown): value is SourceEvent {
  if (!isMembers(value) || !isMembers(value.payload)) return false
  const { event_id, event_type, entity_type, entity_id } = value
  return [event_id, event_type, entity_type, entity_id].every(
    (text) => typeof text === 'string' && text !== '' && text.length <= MAX_NAME,
  )
}

const MAX_NAME = 4_096

async function get({ fetch, url, key, signal }: SourcePorts, path: string, accept: string) {
  const result = await fetch({
    url: `${url}${path}`,
    headers: { accept, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    maxBytes: REPLICA_LIMITS.replicaBytes.value,
    totalTimeoutMs: REPLICA_LIMITS.replicaSeconds.value * 1_000,
    redirects: 'none',
    signal,
  })
  if (!result.ok) return { ok: false as const, status: null, message: result.message }
  const { status, headers, body } = result
  if (status === 200) return { ok: true as const, headers, text: body.toString('utf8') }
  const hint = status === 401 || status === 403 ? ': give a key of that registry with --auth' : ''
  return { ok: false as const, status, message: `it answered ${status} to ${path}${hint}` }
}
