// Brands in SQL: the best reference of a domain, and what verification stored of its brand.json.

import { isStorable } from '../../../lib/storable-text.ts'
import type { BrandIdentity } from '../../../registry/brands/brand-identity.ts'
import type {
  BrandRecord,
  BrandStore,
  NamingHouse,
  VerifiedBrand,
} from '../../../registry/brands/store.ts'
import type { Database, Queryable } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { RANKING } from '../references/best-reference.ts'

interface BrandRow {
  domain: string
  title: string | null
  agent_url: string | null
  last_verified_at: number
  url: string | null
  variant: string
  identity: string
  document: string | null
}

/** A house is free to name any domain, so that many may name one. */
const HOUSES_OF_DOMAIN = 20

/** The condition of the index on valid ones. */
const VALID = `manifest_type = 'brand.json' AND verification_status = 'valid'`

const COLUMNS = 'r.domain, r.title, r.agent_url, r.last_verified_at, b.url, b.variant, b.identity'
const JOINED = 'manifest_references r LEFT JOIN verified_brands b ON b.reference_id = r.id'

function bestOf(domain: string): string {
  return `SELECT id FROM manifest_references WHERE domain = ${domain} AND ${VALID} ORDER BY ${RANKING} LIMIT 1`
}

/** The rows of the list in parameter `$1`, in a column `value`. */
function listOf(dialect: Database['dialect']): string {
  if (dialect === 'sqlite') return '(SELECT value FROM json_each($1))'
  return '(SELECT value FROM json_array_elements_text(CAST($1 AS json)) AS t (value))'
}

export function createBrandStore({ dialect, read }: Database): BrandStore {
  return {
    get: async (domain) => {
      if (!isStorable(domain)) return undefined
      const row = await read.get<BrandRow>(
        `SELECT ${COLUMNS}, b.document FROM ${JOINED} WHERE r.id = (${bestOf('$1')})`,
        [domain],
      )
      return row && recordOf(row)
    },
    identities: async (domains) => {
      const rows = await read.all<BrandRow>(
        `SELECT ${COLUMNS}, NULL AS document FROM ${JOINED}
         WHERE r.id IN (SELECT (${bestOf('d.value')}) FROM ${listOf(dialect)} AS d)`,
        [listed(domains)],
      )
      return new Map(rows.map((row) => [row.domain, recordOf(row)]))
    },
    housesNaming: async (domains) =>
      domains.length === 0
        ? []
        : read.all<NamingHouse>(
            `SELECT domain, house_domain, first_seen_at FROM (
               SELECT h.domain, h.house_domain, min(h.first_seen_at) AS first_seen_at,
                 row_number() OVER (PARTITION BY h.domain ORDER BY h.house_domain) AS place
               FROM house_references h
               JOIN manifest_references r ON r.id = h.reference_id AND ${VALID}
               WHERE ${isIn('h.domain', 1)} GROUP BY h.domain, h.house_domain) AS named
             WHERE place <= ${HOUSES_OF_DOMAIN} ORDER BY domain, house_domain`,
            [listed(domains)],
          ),
    domains: async ({ limit, offset }) => {
      const rows = await read.all<{ domain: string }>(
        `SELECT DISTINCT domain FROM manifest_references WHERE ${VALID} ORDER BY domain LIMIT $1 OFFSET $2`,
        [limit, offset],
      )
      return rows.map(({ domain }) => domain)
    },
    stats: async () => {
      const domains = (condition: string) =>
        `count(DISTINCT CASE WHEN ${condition} THEN domain END)`
      const row = await read.get<
        Record<'total' | 'houses' | 'sub_brands' | 'with_manifest', number>
      >(
        `SELECT ${domains('1 = 1')} AS total, ${domains('is_house = 1')} AS houses,
           ${domains('is_sub_brand = 1')} AS sub_brands, ${domains('b.document IS NOT NULL')} AS with_manifest
         FROM manifest_references LEFT JOIN verified_brands b ON b.reference_id = id WHERE ${VALID}`,
      )
      if (!row) throw new Error('an aggregate always has a row')
      return { ...row }
    },
  }
}

function recordOf({
  domain,
  title,
  agent_url,
  last_verified_at: verified_at,
  url,
  variant,
  identity,
  document,
}: BrandRow): BrandRecord {
  const record = { domain, title, agent_url, source: 'brand_json' as const, verified_at }
  if (url === null) return record
  const manifest = { url, variant, identity: JSON.parse(identity) as BrandIdentity, document }
  return { ...record, manifest }
}

/** Stores what a verification found, in its transaction; if it found nothing, deletes what an earlier one stored. */
export async function keepBrand(
  tx: Queryable,
  { referenceId, now }: { referenceId: string; now: number },
  brand: VerifiedBrand | undefined,
): Promise<void> {
  await keepHouse(tx, { referenceId, now }, brand?.identity.house)
  await tx.run('DELETE FROM verified_brands WHERE reference_id = $1', [referenceId])
  if (!brand) return
  const { url, variant, identity, document } = brand
  await tx.run(
    `INSERT INTO verified_brands (reference_id, url, variant, identity, is_house, is_sub_brand, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      referenceId,
      url,
      variant,
      JSON.stringify(identity),
      identity.house === undefined ? 0 : 1,
      identity.keller_type === 'sub_brand' ? 1 : 0,
      document,
    ],
  )
}

/** A domain that the house still names keeps the time since when it does. */
async function keepHouse(
  tx: Queryable,
  { referenceId, now }: { referenceId: string; now: number },
  house: BrandIdentity['house'],
): Promise<void> {
  const named = [...new Set(house?.brand_refs.map(({ domain }) => domain))]
  const before = await tx.all<{ domain: string }>(
    'SELECT domain FROM house_references WHERE reference_id = $1',
    [referenceId],
  )
  for (const { domain } of before) {
    if (named.includes(domain)) continue
    await tx.run('DELETE FROM house_references WHERE reference_id = $1 AND domain = $2', [
      referenceId,
      domain,
    ])
  }
  if (!house) return
  for (const domain of named) {
    await tx.run(
      `INSERT INTO house_references (reference_id, domain, house_domain, first_seen_at)
       VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [referenceId, domain, house.domain, now],
    )
  }
}
