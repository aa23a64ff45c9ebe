// The catalogue of properties in SQL. Lists walk one index each, and read the identifiers of a page in one query.

import { isStorable } from '../../../lib/storable-text.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import type { PropertyIdentifier } from '../../../protocol/adagents/file-model.ts'
import type { CatalogProperty, LinkedIdentifier } from '../../../registry/catalog/property.ts'
import type {
  CatalogEntry,
  CatalogFilter,
  CatalogStore,
  IdentifierLink,
} from '../../../registry/catalog/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, type Queryable, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed, rowsOf } from '../../sql/lists.ts'
import { amongLocked, FOR_UPDATE } from '../../sql/locks.ts'
import { AFTER_PREFIX } from '../references/search.ts'

const COLUMNS = [
  'property_rid',
  'publisher_domain',
  'property_id',
  'property_type',
  'name',
  'source',
  'status',
  'adagents_url',
  'created_by',
  'resolved_at',
  'created_at',
  'updated_at',
  'source_updated_at',
] as const
const READ = COLUMNS.map((name) => `p.${name}`).join(', ')

export function createCatalogStore(database: Database): CatalogStore {
  return { ...changes(database), ...marks(database), ...reads(database) }
}

function marks(database: Database): Pick<CatalogStore, 'mark' | 'lock' | 'takeMarked'> {
  return {
    mark: async (tx, publishers) => {
      await insertRows(database, sqlOf(tx), {
        table: 'catalog_marks',
        columns: ['publisher_domain'],
        rows: publishers.map((publisher) => [publisher]),
      })
    },
    lock: async (tx) => {
      await sqlOf(tx).get(`SELECT id FROM catalog_lock WHERE id = 1 ${FOR_UPDATE}`)
    },
    takeMarked: async (tx, limit) => {
      const first = 'SELECT id FROM catalog_marks ORDER BY id LIMIT $1'
      const taken = await sqlOf(tx).all<{ publisher_domain: string }>(
        `DELETE FROM catalog_marks WHERE ${amongLocked('id', first)} RETURNING publisher_domain`,
        [limit],
      )
      return [...new Set(taken.map(({ publisher_domain }) => publisher_domain))]
    },
  }
}

function changes(
  database: Database,
): Pick<CatalogStore, 'put' | 'link' | 'unlink' | 'merge' | 'touch'> {
  const changed = COLUMNS.filter((name) => name !== 'property_rid' && name !== 'created_at')
  return {
    put: async (tx, properties) => {
      await insertRows(database, sqlOf(tx), {
        table: 'catalog_properties',
        columns: COLUMNS,
        rows: properties.map((property) => COLUMNS.map((name) => property[name])),
        suffix: `ON CONFLICT (property_rid) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      })
    },
    link: async (tx, links) => {
      await insertRows(database, sqlOf(tx), {
        table: 'catalog_identifiers',
        columns: ['type', 'value', 'property_rid', 'confidence'],
        rows: links.map(({ type, value, property_rid, confidence }) => [
          type,
          value,
          property_rid,
          confidence,
        ]),
        suffix: `ON CONFLICT (type, value) DO UPDATE SET
          property_rid = excluded.property_rid, confidence = excluded.confidence`,
      })
    },
    unlink: async (tx, identifiers) => {
      const rows = rowsOf({ type: 'TEXT', value: 'TEXT' })
      await sqlOf(tx).run(
        `DELETE FROM catalog_identifiers WHERE EXISTS (SELECT 1 FROM ${rows} AS g
           WHERE g.type = catalog_identifiers.type AND g.value = catalog_identifiers.value)`,
        [parameterOf(identifiers)],
      )
    },
    merge: async (tx, { alias_rid, canonical_rid, evidence }) => {
      const sql = sqlOf(tx)
      const both = [canonical_rid, alias_rid]
      await sql.run(
        'UPDATE catalog_identifiers SET property_rid = $1 WHERE property_rid = $2',
        both,
      )
      await sql.run('UPDATE catalog_aliases SET canonical_rid = $1 WHERE canonical_rid = $2', both)
      await sql.run('DELETE FROM catalog_properties WHERE property_rid = $1', [alias_rid])
      await sql.run(
        `INSERT INTO catalog_aliases (alias_rid, canonical_rid, evidence, merged_at) VALUES ($1, $2, $3, $4)`,
        [alias_rid, canonical_rid, evidence, await tx.now()],
      )
    },
    touch: async (tx, rids) => {
      if (rids.length === 0) return
      await sqlOf(tx).run(
        `UPDATE catalog_properties SET resolved_at = $2 WHERE ${isIn('property_rid', 1)}`,
        [listed(rids), await tx.now()],
      )
    },
  }
}

function reads(
  database: Database,
): Omit<CatalogStore, keyof ReturnType<typeof changes> | keyof ReturnType<typeof marks>> {
  const { dialect, read } = database
  return {
    ofPublisher: async (tx, domain) =>
      withIdentifiers(
        sqlOf(tx),
        await sqlOf(tx).all<CatalogProperty>(
          `SELECT ${READ} FROM catalog_properties p WHERE p.publisher_domain = $1`,
          [domain],
        ),
      ),
    byIdentifiers: (identifiers, tx) => byIdentifiers(database, identifiers, tx),
    unresolved: async (tx, before, limit) =>
      withIdentifiers(
        sqlOf(tx),
        await sqlOf(tx).all<CatalogProperty>(
          `SELECT ${READ} FROM catalog_properties p
           WHERE p.source = 'contributed' AND p.status = 'active' AND p.resolved_at < $1
           ORDER BY p.resolved_at LIMIT $2`,
          [before, limit],
        ),
      ),
    contributed: async (tx, organizationId) =>
      (
        await sqlOf(tx).get<{ n: number }>(
          'SELECT count(*) AS n FROM catalog_properties WHERE created_by = $1',
          [organizationId],
        )
      )?.n ?? 0,
    get: async (rid) => {
      if (!isStorable(rid)) return undefined
      const rows = await read.all<CatalogProperty>(
        `SELECT ${READ} FROM catalog_properties p WHERE p.property_rid = coalesce(
           (SELECT canonical_rid FROM catalog_aliases WHERE alias_rid = $1), $1)`,
        [rid],
      )
      return (await withIdentifiers(read, rows))[0]
    },
    list: async ({ filter, after, limit }) => {
      const conditions = conditionsOf(filter)
      conditions.is('p.property_rid >', after)
      const rows = await read.all<CatalogProperty>(
        `SELECT ${READ} FROM catalog_properties p${conditions.where()}
         ORDER BY p.property_rid LIMIT ${conditions.param(limit)}`,
        conditions.params,
      )
      return withIdentifiers(read, rows)
    },
    count: async (filter, most) => {
      const conditions = conditionsOf(filter)
      const row = await read.get<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM catalog_properties p${conditions.where()} LIMIT ${most}) AS counted`,
        conditions.params,
      )
      return row?.n ?? 0
    },
    changed: async ({ since, after, limit }) => {
      const from = after ?? { updated_at: since, property_rid: '' }
      return read.all<CatalogProperty>(
        `SELECT ${READ} FROM catalog_properties p WHERE (p.updated_at, p.property_rid) > ($1, $2)
         ORDER BY p.updated_at, p.property_rid LIMIT ${dialect === 'sqlite' ? '$3' : 'CAST($3 AS INTEGER)'}`,
        [from.updated_at, from.property_rid, limit],
      )
    },
  }
}

function conditionsOf({ source, status, identifier_type, search }: CatalogFilter) {
  const conditions = createConditions()
  conditions.is('p.source =', source)
  conditions.is('p.status =', status)
  if (identifier_type === undefined && search === undefined) return conditions
  const of = createConditions()
  of.params.push(...conditions.params)
  of.add('i.property_rid = p.property_rid')
  of.is('i.type =', identifier_type)
  if (search !== undefined) {
    of.is('i.value >=', search)
    of.is('i.value <', search + AFTER_PREFIX)
  }
  conditions.params.push(...of.params.slice(conditions.params.length))
  conditions.add(`EXISTS (SELECT 1 FROM catalog_identifiers i${of.where()})`)
  return conditions
}

async function byIdentifiers(
  { read }: Database,
  identifiers: Parameters<CatalogStore['byIdentifiers']>[0],
  tx?: Transaction,
): Promise<IdentifierLink[]> {
  if (identifiers.length === 0) return []
  const rows = await (tx ? sqlOf(tx) : read).all<CatalogProperty & LinkedIdentifier>(
    `SELECT DISTINCT i.type, i.value, i.confidence, ${READ}
     FROM ${rowsOf({ type: 'TEXT', value: 'TEXT' })} AS g
     JOIN catalog_identifiers i ON i.type = g.type AND i.value = g.value
     JOIN catalog_properties p ON p.property_rid = i.property_rid`,
    [parameterOf(identifiers)],
  )
  return rows.map(({ type, value, confidence, ...property }) => ({
    type,
    value,
    confidence,
    property,
  }))
}

/** Those that no database can store match no row. */
function parameterOf(identifiers: readonly PropertyIdentifier[]): string {
  const asked = identifiers.filter(({ type, value }) => isStorable(type) && isStorable(value))
  return JSON.stringify(asked.map(({ type, value }) => ({ type, value })))
}

async function withIdentifiers(
  sql: Queryable | Database['read'],
  rows: readonly CatalogProperty[],
): Promise<CatalogEntry[]> {
  if (rows.length === 0) return []
  const found = await sql.all<LinkedIdentifier & { property_rid: string }>(
    `SELECT property_rid, type, value, confidence FROM catalog_identifiers
     WHERE ${isIn('property_rid', 1)} ORDER BY type, value`,
    [listed(rows.map(({ property_rid }) => property_rid))],
  )
  const of = new Map<string, LinkedIdentifier[]>()
  for (const { property_rid, ...identifier } of found) {
    of.set(property_rid, [...(of.get(property_rid) ?? []), identifier])
  }
  return rows.map((row) => ({ ...row, identifiers: of.get(row.property_rid) ?? [] }))
}
