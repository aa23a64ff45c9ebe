// Files of publishers in SQL. The contents of a version are written in parts next to those of the version in use; one
// statement then switches the version, and what is left of other versions is deleted in parts.

import { namedUuid } from '../../../lib/named-uuid.ts'
import type { FileEntry, FileProperty } from '../../../protocol/adagents/file-model.ts'
import type {
  FileHead,
  FileStore,
  FileVersion,
  StoredFile,
  StoredProperty,
} from '../../../registry/authorizations/store.ts'
import { type Database, type SqlValue, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'

/** Maximum number of files naming one publisher that are examined. */
const NAMING_FILES = 5

type FileRow = Omit<StoredFile, 'contact' | 'counts' | 'faults'> & {
  contact: string | null
  counts: string
  faults: string
}

export interface PropertyRow extends Omit<StoredProperty, 'identifiers' | 'tags'> {
  identifiers: string
  tags: string
}

export const PROPERTY_COLUMNS = `p.file_id, p.n, p.publisher_domain, p.property_id, p.property_type, p.name,
  p.identifiers, p.tags, p.entry`

export function propertyOf(row: PropertyRow): StoredProperty {
  return {
    ...row,
    identifiers: JSON.parse(row.identifiers) as StoredProperty['identifiers'],
    tags: JSON.parse(row.tags) as string[],
  }
}

export function fileId(url: string): string {
  return namedUuid(`publisher file ${url}`)
}

export function createFileStore(database: Database): FileStore {
  const { read } = database
  return {
    ...newVersions(database),
    ...currentParts(),
    get: async (id) => {
      const row = await read.get<FileRow>('SELECT * FROM publisher_files WHERE id = $1', [id])
      return row && storedFile(row)
    },
    touch: async (tx, id, now) => {
      await sqlOf(tx).run(
        'UPDATE publisher_files SET verified_at = $2, checked_at = $2 WHERE id = $1',
        [id, now],
      )
    },
    applied: async (tx, { id, version }) => {
      await sqlOf(tx).run('UPDATE publisher_files SET applied_version = $2 WHERE id = $1', [
        id,
        version,
      ])
    },
    unapplied: (limit) =>
      read.all<FileVersion>(
        'SELECT id, version FROM publisher_files WHERE applied_version < version ORDER BY id LIMIT $1',
        [limit],
      ),
    publishers: async (id, { after, limit }) => {
      const rows = await read.all<{ domain: string }>(
        `SELECT domain FROM (
           SELECT publisher_domain AS domain FROM publisher_file_properties
             WHERE file_id = $1 AND publisher_domain > $2
           UNION SELECT domain FROM crawl_domains WHERE file_id = $1 AND domain > $2
           UNION SELECT publisher_domain FROM authorizations WHERE file_id = $1 AND publisher_domain > $2
           UNION SELECT publisher_domain FROM publisher_file_revocations WHERE file_id = $1 AND publisher_domain > $2
         ) AS found ORDER BY domain LIMIT $3`,
        [id, after, limit],
      )
      return rows.map(({ domain }) => domain)
    },
  }
}

/** Writes the parts of a version, switches to it, and deletes what is left of others. */
function newVersions(
  database: Database,
): Pick<
  FileStore,
  'begin' | 'addProperties' | 'addEntries' | 'addRevocations' | 'finish' | 'dropOthers'
> {
  return {
    begin: async (tx, url) => {
      const id = fileId(url)
      await sqlOf(tx).run(
        `INSERT INTO publisher_files (id, url, host, version, applied_version, bytes, property_count, entry_count, counts,
           faults, total_faults, verified_at, checked_at) VALUES ($1, $2, $3, 0, 0, 0, 0, 0, '{}', '[]', 0, 0, 0)
         ON CONFLICT (id) DO NOTHING`,
        [id, url, new URL(url).hostname],
      )
      // Above every version that has parts, finished or not.
      const row = await sqlOf(tx).get<{ version: number; written: number | null }>(
        `SELECT version, (SELECT max(version) FROM publisher_file_properties WHERE file_id = $1) AS written
         FROM publisher_files WHERE id = $1`,
        [id],
      )
      return { id, version: Math.max(row?.version ?? 0, row?.written ?? 0) + 1 }
    },
    addProperties: (tx, file, properties) => addProperties(database, { tx, file, properties }),
    addEntries: async (tx, { id, version }, entries) => {
      await insertRows(database, sqlOf(tx), {
        table: 'publisher_file_entries',
        columns: ['file_id', 'version', 'n', 'entry'],
        rows: entries.map((entry) => [id, version, entry.n, JSON.stringify(entry)]),
        suffix: 'ON CONFLICT DO NOTHING',
      })
    },
    addRevocations: async (tx, { id, version }, revoked) => {
      await insertRows(database, sqlOf(tx), {
        table: 'publisher_file_revocations',
        columns: ['file_id', 'version', 'publisher_domain', 'revoked_at', 'reason'],
        rows: revoked.map((one) => [id, version, one.publisher_domain, one.revoked_at, one.reason]),
        suffix: 'ON CONFLICT DO NOTHING',
      })
    },
    finish: async (tx, { id, version }, head) => {
      const members = Object.entries(headRow(head))
      const sets = members.map(([name], index) => `${name} = $${index + 3}`)
      await sqlOf(tx).run(
        `UPDATE publisher_files SET version = $2, ${sets.join(', ')} WHERE id = $1`,
        [id, version, ...members.map(([, value]) => value)],
      )
    },
    dropOthers: (tx, id) => dropOthers(sqlOf(tx), id),
  }
}

/** What the versions in use say, within a transaction. */
function currentParts(): Pick<
  FileStore,
  'entries' | 'propertiesOf' | 'naming' | 'versions' | 'revokedBy'
> {
  return {
    entries: async (tx, { id, version }) => {
      const rows = await sqlOf(tx).all<{ entry: string }>(
        'SELECT entry FROM publisher_file_entries WHERE file_id = $1 AND version = $2 ORDER BY n',
        [id, version],
      )
      return rows.map(({ entry }) => JSON.parse(entry) as FileEntry)
    },
    propertiesOf: async (tx, files, publishers) => {
      if (files.length === 0 || publishers.length === 0) return []
      const rows = await sqlOf(tx).all<PropertyRow>(
        `SELECT ${PROPERTY_COLUMNS} FROM publisher_file_properties p
         JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
         WHERE ${isIn('p.publisher_domain', 1)} AND ${isIn('p.file_id', 2)}
         ORDER BY p.file_id, p.n`,
        [listed(publishers), listed(files)],
      )
      return rows.map(propertyOf)
    },
    naming: (tx, publishers) =>
      sqlOf(tx).all(
        `SELECT publisher_domain, file_id FROM (
           SELECT publisher_domain, file_id,
             row_number() OVER (PARTITION BY publisher_domain ORDER BY file_id) AS place
           FROM (SELECT DISTINCT p.publisher_domain, p.file_id FROM publisher_file_properties p
                 JOIN publisher_files f ON f.id = p.file_id AND f.version = p.version
                 WHERE ${isIn('p.publisher_domain', 1)}) AS named) AS placed
         WHERE place <= ${NAMING_FILES} ORDER BY publisher_domain, file_id`,
        [listed(publishers)],
      ),
    versions: (tx, ids) =>
      sqlOf(tx).all(`SELECT id, version, host FROM publisher_files WHERE ${isIn('id', 1)}`, [
        listed(ids),
      ]),
    revokedBy: (tx, files, publishers) =>
      sqlOf(tx).all(
        `SELECT r.file_id, r.publisher_domain, r.revoked_at, r.reason FROM publisher_file_revocations r
         JOIN publisher_files f ON f.id = r.file_id AND f.version = r.version
         WHERE ${isIn('r.file_id', 1)} AND ${isIn('r.publisher_domain', 2)}`,
        [listed(files), listed(publishers)],
      ),
  }
}

async function addProperties(
  database: Database,
  {
    tx,
    file: { id, version },
    properties,
  }: {
    tx: Parameters<FileStore['addProperties']>[0]
    file: FileVersion
    properties: readonly FileProperty[]
  },
): Promise<void> {
  await insertRows(database, sqlOf(tx), {
    table: 'publisher_file_properties',
    columns: [
      'file_id',
      'version',
      'n',
      'publisher_domain',
      'property_id',
      'property_type',
      'name',
      'identifiers',
      'tags',
      'entry',
    ],
    rows: properties.map((property) => [
      id,
      version,
      property.n,
      property.publisher_domain,
      property.property_id,
      property.property_type,
      property.name,
      JSON.stringify(property.identifiers),
      JSON.stringify(property.tags),
      property.entry,
    ]),
    suffix: 'ON CONFLICT DO NOTHING',
  })
  await insertRows(database, sqlOf(tx), {
    table: 'publisher_file_identifiers',
    columns: ['type', 'value', 'file_id', 'version', 'n'],
    rows: properties.flatMap(({ n, identifiers }) =>
      identifiers.map(({ type, value }): SqlValue[] => [type, value, id, version, n]),
    ),
    suffix: 'ON CONFLICT DO NOTHING',
  })
}

const PARTS = [
  'publisher_file_properties',
  'publisher_file_identifiers',
  'publisher_file_entries',
  'publisher_file_revocations',
]

async function dropOthers(tx: ReturnType<typeof sqlOf>, id: string): Promise<number> {
  for (const table of PARTS) {
    const dropped = await tx.run(
      `DELETE FROM ${table} WHERE file_id = $1 AND version IN (
         SELECT DISTINCT o.version FROM ${table} o JOIN publisher_files f ON f.id = o.file_id
         WHERE o.file_id = $1 AND o.version < f.version ORDER BY o.version LIMIT 1)`,
      [id],
    )
    if (dropped > 0) return dropped
  }
  return 0
}

function headRow(head: FileHead): Record<string, SqlValue> {
  return {
    etag: head.etag,
    last_modified: head.last_modified,
    digest: head.digest,
    bytes: head.bytes,
    property_count: head.property_count,
    entry_count: head.entry_count,
    last_updated: head.last_updated,
    contact: head.contact === null ? null : JSON.stringify(head.contact),
    counts: JSON.stringify(head.counts),
    faults: JSON.stringify(head.faults),
    total_faults: head.total_faults,
    verified_at: head.verified_at,
    checked_at: head.checked_at,
  }
}

function storedFile(row: FileRow): StoredFile {
  return {
    ...row,
    contact: row.contact === null ? null : (JSON.parse(row.contact) as StoredFile['contact']),
    counts: JSON.parse(row.counts) as StoredFile['counts'],
    faults: JSON.parse(row.faults) as StoredFile['faults'],
  }
}
