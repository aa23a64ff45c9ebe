// Copies of other registries, in SQL.

import type { Replica, ReplicaRow, ReplicaStore } from '../../../registry/replica/store.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { insertRows } from '../../sql/insert-rows.ts'
import { isIn, listed } from '../../sql/lists.ts'

interface Row extends Omit<ReplicaRow, 'body'> {
  url: string
  body: string
}

const COLUMNS = `url, phase, generation, snapshot_after, cursor, rows_read, events_read, in_step_at, updated_at`
const SWEPT_AT_ONCE = 1_000

export function createReplicaStore(database: Database): ReplicaStore {
  const { read } = database
  return {
    ...replicaRows(database),
    list: () => read.all<Replica>(`SELECT ${COLUMNS} FROM registry_replicas ORDER BY url`, []),
    get: (url) =>
      read.get<Replica>(`SELECT ${COLUMNS} FROM registry_replicas WHERE url = $1`, [url]),
    lock: async (tx, url) => {
      await sqlOf(tx).lock(`replica ${url}`)
      await sqlOf(tx).run(
        `INSERT INTO registry_replicas (${COLUMNS}) VALUES ($1, 'snapshot', 1, '', NULL, 0, 0, 0, $2)
         ON CONFLICT (url) DO NOTHING`,
        [url, await tx.now()],
      )
      const row = await sqlOf(tx).get<Replica>(
        `SELECT ${COLUMNS} FROM registry_replicas WHERE url = $1`,
        [url],
      )
      return row as Replica
    },
    save: async (tx, replica) => {
      await sqlOf(tx).run(
        `UPDATE registry_replicas SET phase = $2, generation = $3, snapshot_after = $4, cursor = $5, rows_read = $6,
           events_read = $7, in_step_at = $8, updated_at = $9 WHERE url = $1`,
        [
          replica.url,
          replica.phase,
          replica.generation,
          replica.snapshot_after,
          replica.cursor,
          replica.rows_read,
          replica.events_read,
          replica.in_step_at,
          replica.updated_at,
        ],
      )
    },
    forget: async (tx, url) => {
      const dropped = await sqlOf(tx).run(
        `DELETE FROM replica_rows WHERE url = $1 AND (kind, id) IN (
           SELECT kind, id FROM replica_rows WHERE url = $1 LIMIT ${SWEPT_AT_ONCE})`,
        [url],
      )
      if (dropped === 0) await sqlOf(tx).run('DELETE FROM registry_replicas WHERE url = $1', [url])
      return dropped
    },
  }
}

/** The rows of each copy. */
function replicaRows(
  database: Database,
): Pick<ReplicaStore, 'put' | 'remove' | 'sweep' | 'some' | 'rows' | 'ofPairs'> {
  const { read } = database
  return {
    put: async (tx, { url, generation }, rows) => {
      await insertRows(database, sqlOf(tx), {
        table: 'replica_rows',
        columns: ['url', 'kind', 'id', 'agent_url', 'publisher_domain', 'body', 'generation'],
        rows: rows.map((row) => [
          url,
          row.kind,
          row.id,
          row.agent_url,
          row.publisher_domain,
          JSON.stringify(row.body),
          generation,
        ]),
        suffix: `ON CONFLICT (url, kind, id) DO UPDATE SET agent_url = excluded.agent_url,
          publisher_domain = excluded.publisher_domain, body = excluded.body, generation = excluded.generation`,
      })
    },
    remove: async (tx, url, keys) => {
      for (const [kind, ids] of byKind(keys)) {
        await sqlOf(tx).run(
          `DELETE FROM replica_rows WHERE url = $1 AND kind = $2 AND ${isIn('id', 3)}`,
          [url, kind, listed(ids)],
        )
      }
    },
    sweep: (tx, { url, generation }) =>
      sqlOf(tx).run(
        `DELETE FROM replica_rows WHERE url = $1 AND kind = 'authorization' AND id IN (
           SELECT id FROM replica_rows WHERE url = $1 AND kind = 'authorization' AND generation < $2
           LIMIT ${SWEPT_AT_ONCE})`,
        [url, generation],
      ),
    some: async (tx, url, keys) => {
      const rows: Row[] = []
      for (const [kind, ids] of byKind(keys)) {
        rows.push(
          ...(await sqlOf(tx).all<Row>(
            `SELECT url, kind, id, agent_url, publisher_domain, body FROM replica_rows
             WHERE url = $1 AND kind = $2 AND ${isIn('id', 3)}`,
            [url, kind, listed(ids)],
          )),
        )
      }
      return rows.map(rowOf)
    },
    rows: async (url, { after, limit }) => {
      const rows = await read.all<Row>(
        `SELECT url, kind, id, agent_url, publisher_domain, body FROM replica_rows
         WHERE url = $1 AND (kind, id) > ($2, $3) ORDER BY kind, id LIMIT $4`,
        [url, after.kind, after.id, limit],
      )
      return rows.map(rowOf)
    },
    ofPairs: async (pairs) => {
      const wanted = new Set(pairs.map((one) => `${one.publisher_domain} ${one.agent_url}`))
      const rows = await read.all<Row>(
        `SELECT url, kind, id, agent_url, publisher_domain, body FROM replica_rows
         WHERE ${isIn('publisher_domain', 1)} AND ${isIn('agent_url', 2)} AND kind = 'authorization'`,
        [
          listed([...new Set(pairs.map((one) => one.publisher_domain))]),
          listed([...new Set(pairs.map((one) => one.agent_url))]),
        ],
      )
      return rows
        .filter((row) => wanted.has(`${row.publisher_domain} ${row.agent_url}`))
        .map((row) => ({ ...rowOf(row), url: row.url }))
    },
  }
}

function byKind(keys: readonly { kind: string; id: string }[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { kind, id } of keys) {
    const ids = groups.get(kind)
    if (ids) ids.push(id)
    else groups.set(kind, [id])
  }
  return groups
}

function rowOf({ url: _, body, ...row }: Row): ReplicaRow {
  return { ...row, body: JSON.parse(body) as Record<string, unknown> }
}
