// Packs a parsed adagents.json into packets of JSON: it comes from another process, and no packet is so large that
// reading it would block anyone.

import type { FileFault } from './faults.ts'
import type { FileEntry, FileProperty, PublisherFile, Revocation } from './file-model.ts'
import { type AdagentsQuestion, readAdagents } from './read-adagents.ts'

export interface PackedReading {
  faults: FileFault[]
  total_faults: number
  is_clean: boolean
  reading:
    | { kind: 'broken'; reason: 'not_json' | 'not_valid' }
    | { kind: 'pointer'; location: string; last_updated: number | null }
    | PackedFile
}

export interface PackedFile {
  kind: 'inline'
  last_updated: number | null
  contact: PublisherFile['contact']
  counts: PublisherFile['counts']
  property_count: number
  entry_count: number
  /** JSON lists. */
  properties: string[]
  entries: string[]
  revoked: string[]
}

const AT_ONCE = 500
/** An entry may list thousands of ids. */
const ENTRIES_AT_ONCE = 20

export function packReading(bytes: Uint8Array, question: AdagentsQuestion): PackedReading {
  const { faults, total_faults, is_clean, ...reading } = readAdagents(bytes, question)
  const report = { faults, total_faults, is_clean }
  if (reading.kind !== 'inline') return { ...report, reading }
  const { properties, entries, revoked, last_updated, contact, counts } = reading.file
  return {
    ...report,
    reading: {
      kind: 'inline',
      last_updated,
      contact,
      counts,
      property_count: properties.length,
      entry_count: entries.length,
      properties: packets(properties, AT_ONCE),
      entries: packets(entries, ENTRIES_AT_ONCE),
      revoked: packets(revoked, AT_ONCE),
    },
  }
}

function packets(
  list: readonly (FileProperty | FileEntry | Revocation)[],
  length: number,
): string[] {
  const packed: string[] = []
  for (let at = 0; at < list.length; at += length) {
    packed.push(JSON.stringify(list.slice(at, at + length)))
  }
  return packed
}
