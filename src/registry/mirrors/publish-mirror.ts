// Publishes a community mirror: a moderator's is public at once, an organisation's is a proposal that waits for a
// moderator. Withdrawing requires a successor, or an explicit statement that none is needed.

import type { Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { type Contributor, type Editor, editorWithin, type Moderator } from '../contributors.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { OrganizationPorts } from '../organizations.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { ReadManifest } from '../verification.ts'
import { type MirrorContent, type MirrorInput, readMirror } from './mirror.ts'
import type { Mirror, MirrorStore, Proposal } from './store.ts'

export interface MirrorPorts extends OrganizationPorts {
  mirrors: MirrorStore
  readManifest: ReadManifest
}

export type PublishedMirror =
  | { ok: true; mirror: Mirror }
  | { ok: true; proposal: Proposal }
  | Refusal

export async function publishMirror(
  ports: MirrorPorts,
  contributor: Contributor,
  { platform, input }: { platform: string; input: MirrorInput },
): Promise<PublishedMirror> {
  const isModerator = contributor.kind === 'moderator'
  const read = readMirror(input, { isModerator })
  if (!read.ok) return read
  const fault = await schemaFault(ports, read.content)
  if (fault) return fault

  return ports.transact(async (tx) => {
    const editor = await editorWithin(tx, ports, contributor)
    const current = await ports.mirrors.lock(tx, platform)
    const reused = reusedEtag(current, read.content)
    if (reused) return reused
    const change = { tx, ports, editor, platform }
    return isModerator
      ? { ok: true, mirror: await publish(change, read.content) }
      : propose(change, read.content, current)
  })
}

export interface MirrorChange {
  tx: Transaction
  ports: MirrorPorts
  editor: Pick<Editor, 'actor' | 'organizationId'>
  platform: string
}

export async function publish(
  { tx, ports, editor, platform }: MirrorChange,
  content: MirrorContent,
): Promise<Mirror> {
  const mirror = await ports.mirrors.put(tx, platform, content)
  await ports.feed.append(tx, [mirrorEvent('mirror.published', { platform, ...content }, editor)])
  return mirror
}

async function propose(
  { tx, ports, editor, platform }: MirrorChange,
  content: MirrorContent,
  current: Mirror | undefined,
): Promise<PublishedMirror> {
  const organization_id = editor.organizationId
  if (organization_id === null) throw new Error('a moderator publishes')
  const waiting = await ports.mirrors.countPendingOf(tx, organization_id)
  if (waiting >= CATALOGUE_LIMITS.pendingProposals.value) return TOO_MANY_PENDING
  const proposal = await ports.mirrors.propose(tx, {
    ...content,
    id: uuid7(await tx.now()),
    platform,
    base_mirror_digest: current?.digest ?? null,
    organization_id,
  })
  await ports.feed.append(tx, [
    { ...mirrorEvent('mirror.proposed', proposal, editor), visibleTo: organization_id },
  ])
  return { ok: true, proposal }
}

/** The document must be an adagents.json, regardless of the sender. */
export async function schemaFault(
  { readManifest }: Pick<MirrorPorts, 'readManifest'>,
  { document }: MirrorContent,
): Promise<Refusal | undefined> {
  const question = { type: 'adagents.json' as const, allowHttp: false }
  const reading = await readManifest(Buffer.from(document), question)
  if (reading.ok) return undefined
  return refuse(400, `the mirror is no valid adagents.json: ${reading.reason}`, {
    issues: reading.issues,
  })
}

/** Readers cache by etag, so different content needs a different etag. */
export function reusedEtag(
  current: Mirror | undefined,
  { catalog_etag, digest }: MirrorContent,
): Refusal | undefined {
  if (!current || catalog_etag === null || current.catalog_etag !== catalog_etag) return undefined
  if (current.digest === digest) return undefined
  return refuse(
    400,
    `catalog_etag ${catalog_etag} is that of the public mirror, which has other content: use a new catalog_etag`,
  )
}

export async function deleteMirror(
  ports: MirrorPorts,
  moderator: Moderator,
  { platform, isForced }: { platform: string; isForced: boolean },
): Promise<{ ok: true } | Refusal> {
  return ports.transact(async (tx) => {
    const mirror = await ports.mirrors.lock(tx, platform)
    if (!mirror) return MIRROR_NOT_FOUND
    if (mirror.superseded_by === null && !isForced) return NOT_SUPERSEDED
    const editor = await editorWithin(tx, ports, moderator)
    await ports.mirrors.remove(tx, platform)
    await ports.feed.append(tx, [mirrorEvent('mirror.removed', mirror, editor)])
    return { ok: true }
  })
}

export function mirrorEvent(
  event_type: NewFeedEvent['event_type'],
  {
    platform,
    digest,
    catalog_etag,
    superseded_by,
  }: Omit<MirrorContent, 'document'> & {
    platform: string
  },
  { actor }: Pick<Editor, 'actor'>,
): NewFeedEvent {
  return {
    event_type,
    entity_type: 'mirror',
    entity_id: platform,
    payload: { platform, digest, catalog_etag, superseded_by },
    actor,
    visibleTo: null,
  }
}

export const MIRROR_NOT_FOUND = refuse(404, 'Mirror not found')
const NOT_SUPERSEDED = refuse(
  409,
  'this mirror has no superseded_by: set it first, so that its readers know where to go, or send force=true',
)
const TOO_MANY_PENDING = refuse(
  429,
  `your organization has ${CATALOGUE_LIMITS.pendingProposals.value} mirror proposals that wait for a review: wait for the moderators`,
)
