// The rows of the catalogue of signals, as the statements about it read them.

import type { CatalogueSignal, StoredSignal } from '../../../signals/catalogue.ts'

export interface SignalRow {
  signal_agent_segment_id: string
  seq: number
  version: number
  text_digest: string
  changed_at: number
  signal: string
}

/** The one row with the state of the catalogue. */
export interface CatalogueRow {
  seq: number
  signals: number
  forgotten: number
}

export function storedOf(row: SignalRow): StoredSignal {
  return {
    signal: JSON.parse(row.signal) as CatalogueSignal,
    version: row.version,
    text_digest: row.text_digest,
    changed_at: row.changed_at,
  }
}

export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  const chunks: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += size) {
    chunks.push(items.slice(start, start + size))
  }
  return chunks
}
