// What an import does to the catalogue: applies its changes, one batch per transaction, or only reports what they
// would be. Both process rows in the same order, so that a dry run matches the import.

import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Transact } from '../lib/transaction.ts'
import type { CatalogueSignal } from './catalogue.ts'
import type { RowName } from './files/signal-rows.ts'
import type { PutOutcome, SignalStore } from './store.ts'

export interface GoodRow {
  row: RowName
  signal: CatalogueSignal
}

export interface Writing {
  put(rows: readonly GoodRow[]): Promise<PutOutcome[]>
  /** Returns how many of them there were. */
  remove(ids: readonly string[]): Promise<number>
}

/** What one row would change, or what would change because a row is missing. */
export type CatalogueChange = { id: string } & (
  | { outcome: 'added'; row: RowName }
  /** `members`: those that differ; undefined if an earlier row was for the same signal. */
  | { outcome: 'changed'; row: RowName; members: readonly string[] | undefined }
  | { outcome: 'removed' }
)

export function committing({
  transact,
  signals,
}: {
  transact: Transact
  signals: SignalStore
}): Writing {
  return {
    put: (rows) =>
      transact((tx) =>
        signals.put(
          tx,
          rows.map(({ signal }) => signal),
        ),
      ),
    remove: (ids) => transact((tx) => signals.remove(tx, ids)),
  }
}

/** Reads only. Keeps a digest of each earlier row, since one signal may have several. */
export function lookingOnly(
  signals: Pick<SignalStore, 'get'>,
  report: (change: CatalogueChange) => void,
): Writing {
  const before = new Map<string, string>()
  return {
    put: async (rows) => {
      const stored = await signals.get(rows.map(({ signal }) => signal.signal_agent_segment_id))
      return rows.map(({ row, signal }) => {
        const id = signal.signal_agent_segment_id
        const [old, digest] = [stored.get(id)?.signal, digestOf(signal)]
        const known = before.get(id) ?? (old && digestOf(old))
        const isRepeated = before.has(id)
        before.set(id, digest)
        if (known === digest) return 'unchanged'
        if (known === undefined) report({ id, row, outcome: 'added' })
        else {
          const members = isRepeated || !old ? undefined : differing(old, signal)
          report({ id, row, outcome: 'changed', members })
        }
        return known === undefined ? 'added' : 'changed'
      })
    },
    remove: async (ids) => {
      for (const id of ids) report({ id, outcome: 'removed' })
      return ids.length
    },
  }
}

/** As the store keeps it: undefined members count as absent, and the order of members does not matter. */
function digestOf(signal: CatalogueSignal): string {
  return createHash('sha256')
    .update(canonicalJson(asJson(signal)))
    .digest('base64url')
}

function differing(old: CatalogueSignal, signal: CatalogueSignal): string[] {
  const [a, b] = [old, signal].map((one) => new Map(Object.entries(asJson(one)))) as [
    Map<string, unknown>,
    Map<string, unknown>,
  ]
  const text = (value: unknown) => (value === undefined ? '' : canonicalJson(value))
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((name) => text(a.get(name)) !== text(b.get(name)))
    .sort()
}

function asJson(signal: CatalogueSignal): Record<string, unknown> {
  return JSON.parse(JSON.stringify(signal)) as Record<string, unknown>
}
