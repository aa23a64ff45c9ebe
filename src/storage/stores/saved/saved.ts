// Saved entries in SQL.

import { namedUuid } from '../../../lib/named-uuid.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import type { SavedEntry, SavedKind } from '../../../registry/saved/entry.ts'
import type { SavedStore } from '../../../registry/saved/store.ts'
import { FIND } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'

interface Row {
  kind: SavedKind
  domain: string
  id: string
  name: string
  body: string
  review_status: SavedEntry['review_status']
  contributed_by_org_id: string | null
  owner_org_id: string | null
  created_at: number
  updated_at: number
}

const COLUMNS =
  'kind, domain, id, name, body, review_status, contributed_by_org_id, owner_org_id, created_at, updated_at'
const ONE = `SELECT ${COLUMNS} FROM saved_entries WHERE kind = $1 AND domain = $2`

export function createSavedStore(database: Database): SavedStore {
  const { read } = database
  return {
    ...savedChanges(),
    get: async (kind, domain) => {
      const row = isStorable(domain) ? await read.get<Row>(ONE, [kind, domain]) : undefined
      return row && entryOf(row)
    },
    some: async (kind, domains) => {
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM saved_entries WHERE kind = $1 AND ${isIn('domain', 2)}`,
        [kind, listed(domains)],
      )
      return new Map(rows.map((row) => [row.domain, entryOf(row)]))
    },
    list: async (kind, { search, limit, offset }) => {
      if (!isStorable(search)) return []
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM saved_entries
         WHERE kind = $1 AND review_status = 'approved' AND ($2 = '' OR ${FIND}(words, $3) > 0)
         ORDER BY domain LIMIT $4 OFFSET $5`,
        [kind, search, `\n${search}`, limit, offset],
      )
      return rows.map(entryOf)
    },
    counts: async (kind) => {
      const row = await read.get<{ hosted: number; community: number }>(
        `SELECT count(owner_org_id) AS hosted, count(*) - count(owner_org_id) AS community
         FROM saved_entries WHERE kind = $1 AND review_status = 'approved'`,
        [kind],
      )
      return { hosted: row?.hosted ?? 0, community: row?.community ?? 0 }
    },
    pending: async (kind, limit) => {
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM saved_entries WHERE kind = $1 AND review_status = 'pending'
         ORDER BY created_at, domain LIMIT $2`,
        [kind, limit],
      )
      return rows.map(entryOf)
    },
    countPendingOf: async (tx, kind, organizationId) => {
      const row = await sqlOf(tx).get<{ n: number }>(
        `SELECT count(*) AS n FROM saved_entries
         WHERE contributed_by_org_id = $1 AND kind = $2 AND review_status = 'pending'`,
        [organizationId, kind],
      )
      return row?.n ?? 0
    },
  }
}

/** Changes of entries, each under the lock of its row. */
function savedChanges(): Pick<
  SavedStore,
  'lock' | 'ownerOf' | 'setOwner' | 'put' | 'approve' | 'remove'
> {
  return {
    lock: async (tx, kind, domain) => {
      const row = await sqlOf(tx).get<Row>(`${ONE} ${FOR_UPDATE}`, [kind, domain])
      return row && entryOf(row)
    },
    ownerOf: async (tx, domain) => {
      const row = await sqlOf(tx).get<{ organization_id: string }>(
        'SELECT organization_id FROM domain_owners WHERE domain = $1',
        [domain],
      )
      return row?.organization_id ?? null
    },
    setOwner: async (tx, { domain, organizationId, proved_by }) => {
      await sqlOf(tx).run(
        `INSERT INTO domain_owners (domain, organization_id, proved_by, proved_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (domain) DO UPDATE SET organization_id = excluded.organization_id,
           proved_by = excluded.proved_by, proved_at = excluded.proved_at`,
        [domain, organizationId, proved_by, await tx.now()],
      )
    },
    put: async (tx, entry) => {
      const id = namedUuid(`saved ${entry.kind} ${entry.domain}`)
      const now = await tx.now()
      await sqlOf(tx).run(
        `INSERT INTO saved_entries (kind, domain, id, name, body, review_status, contributed_by_org_id, owner_org_id,
           words, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
         ON CONFLICT (kind, domain) DO UPDATE SET name = excluded.name, body = excluded.body,
           review_status = excluded.review_status, contributed_by_org_id = excluded.contributed_by_org_id,
           owner_org_id = excluded.owner_org_id, words = excluded.words, updated_at = excluded.updated_at`,
        [
          entry.kind,
          entry.domain,
          id,
          entry.name,
          JSON.stringify(entry.body),
          entry.review_status,
          entry.contributed_by,
          entry.owner,
          wordsOf(entry),
          now,
        ],
      )
      return id
    },
    approve: async (tx, kind, domain) => {
      await sqlOf(tx).run(
        `UPDATE saved_entries SET review_status = 'approved', updated_at = $3 WHERE kind = $1 AND domain = $2`,
        [kind, domain, await tx.now()],
      )
    },
    remove: async (tx, kind, domain) => {
      await sqlOf(tx).run('DELETE FROM saved_entries WHERE kind = $1 AND domain = $2', [
        kind,
        domain,
      ])
    },
  }
}

/** Each on its own line, so that a search can match the beginning of a line. */
function wordsOf({ name, domain }: Pick<SavedEntry, 'name' | 'domain'>): string {
  const whole = name.normalize('NFKC').toLowerCase().trim()
  const words = whole.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return ['', domain, whole, ...words].join('\n')
}

function entryOf(row: Row): SavedEntry {
  return {
    kind: row.kind,
    domain: row.domain,
    id: row.id,
    name: row.name,
    body: JSON.parse(row.body) as SavedEntry['body'],
    review_status: row.review_status,
    contributed_by: row.contributed_by_org_id,
    owner: row.owner_org_id,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
