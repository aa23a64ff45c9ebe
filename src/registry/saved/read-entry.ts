// Reads saved entries: only the contributor and moderators can read entries that wait for a review.

import { normaliseDomain } from '../../lib/host-name.ts'
import { type FindReader, maySeePending } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Revision } from '../revisions.ts'
import type { SavedEntry, SavedKind } from './entry.ts'
import type { SavedPorts } from './save-entry.ts'

type ReadPorts = Pick<SavedPorts, 'saved' | 'revisions' | 'organizations'>

const NOBODY: FindReader = async () => undefined

export async function visibleEntry(
  ports: Pick<ReadPorts, 'saved' | 'organizations'>,
  { kind, domain }: { kind: SavedKind; domain: string },
  reader: FindReader = NOBODY,
): Promise<SavedEntry | undefined> {
  const entry = await ports.saved.get(kind, domain)
  if (!entry || entry.review_status === 'approved') return entry
  const may = await maySeePending(ports, await reader(), entry.contributed_by)
  return may ? entry : undefined
}

/** The edits of the entry saved for a domain. A known entry that was never edited has none. */
export async function entryHistory(
  ports: ReadPorts & { isKnown(kind: SavedKind, domain: string): Promise<boolean> },
  {
    kind,
    domain: given,
    ...page
  }: { kind: SavedKind; domain: string; limit: number; offset: number },
  reader: FindReader,
): Promise<{ ok: true; domain: string; total: number; revisions: Revision[] } | Refusal> {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const { domain } = named
  const isVisible =
    (await visibleEntry(ports, { kind, domain }, reader)) !== undefined ||
    (await ports.isKnown(kind, domain))
  if (!isVisible) {
    const what = kind === 'brand' ? 'Brand' : 'Property'
    return refuse(404, `${what} not found`, { domain })
  }
  return { ok: true, domain, ...(await ports.revisions.page({ kind, key: domain }, page)) }
}
