// Computes the authorizations of publishers from the files that speak for them, and writes the changes and their
// events in the transaction passed in. The result depends only on stored data, so the computation can be repeated.

import { canonicalDigest } from '../../lib/canonical-json.ts'
import { createPacer } from '../../lib/pacer.ts'
import type { Transaction } from '../../lib/transaction.ts'
import {
  type CompiledEntry,
  chosenIds,
  compileEntry,
} from '../../protocol/adagents/choose-properties.ts'
import type { CrawlStore } from '../crawler/store.ts'
import { markProfiles } from '../profiles/refresh-profiles.ts'
import type { ProfileStore } from '../profiles/store.ts'
import type { FeedStore } from '../store.ts'
import {
  type AuthorizationRecord,
  authorizationId,
  type DiscoveryMethod,
  HOLD_MS,
  isOver,
  type NewAuthorization,
  termsOf,
} from './authorization.ts'
import { authorizationEvent } from './events.ts'
import type {
  AuthorizationChange,
  AuthorizationStore,
  FileStore,
  FileVersion,
  Speaker,
  StoredProperty,
} from './store.ts'

export interface ApplyPorts {
  files: FileStore
  authorizations: AuthorizationStore
  crawl: Pick<CrawlStore, 'speakers'>
  feed: FeedStore
  profiles: Pick<ProfileStore, 'mark'>
}

/** Entries of files, for the duration of one piece of work. */
export type EntryCache = Map<string, CompiledEntry[]>

export interface Applied {
  /** Agents that may now sell something of a publisher, and agents that no longer may. */
  added: { publisher_domain: string; agent_url: string }[]
  removed: { publisher_domain: string; agent_url: string }[]
  /** Agents for which something was written. */
  changed: string[]
}

type Row = NewAuthorization & { digest: string }
type Before = AuthorizationRecord & { digest: string }

export async function applyToPublishers(
  ports: ApplyPorts,
  tx: Transaction,
  { publishers, cache = new Map() }: { publishers: readonly string[]; cache?: EntryCache },
): Promise<Applied> {
  const sources = await sourcesOf(ports, tx, publishers)
  const revoked = await revokedAmong(ports, tx, sources)
  const wanted = await rowsOf(ports, tx, { sources, revoked, cache })
  const before = await ports.authorizations.of(tx, publishers)
  const applied = await writeChanges(ports, tx, { wanted, before, revoked })
  await markProfiles(ports, tx, applied.changed)
  return applied
}

interface Source {
  file: FileVersion
  method: DiscoveryMethod
  manager: string | null
  status: 'live' | 'claimed'
}
type Sources = Map<string, Source[]>

/** The file that speaks for a publisher; if there is none, the files that name it, which are only claims. */
async function sourcesOf(
  { crawl, files }: ApplyPorts,
  tx: Transaction,
  publishers: readonly string[],
): Promise<Sources> {
  const speakers = await crawl.speakers(tx, publishers)
  const silent = speakers.filter(({ isSilent }) => isSilent)
  const naming = await files.naming(
    tx,
    silent.map(({ publisher_domain }) => publisher_domain),
  )
  const ids = [
    ...speakers.flatMap(({ file_id }) => file_id ?? []),
    ...naming.map(({ file_id }) => file_id),
  ]
  const found = await files.versions(tx, [...new Set(ids)])
  const versions = new Map(found.map((file) => [file.id, file]))
  const sources: Sources = new Map(speakers.map((speaker) => [speaker.publisher_domain, []]))
  for (const speaker of speakers) {
    const file = speaker.file_id === null ? undefined : versions.get(speaker.file_id)
    if (file) sources.get(speaker.publisher_domain)?.push(spoken(speaker, file))
  }
  for (const { publisher_domain, file_id } of naming) {
    const file = versions.get(file_id)
    if (!file || file.host === publisher_domain) continue
    const claim = {
      method: 'adagents_authoritative',
      manager: file.host,
      status: 'claimed',
    } as const
    sources.get(publisher_domain)?.push({ file, ...claim })
  }
  return sources
}

function spoken({ discovery_method, manager_domain }: Speaker, file: FileVersion): Source {
  return { file, method: discovery_method ?? 'direct', manager: manager_domain, status: 'live' }
}

interface Revoked {
  /** Whole publishers, each with the reason. */
  publishers: Map<string, string>
  /** `file publisher` of files that are not trusted to speak for a publisher. */
  inFiles: Set<string>
}

/** A file that speaks for a publisher revokes for all files; any other file revokes only its own entries. */
async function revokedAmong(
  { files, authorizations }: ApplyPorts,
  tx: Transaction,
  sources: Sources,
): Promise<Revoked> {
  const now = await tx.now()
  const publishers = [...sources.keys()]
  const ids = [...sources.values()].flat().map(({ file }) => file.id)
  const listed = await files.revokedBy(tx, [...new Set(ids)], publishers)
  const speaks = (publisher: string, id: string) =>
    sources.get(publisher)?.some(({ file, status }) => file.id === id && status === 'live') === true
  const official = listed.filter((one) => speaks(one.publisher_domain, one.file_id))
  await authorizations.hold(
    tx,
    official.map((one) => ({
      publisher_domain: one.publisher_domain,
      file_id: one.file_id,
      reason: one.reason,
      revoked_at: one.revoked_at ?? now,
      held_until: now + HOLD_MS,
    })),
  )
  const held = await authorizations.held(tx, publishers)
  return {
    publishers: new Map(
      [...official, ...held].map((one) => [one.publisher_domain, one.reason ?? 'revoked']),
    ),
    inFiles: new Set(listed.map((one) => `${one.file_id} ${one.publisher_domain}`)),
  }
}

async function rowsOf(
  { files }: ApplyPorts,
  tx: Transaction,
  { sources, revoked, cache }: { sources: Sources; revoked: Revoked; cache: EntryCache },
): Promise<Row[]> {
  const pacer = createPacer({ isInTransaction: true })
  const open = [...sources].filter(([publisher]) => !revoked.publishers.has(publisher))
  const ids = [...new Set(open.flatMap(([, of]) => of.map(({ file }) => file.id)))]
  const properties = groupBy(
    await files.propertiesOf(
      tx,
      ids,
      open.map(([publisher]) => publisher),
    ),
  )
  const rows: Row[] = []
  for (const [publisher, of] of open) {
    const ordinals = new Map<string, number>()
    for (const source of of) {
      if (revoked.inFiles.has(`${source.file.id} ${publisher}`)) continue
      const own = properties.get(`${source.file.id} ${publisher}`) ?? []
      for (const compiled of await entriesOf(files, tx, { file: source.file, cache })) {
        const row = rowOf(publisher, { source, compiled, own })
        if (!row) continue
        const key = `${row.authorization_type} ${row.agent_url}`
        const ordinal = ordinals.get(key) ?? 0
        ordinals.set(key, ordinal + 1)
        rows.push({ ...row, id: authorizationId(row, ordinal) })
        if (pacer.isDue()) await pacer.pause()
      }
    }
  }
  return rows
}

/** Undefined for an entry that selects nothing of the publisher: it is then not publisher-wide. */
function rowOf(
  publisher_domain: string,
  { source, compiled, own }: { source: Source; compiled: CompiledEntry; own: StoredProperty[] },
): Omit<Row, 'id'> | undefined {
  const { entry } = compiled
  const property_ids = chosenIds(compiled, publisher_domain, own)
  const isOfSignals = entry.authorization_type.startsWith('signal_')
  if (property_ids.length === 0 && !(isOfSignals && source.status === 'live')) return undefined
  const said = {
    publisher_domain,
    agent_url: entry.agent_url,
    authorization_type: entry.authorization_type,
    status: source.status,
    discovery_method: source.method,
    manager_domain: source.manager,
    property_ids,
    properties_total: new Set(own.map((property) => property.property_id)).size,
    terms: termsOf(entry),
  }
  return { ...said, file_id: source.file.id, entry: entry.n, digest: canonicalDigest(said) }
}

async function entriesOf(
  files: FileStore,
  tx: Transaction,
  { file, cache }: { file: FileVersion; cache: EntryCache },
): Promise<CompiledEntry[]> {
  const key = `${file.id} ${file.version}`
  const known = cache.get(key)
  if (known) return known
  const compiled = (await files.entries(tx, file)).map(compileEntry)
  cache.set(key, compiled)
  return compiled
}

function groupBy(properties: readonly StoredProperty[]): Map<string, StoredProperty[]> {
  const groups = new Map<string, StoredProperty[]>()
  for (const property of properties) {
    const key = `${property.file_id} ${property.publisher_domain}`
    const group = groups.get(key)
    if (group) group.push(property)
    else groups.set(key, [property])
  }
  return groups
}

const isCurrent = ({ status }: { status: string }) => status === 'live' || status === 'claimed'

async function writeChanges(
  { authorizations, feed }: ApplyPorts,
  tx: Transaction,
  { wanted, before, revoked }: { wanted: Row[]; before: Before[]; revoked: Revoked },
): Promise<Applied> {
  const now = await tx.now()
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(wanted.map(({ id }) => id))
  const put: Row[] = []
  const changes: AuthorizationChange[] = []
  const events: Parameters<FeedStore['append']>[1][number][] = []
  for (const row of wanted) {
    const old = known.get(row.id)
    const wasCurrent = old !== undefined && isCurrent(old)
    const isSame = wasCurrent && old.digest === row.digest
    if (isSame && old.file_id === row.file_id && old.entry === row.entry) continue
    put.push(row)
    if (isSame) continue
    changes.push(changeOf(row, wasCurrent ? 'changed' : 'granted', row.discovery_method))
    // Feed readers that keep an agent's first grant accept a new one only after the first has ended.
    if (wasCurrent && old.status === 'live')
      events.push(authorizationEvent('revoked', old, { now, reason: 'changed' }))
    // Do not report a grant that has already expired.
    if (row.status === 'live' && !isOver(row.terms, now))
      events.push(authorizationEvent('granted', row, { now, since: old?.created_at }))
  }
  const gone = before.filter((row) => isCurrent(row) && !kept.has(row.id))
  const over = before.filter(
    (row) =>
      row.status === 'revoked' &&
      !kept.has(row.id) &&
      !revoked.publishers.has(row.publisher_domain),
  )
  const isRevoked = (row: Before) => revoked.publishers.has(row.publisher_domain)
  for (const row of gone) {
    const reason = revoked.publishers.get(row.publisher_domain) ?? 'no longer in the file'
    changes.push(changeOf(row, isRevoked(row) ? 'revoked' : 'ended', reason))
    if (row.status === 'live') events.push(authorizationEvent('revoked', row, { now, reason }))
  }
  await authorizations.put(tx, put)
  const ids = (rows: readonly Before[]) => rows.map(({ id }) => id)
  if (gone.some(isRevoked)) await authorizations.end(tx, ids(gone.filter(isRevoked)), 'revoked')
  const ended = [...gone.filter((row) => !isRevoked(row)), ...over]
  if (ended.length > 0) await authorizations.end(tx, ids(ended), 'ended')
  if (changes.length > 0) await authorizations.note(tx, changes)
  await feed.append(tx, events)
  return {
    added: put
      .filter((row) => !known.get(row.id) || !isCurrent(known.get(row.id) as Before))
      .map(pairOf),
    removed: gone.map(pairOf),
    changed: [...put, ...gone].map(({ agent_url }) => agent_url),
  }
}

function pairOf({ publisher_domain, agent_url }: { publisher_domain: string; agent_url: string }) {
  return { publisher_domain, agent_url }
}

function changeOf(
  row: Pick<Row, 'id' | 'terms' | 'property_ids' | 'authorization_type'>,
  change: AuthorizationChange['change'],
  reason: string,
): AuthorizationChange {
  const { id, terms, property_ids, authorization_type } = row
  const properties = property_ids.length
  return {
    authorization_id: id,
    change,
    reason,
    terms: { ...terms, authorization_type, properties },
  }
}
