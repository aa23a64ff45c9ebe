// The notes of a sandbox in SQL.

import type { Note, NoteKey, SandboxStore } from '../../../sandbox/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'

interface Row extends NoteKey {
  note: string
  noted_at: number
}

const COLUMNS = 'owner, kind, name, note, noted_at'

export function createSandboxStore({ read }: Database): SandboxStore {
  return {
    lock: async (tx, { owner, kind, name }) => {
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM sandbox_notes WHERE owner = $1 AND kind = $2 AND name = $3
         ${FOR_UPDATE}`,
        [owner, kind, name],
      )
      return row && noteOf(row)
    },
    put: async (tx, { owner, kind, name }, value) => {
      await sqlOf(tx).run(
        `INSERT INTO sandbox_notes (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (owner, kind, name) DO UPDATE SET note = excluded.note,
           noted_at = excluded.noted_at`,
        [owner, kind, name, JSON.stringify(value), await tx.now()],
      )
    },
    take: async (tx, { owner, kind, name }) => {
      const row = await sqlOf(tx).get<Row>(
        `DELETE FROM sandbox_notes WHERE owner = $1 AND kind = $2 AND name = $3
         RETURNING ${COLUMNS}`,
        [owner, kind, name],
      )
      return row && noteOf(row)
    },
    list: async (kind, { owner, names, since, limit }) => {
      const conditions = createConditions()
      conditions.is('kind =', kind)
      conditions.is('owner =', owner)
      conditions.is('noted_at >=', since)
      conditions.isIn('name', names)
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM sandbox_notes${conditions.where()}
         ORDER BY noted_at, owner, name LIMIT ${Math.trunc(limit)}`,
        conditions.params,
      )
      return rows.map(noteOf)
    },
    usage: async (tx, owner, kind) => {
      const row = await sqlOf(tx).get<{ count: number; chars: number }>(
        `SELECT count(*) AS count, CAST(coalesce(sum(length(note)), 0) AS BIGINT) AS chars
         FROM sandbox_notes WHERE owner = $1 AND kind = $2`,
        [owner, kind],
      )
      return { count: row?.count ?? 0, chars: row?.chars ?? 0 }
    },
    trim: async (tx, { owner, kind }, keep) => {
      await sqlOf(tx).run(
        `DELETE FROM sandbox_notes WHERE owner = $1 AND kind = $2 AND noted_at < (
           SELECT min(noted_at) FROM (SELECT noted_at FROM sandbox_notes
             WHERE owner = $1 AND kind = $2
             ORDER BY noted_at DESC LIMIT ${Math.trunc(keep)}) AS newest)`,
        [owner, kind],
      )
    },
  }
}

function noteOf({ note, ...row }: Row): Note {
  return { ...row, value: JSON.parse(note) as unknown }
}
