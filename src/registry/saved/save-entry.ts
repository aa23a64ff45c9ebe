// Saves an entry for a domain. A domain that publishes its own file is described only by that file; a domain with a
// proven owner is described by its owner; everything else waits for a review, unless a moderator saves it.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { type Contributor, type Editor, editorWithin } from '../contributors.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { OrganizationPorts } from '../organizations.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { RevisionStore } from '../revisions.ts'
import { SAVED_KINDS, type SavedEntry, type SavedKind, sourceOf } from './entry.ts'
import { savedDomain } from './may-be-saved.ts'
import type { NewEntry, SavedStore } from './store.ts'

export interface SavedPorts extends OrganizationPorts {
  saved: SavedStore
  revisions: RevisionStore
  /** Whether the domain publishes its own file for a kind of entry. */
  hasOwnFile(kind: SavedKind, domain: string): Promise<boolean>
}

export interface EntryToSave {
  kind: SavedKind
  domain: string
  name: string
  body: Record<string, unknown>
}

type ProvedEntry = EntryToSave & {
  /** Whether the editor has proved that the domain is its own. */
  isProved: boolean
}

export type SavedResult =
  | { ok: true; domain: string; id: string; message: string; revision_number: number | null }
  | Refusal

export async function saveEntry(
  ports: SavedPorts,
  contributor: Contributor,
  given: EntryToSave,
): Promise<SavedResult> {
  const named = savedDomain(given.domain)
  if (!named.ok) return named
  const { kind } = given
  const { domain } = named
  if (await ports.hasOwnFile(kind, domain)) return publishesItself({ ...given, domain })
  return ports.transact(async (tx) => {
    const editor = await editorWithin(tx, ports, contributor)
    const owner = await ports.saved.ownerOf(tx, domain)
    const isProved = owner !== null && owner === editor.organizationId
    // A deleted organisation locks nobody out.
    const isOthers = owner !== null && !isProved && !editor.isModerator
    if (isOthers && (await ports.organizations.get(owner))) return ownedByAnother(kind, domain)
    const entry = { ...given, domain, isProved }
    const known = await ports.saved.lock(tx, kind, domain)
    const refused = known
      ? await refusedEdit(ports, editor, { known, entry })
      : await refusedNew(ports, tx, { editor, kind })
    return refused ?? write({ tx, ports, editor }, known, entry)
  })
}

async function refusedNew(
  { saved }: SavedPorts,
  tx: Transaction,
  { editor, kind }: { editor: Editor; kind: SavedKind },
): Promise<Refusal | undefined> {
  if (editor.organizationId === null) return undefined
  const waiting = await saved.countPendingOf(tx, kind, editor.organizationId)
  return waiting >= CATALOGUE_LIMITS.pendingEntries.value ? TOO_MANY_PENDING : undefined
}

async function refusedEdit(
  { organizations }: SavedPorts,
  { organizationId, isModerator }: Editor,
  { known, entry }: { known: SavedEntry; entry: ProvedEntry },
): Promise<Refusal | undefined> {
  const { kind, domain } = known
  if (isModerator || entry.isProved) return undefined
  if (known.owner !== null && known.owner !== organizationId) {
    // A deleted organisation locks nobody out.
    if (await organizations.get(known.owner)) return ownedByAnother(kind, domain)
  }
  if (known.review_status === 'pending') {
    return refuse(409, 'this entry waits for a review: it can be changed once it is approved', {
      domain,
    })
  }
  if (known.owner === organizationId || known.contributed_by === organizationId) return undefined
  return refuse(
    403,
    'this entry was saved by another organization: only that one, the owner of the domain or a moderator may change it',
    { domain },
  )
}

interface Change {
  tx: Transaction
  ports: SavedPorts
  editor: Editor
}

async function write(
  { tx, ports, editor }: Change,
  known: SavedEntry | undefined,
  { kind, domain, name, body, isProved }: ProvedEntry,
): Promise<SavedResult> {
  const owner = isProved ? editor.organizationId : (known?.owner ?? null)
  const isPublic = editor.isModerator || owner !== null || known?.review_status === 'approved'
  const next: NewEntry = {
    kind,
    domain,
    name,
    body,
    review_status: isPublic ? 'approved' : 'pending',
    contributed_by: known && !isProved ? known.contributed_by : editor.organizationId,
    owner,
  }
  const changed = known ? changedFields(known, next) : []
  if (known && changed.length === 0) {
    return { ok: true, domain, id: known.id, message: 'Nothing was changed', revision_number: null }
  }
  const id = await ports.saved.put(tx, next)
  const revision_number = known
    ? await ports.revisions.add(tx, {
        kind,
        key: domain,
        editorName: editor.editorName,
        summary: `changed ${changed.join(', ')}`,
        source: sourceOf(next),
        rolledBackTo: null,
      })
    : null
  const type = known ? 'updated' : 'created'
  await ports.feed.append(tx, [savedEvent(type, next, { by: editor, changed })])
  const message = messageFor(kind, { isEdit: known !== undefined, isPublic })
  return { ok: true, domain, id, message, revision_number }
}

/** What an organisation has saved becomes the word of the owner once the domain is proved to be its own. */
export async function claimEntries(
  ports: SavedPorts,
  tx: Transaction,
  { domain, editor }: { domain: string; editor: Editor },
): Promise<void> {
  for (const kind of SAVED_KINDS) {
    const known = await ports.saved.lock(tx, kind, domain)
    if (!known || known.contributed_by !== editor.organizationId) continue
    await write({ tx, ports, editor }, known, { ...known, isProved: true })
  }
}

function messageFor(kind: SavedKind, { isEdit, isPublic }: { isEdit: boolean; isPublic: boolean }) {
  const what = kind === 'brand' ? 'Brand' : 'Property'
  if (isEdit) return `${what} updated`
  return isPublic ? `${what} saved` : `${what} saved: it is public once a moderator has approved it`
}

function changedFields(before: SavedEntry, after: NewEntry): string[] {
  const [old, saved] = [new Map(Object.entries(before.body)), new Map(Object.entries(after.body))]
  const changed = [...new Set([...old.keys(), ...saved.keys()])].filter(
    (name) => canonicalJson(old.get(name) ?? null) !== canonicalJson(saved.get(name) ?? null),
  )
  if (before.name !== after.name) changed.unshift('name')
  if (before.owner !== after.owner) changed.unshift('owner')
  if (before.review_status !== after.review_status) changed.unshift('review_status')
  return changed
}

const EVENTS = {
  brand: { created: 'brand.created', updated: 'brand.updated', approved: 'brand.approved' },
  property: {
    created: 'saved_property.created',
    updated: 'saved_property.updated',
    approved: 'saved_property.approved',
  },
} as const
const REMOVED = { brand: 'brand.removed', property: 'saved_property.removed' } as const

/** Only its organisation can read what is not public yet. */
export function savedEvent(
  change: 'created' | 'updated' | 'approved' | 'removed',
  entry: NewEntry,
  { by, changed }: { by: Pick<Editor, 'actor' | 'organizationId'>; changed?: readonly string[] },
): NewFeedEvent {
  const { kind, domain, name, review_status } = entry
  return {
    event_type: change === 'removed' ? REMOVED[kind] : EVENTS[kind][change],
    entity_type: kind,
    entity_id: domain,
    payload: {
      domain,
      name,
      review_status,
      source: sourceOf(entry),
      ...(changed && changed.length > 0 ? { changed_fields: changed } : {}),
    },
    actor: by.actor,
    visibleTo: review_status === 'pending' ? by.organizationId : null,
  }
}

const TOO_MANY_PENDING = refuse(
  429,
  `your organization has ${CATALOGUE_LIMITS.pendingEntries.value} entries that wait for a review: wait for the moderators`,
)

function publishesItself({ kind, domain }: EntryToSave): Refusal {
  const file = kind === 'brand' ? 'a brand.json' : 'an adagents.json'
  return refuse(409, `${domain} has ${file} of its own: change it there`, { domain })
}

function ownedByAnother(kind: SavedKind, domain: string): Refusal {
  return refuse(
    kind === 'brand' ? 409 : 403,
    'the owner of this domain has saved this entry: only the owner or a moderator may change it',
    { domain },
  )
}
