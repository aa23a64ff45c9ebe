// Follows another registry: first its snapshot of authorizations, then its feed from the oldest event that it keeps.
// The position is stored together with the data read up to it, so a process that is killed repeats at most one page
// and skips nothing. Replaying events older than the snapshot gives the same copy, because each has the complete
// state of its subject.

import type { Transact } from '../../lib/transaction.ts'
import { authorizedRow, changesOf, rowKeyOf } from './apply-event.ts'
import { type EventPage, readEvents, readSnapshot, type SourcePorts } from './read-source.ts'
import type { Replica, ReplicaStore } from './store.ts'

export interface FollowPorts {
  transact: Transact
  replicas: ReplicaStore
  source: SourcePorts
}

export type Step =
  /** There is more to read now. */
  | { outcome: 'more'; replica: Replica }
  /** The end of the feed was reached. */
  | { outcome: 'in_step'; replica: Replica }
  | { outcome: 'failed'; message: string }

/** One page, stored. */
export async function followOnce(ports: FollowPorts): Promise<Step> {
  const { transact, replicas, source } = ports
  const known = await replicas.get(source.url)
  const replica = known ?? (await transact((tx) => replicas.lock(tx, source.url)))
  switch (replica.phase) {
    case 'snapshot':
      return snapshotPage(ports, replica)
    case 'sweep':
      return sweepPage(ports, replica)
    case 'follow':
      return eventPage(ports, replica)
  }
}

async function snapshotPage(ports: FollowPorts, before: Replica): Promise<Step> {
  const page = await readSnapshot(ports.source, before.snapshot_after)
  if (!page.ok) return { outcome: 'failed', message: page.message }
  if (page.next !== null && page.next <= before.snapshot_after) {
    return { outcome: 'failed', message: 'its snapshot does not get further' }
  }
  const rows = page.rows.map((row) => authorizedRow({ kind: 'authorization', id: row.id }, row))
  const after: Replica =
    page.next === null
      ? { ...before, phase: 'sweep', snapshot_after: '', cursor: null }
      : { ...before, snapshot_after: page.next }
  return store(ports, before, {
    after: { ...after, rows_read: before.rows_read + rows.length },
    outcome: 'more',
    write: async (tx) => {
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        await ports.replicas.put(tx, before, rows.slice(start, start + ROWS_AT_ONCE))
      }
    },
  })
}

const ROWS_AT_ONCE = 500

/** Authorizations that are no longer in the snapshot. */
async function sweepPage(ports: FollowPorts, before: Replica): Promise<Step> {
  const swept = await ports.transact((tx) => ports.replicas.sweep(tx, before))
  if (swept > 0) return { outcome: 'more', replica: before }
  const after: Replica = { ...before, phase: 'follow', cursor: null }
  return store(ports, before, { after, outcome: 'more', write: async () => {} })
}

async function eventPage(ports: FollowPorts, before: Replica): Promise<Step> {
  const page: EventPage = await readEvents(ports.source, before.cursor)
  if (!page.ok) {
    if (!page.expired || before.cursor === null) {
      return { outcome: 'failed', message: page.message }
    }
    const generation = before.generation + 1
    const after: Replica = { ...before, phase: 'snapshot', generation, snapshot_after: '' }
    return store(ports, before, {
      after: { ...after, cursor: null },
      outcome: 'more',
      write: async () => {},
    })
  }
  if (page.hasMore && page.cursor === before.cursor) {
    return { outcome: 'failed', message: 'its feed does not get further' }
  }
  const { replicas, source } = ports
  const keys = page.events.map(rowKeyOf)
  return store(ports, before, {
    after: {
      ...before,
      cursor: page.cursor,
      events_read: before.events_read + page.events.length,
    },
    outcome: page.hasMore ? 'more' : 'in_step',
    write: async (tx) => {
      const { put, remove } = changesOf(page.events, await replicas.some(tx, source.url, keys))
      await replicas.put(tx, before, put)
      await replicas.remove(tx, source.url, remove)
    },
  })
}

type Tx = Parameters<ReplicaStore['save']>[0]

/** Stores rows and position in one transaction, unless another process has already read further. */
function store(
  { transact, replicas, source }: FollowPorts,
  before: Replica,
  change: { after: Replica; outcome: 'more' | 'in_step'; write: (tx: Tx) => Promise<void> },
): Promise<Step> {
  return transact(async (tx): Promise<Step> => {
    const current = await replicas.lock(tx, source.url)
    if (!isSamePlace(current, before)) return { outcome: 'more', replica: current }
    await change.write(tx)
    const now = await tx.now()
    const in_step_at = change.outcome === 'in_step' ? now : before.in_step_at
    const replica = { ...change.after, in_step_at, updated_at: now }
    await replicas.save(tx, replica)
    return { outcome: change.outcome, replica }
  })
}

function isSamePlace(a: Replica, b: Replica): boolean {
  return (
    a.phase === b.phase &&
    a.generation === b.generation &&
    a.cursor === b.cursor &&
    a.snapshot_after === b.snapshot_after
  )
}
