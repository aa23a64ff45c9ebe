// Profiles of agents in SQL. A search walks the index of ranks and ends after a fixed number of rows, however few its
// filters match.

import { siteOf } from '../../../lib/host-name.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { Terms } from '../../../registry/authorizations/authorization.ts'
import type { DirectoryReader } from '../../../registry/directory/store.ts'
import type { AgentProfile } from '../../../registry/profiles/profile.ts'
import type {
  ClaimedProfile,
  FoundProfile,
  ProfileQuery,
  ProfileStore,
  SoldProperties,
} from '../../../registry/profiles/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, type Queryable, type SqlValue, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'

interface Row {
  agent_url: string
  rank: number
  channels: string
  property_types: string
  markets: string
  categories: string
  tags: string
  delivery_types: string
  has_tmp: number
  property_count: number
  publisher_count: number
  counts_by_type: string
  publishers: string
  updated_at: number
}

type FoundRow = Row & { type: string | null; name: string | null; listed_at: number | null }

const LISTS = [
  'channels',
  'property_types',
  'markets',
  'categories',
  'tags',
  'delivery_types',
] as const
const FIELDS = [
  'agent_url',
  'rank',
  ...LISTS,
  'has_tmp',
  'property_count',
  'publisher_count',
  'counts_by_type',
  'publishers',
  'updated_at',
]
const COLUMNS = FIELDS.map((name) => `p.${name}`).join(', ')
/** Agents that one page examines to find those that match its filters. */
const LOOKED_AT = 5_000

const EMPTY: readonly SqlValue[] = [0, '[]', '[]', '[]', '[]', '[]', '[]', 0, 0, 0, '{}', '[]']
const INSERTED = [
  'agent_url',
  'site',
  'rank',
  ...LISTS,
  'has_tmp',
  'property_count',
  'publisher_count',
  'counts_by_type',
  'publishers',
  'dirty',
  'due_at',
  'not_before',
  'updated_at',
]

/** Registers an agent that an organisation lists. */
export async function addListedProfile(tx: Queryable, url: string, now: number): Promise<void> {
  const values = INSERTED.map((_, index) => `$${index + 1}`).join(', ')
  await tx.run(
    `INSERT INTO agent_profiles (${INSERTED.join(', ')}) VALUES (${values}) ON CONFLICT (agent_url) DO NOTHING`,
    [url, siteOf(new URL(url).hostname), ...EMPTY, 0, 0, 0, now],
  )
}

export function createProfileStore(database: Database): ProfileStore {
  const { read } = database
  return {
    ...computation(database),
    sold: (agentUrl, page) => sold(database, { agentUrl, ...page }),
    listing: async (tx, agentUrl) =>
      sqlOf(tx).get<{ type: string; name: string | null }>(
        `SELECT type, name FROM member_agents WHERE url = $1 AND visibility = 'public'
         ORDER BY created_at, organization_id LIMIT 1`,
        [agentUrl],
      ),
    some: async (agentUrls) => {
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM agent_profiles p WHERE ${isIn('p.agent_url', 1)}`,
        [listed(agentUrls)],
      )
      return new Map(rows.map((row) => [row.agent_url, profileOf(row)]))
    },
    search: (query) => search(database, query),
    ofSite: async (reader, site, limit) => {
      const conditions = createConditions()
      const seen = seenBy(conditions, reader)
      conditions.is('p.site =', site)
      conditions.add(`(p.publisher_count > 0 OR EXISTS ${seen('1')})`)
      const rows = await read.all<FoundRow>(
        `SELECT ${COLUMNS}, ${listingOf(seen)} FROM agent_profiles p${conditions.where()}
         ORDER BY p.agent_url LIMIT ${conditions.param(limit)}`,
        conditions.params,
      )
      return rows.map(foundOf)
    },
    namedBy: async (agentUrl, limit) => {
      const named = async (status: 'live' | 'claimed', room: number) => {
        if (room <= 0) return []
        const rows = await read.all<{ publisher_domain: string; terms: string }>(
          `SELECT publisher_domain, terms FROM authorizations WHERE agent_url = $1 AND status = '${status}'
           ORDER BY publisher_domain, id LIMIT $2`,
          [agentUrl, room],
        )
        return rows.map(({ publisher_domain, terms }) => {
          const { authorized_for } = JSON.parse(terms) as Terms
          return { publisher_domain, authorized_for, is_live: status === 'live' }
        })
      }
      const live = await named('live', limit)
      return [...live, ...(await named('claimed', limit - live.length))]
    },
  }
}

/** Which profiles have to be computed again, and the lease that lets several instances share them. */
function computation(
  database: Database,
): Pick<ProfileStore, 'mark' | 'takeMarks' | 'claim' | 'release' | 'lock' | 'put'> {
  return {
    mark: async (tx, agentUrls) => {
      const rows = agentUrls.map((agentUrl) => [agentUrl])
      await insertRows(database, sqlOf(tx), {
        table: 'agent_profile_marks',
        columns: ['agent_url'],
        rows,
      })
    },
    takeMarks: (tx, limit) => takeMarks(database, tx, limit),
    claim: async (tx, leaseMs) => {
      const now = await tx.now()
      const due = `SELECT agent_url FROM agent_profiles WHERE dirty > 0 AND due_at <= $1 AND not_before <= $1
        ORDER BY due_at LIMIT 1`
      return sqlOf(tx).get<ClaimedProfile>(
        `UPDATE agent_profiles SET not_before = $2 WHERE ${amongLocked('agent_url', due)}
         RETURNING agent_url, dirty AS mark`,
        [now, now + leaseMs],
      )
    },
    release: async (tx, agentUrl) => {
      await sqlOf(tx).run('UPDATE agent_profiles SET not_before = 0 WHERE agent_url = $1', [
        agentUrl,
      ])
    },
    lock: async (tx, { agent_url, mark }) => {
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM agent_profiles p WHERE p.agent_url = $1 AND p.dirty = $2 ${FOR_UPDATE}`,
        [agent_url, mark],
      )
      return row && profileOf(row)
    },
    put: async (tx, profile, { dueAt, notBefore }) => {
      await sqlOf(tx).run(
        `UPDATE agent_profiles SET site = $2, rank = $3, channels = $4, property_types = $5, markets = $6,
           categories = $7, tags = $8, delivery_types = $9, has_tmp = $10, property_count = $11,
           publisher_count = $12, counts_by_type = $13, publishers = $14, updated_at = $15, dirty = $16, due_at = $17,
           not_before = $18
         WHERE agent_url = $1`,
        [
          profile.agent_url,
          siteOf(new URL(profile.agent_url).hostname),
          profile.rank,
          ...LISTS.map((name) => JSON.stringify(profile[name])),
          profile.has_tmp ? 1 : 0,
          profile.property_count,
          profile.publisher_count,
          JSON.stringify(profile.counts_by_type),
          JSON.stringify(profile.publishers),
          profile.updated_at,
          dueAt === undefined ? 0 : 1,
          dueAt ?? 0,
          notBefore,
        ],
      )
    },
  }
}

/**
 * In a fixed order, so that two instances that take marks of the same agents wait for each other instead of
 * deadlocking.
 */
async function takeMarks(database: Database, tx: Transaction, limit: number): Promise<number> {
  const first = 'SELECT id FROM agent_profile_marks ORDER BY id LIMIT $1'
  const taken = await sqlOf(tx).all<{ agent_url: string }>(
    `DELETE FROM agent_profile_marks WHERE ${amongLocked('id', first)} RETURNING agent_url`,
    [limit],
  )
  const now = await tx.now()
  const agents = [...new Set(taken.map(({ agent_url }) => agent_url))].sort()
  await insertRows(database, sqlOf(tx), {
    table: 'agent_profiles',
    columns: INSERTED,
    rows: agents.map((url) => [url, siteOf(new URL(url).hostname), ...EMPTY, 1, now, 0, now]),
    suffix: `ON CONFLICT (agent_url) DO UPDATE SET dirty = agent_profiles.dirty + 1, due_at = excluded.due_at`,
  })
  return taken.length
}

type Conditions = ReturnType<typeof createConditions>

/** The rows by which organisations list an agent, as far as the reader may see them; the first one is used. */
function seenBy(conditions: Conditions, { isMember, organizationId }: DirectoryReader) {
  const visibility = isMember ? `m.visibility <> 'private'` : `m.visibility = 'public'`
  const own =
    organizationId === undefined
      ? ''
      : ` OR m.organization_id = ${conditions.param(organizationId)}`
  return (column: string) =>
    `(SELECT ${column} FROM member_agents m WHERE m.url = p.agent_url AND (${visibility}${own})
      ORDER BY m.created_at, m.organization_id LIMIT 1)`
}

function listingOf(seen: (column: string) => string): string {
  return `${seen('m.type')} AS type, ${seen('m.name')} AS name, ${seen('m.updated_at')} AS listed_at`
}

async function search(
  { read }: Database,
  { reader, type, has_tmp, min_properties, lists, after, limit }: ProfileQuery,
): ReturnType<ProfileStore['search']> {
  const conditions = createConditions()
  const place = after
    ? `WHERE (rank < ${conditions.param(after.rank)} OR (rank = $1 AND agent_url > ${conditions.param(after.agent_url)}))`
    : ''
  const window = `SELECT * FROM agent_profiles ${place} ORDER BY rank DESC, agent_url LIMIT ${LOOKED_AT}`
  const windowParams = [...conditions.params]
  const seen = seenBy(conditions, reader)
  conditions.add(`(p.publisher_count > 0 OR EXISTS ${seen('1')})`)
  if (has_tmp !== undefined) conditions.add(`p.has_tmp = ${has_tmp ? 1 : 0}`)
  conditions.is('p.property_count >=', min_properties)
  conditions.is(`coalesce(${seen('m.type')}, 'unknown') =`, type)
  for (const name of LISTS) conditions.overlaps(`p.${name}`, lists[name])
  const rows = await read.all<FoundRow>(
    `SELECT ${COLUMNS}, ${listingOf(seen)} FROM (${window}) AS p${conditions.where()}
     ORDER BY p.rank DESC, p.agent_url LIMIT ${conditions.param(limit)}`,
    conditions.params,
  )
  const found = rows.map(foundOf)
  if (found.length >= limit) return { found, lookedTo: undefined }
  const last = await read.get<{ rank: number; agent_url: string }>(
    `SELECT rank, agent_url FROM (${window}) AS p ORDER BY rank DESC, agent_url LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
    windowParams,
  )
  return { found, lookedTo: last && { ...last } }
}

async function sold(
  { read }: Database,
  {
    agentUrl,
    after,
    limit,
  }: { agentUrl: string } & {
    after: { publisher_domain: string; id: string } | undefined
    limit: number
  },
): Promise<SoldProperties[]> {
  const rows = await read.all<{
    id: string
    publisher_domain: string
    file_id: string
    property_ids: string
    terms: string
  }>(
    `SELECT id, publisher_domain, file_id, property_ids, terms FROM authorizations
     WHERE agent_url = $1 AND status = 'live' AND (publisher_domain, id) > ($2, $3)
     ORDER BY publisher_domain, id LIMIT $4`,
    [agentUrl, after?.publisher_domain ?? '', after?.id ?? '', limit],
  )
  if (rows.length === 0) return []
  const properties = await read.all<{
    publisher_domain: string
    file_id: string
    property_id: string
    property_type: string
    tags: string
  }>(
    `SELECT p.publisher_domain, p.file_id, p.property_id, p.property_type, p.tags FROM publisher_file_properties p
     JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
     WHERE ${isIn('p.publisher_domain', 1)} AND ${isIn('p.file_id', 2)} ORDER BY p.file_id, p.n`,
    [
      listed([...new Set(rows.map(({ publisher_domain }) => publisher_domain))]),
      listed([...new Set(rows.map(({ file_id }) => file_id))]),
    ],
  )
  const known = new Map<string, Map<string, (typeof properties)[number]>>()
  for (const property of properties) {
    const key = `${property.file_id} ${property.publisher_domain}`
    const own = known.get(key) ?? new Map()
    own.set(property.property_id, property)
    known.set(key, own)
  }
  return rows.map(({ id, publisher_domain, file_id, property_ids, terms }) => {
    const own = known.get(`${file_id} ${publisher_domain}`)
    const ids = JSON.parse(property_ids) as string[]
    return {
      id,
      publisher_domain,
      terms: JSON.parse(terms) as Terms,
      properties: ids
        .flatMap((one) => own?.get(one) ?? [])
        .map(({ property_id, property_type, tags }) => ({
          property_id,
          property_type,
          tags: JSON.parse(tags) as string[],
        })),
    }
  })
}

function foundOf({ type, name, listed_at, ...row }: FoundRow): FoundProfile {
  return {
    profile: profileOf(row),
    listing: type === null ? undefined : { type, name, updated_at: listed_at ?? 0 },
  }
}

function profileOf(row: Row): AgentProfile {
  return {
    agent_url: row.agent_url,
    channels: JSON.parse(row.channels) as string[],
    property_types: JSON.parse(row.property_types) as string[],
    markets: JSON.parse(row.markets) as string[],
    categories: JSON.parse(row.categories) as string[],
    category_taxonomy: null,
    tags: JSON.parse(row.tags) as string[],
    delivery_types: JSON.parse(row.delivery_types) as string[],
    format_ids: [],
    format_kinds: [],
    property_count: row.property_count,
    publisher_count: row.publisher_count,
    has_tmp: row.has_tmp === 1,
    counts_by_type: JSON.parse(row.counts_by_type) as Record<string, number>,
    publishers: JSON.parse(row.publishers) as string[],
    rank: row.rank,
    updated_at: row.updated_at,
  }
}
