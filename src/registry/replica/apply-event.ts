// How an event of another registry changes the copy. Each event has the complete state of its subject, so reading one
// twice, or starting from further back, gives the same copy.

import type { ReplicaRow, RowKey } from './store.ts'

export interface SourceEvent {
  event_id: string
  event_type: string
  entity_type: string
  entity_id: string
  payload: Record<string, unknown>
}

export interface EventChanges {
  put: ReplicaRow[]
  remove: RowKey[]
}

const ENDINGS = ['.removed', '.revoked', '.rejected']

/**
 * The result of a page of events: only the last state of each subject counts. `known` are the existing rows for them.
 */
export function changesOf(
  events: readonly SourceEvent[],
  known: readonly ReplicaRow[],
): EventChanges {
  const keyOf = ({ kind, id }: RowKey) => `${kind} ${id}`
  const rows = new Map(known.map((row) => [keyOf(row), row]))
  const touched = new Map<string, RowKey>()
  for (const event of events) {
    const key = rowKeyOf(event)
    touched.set(keyOf(key), key)
    if (ENDINGS.some((ending) => event.event_type.endsWith(ending))) rows.delete(keyOf(key))
    else rows.set(keyOf(key), rowOf(event, key, rows.get(keyOf(key))))
  }
  const changes: EventChanges = { put: [], remove: [] }
  for (const [name, key] of touched) {
    const row = rows.get(name)
    if (row) changes.put.push(row)
    else changes.remove.push(key)
  }
  return changes
}

export function rowKeyOf({ entity_type: kind, entity_id, payload }: SourceEvent): RowKey {
  const id = kind === 'authorization' && typeof payload.id === 'string' ? payload.id : entity_id
  return { kind, id }
}

function rowOf(event: SourceEvent, key: RowKey, before: ReplicaRow | undefined): ReplicaRow {
  // A grant has the complete state; members that another event omits keep their values.
  const body = key.kind === 'authorization' ? event.payload : { ...before?.body, ...event.payload }
  return authorizedRow(key, body)
}

export function authorizedRow(key: RowKey, body: Record<string, unknown>): ReplicaRow {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    ...key,
    body,
    agent_url: text(body.agent_url),
    publisher_domain: text(body.publisher_domain),
  }
}
