// Buyers' links in SQL.

import type { LinkPart } from '../../../console/api/links.ts'
import type { LinkRecord, LinkStore } from '../../../console/link-store.ts'
import type { Transaction } from '../../../lib/transaction.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

const COLUMNS = `l.link_id, l.principal_id, l.shows, l.maker_id, l.maker_name, l.made_by, l.created_at,
  l.expires_at, l.opens, l.opened_at, l.revoked_at`
/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

type LinkRow = Nullable<Omit<LinkRecord, 'shows'>> & { shows: string }

export function createLinkStore({ read }: Database): LinkStore {
  return {
    add: async (tx, link, tokenHash) => {
      await sqlOf(tx).run(
        `INSERT INTO buyer_links (link_id, token_hash, principal_id, shows, maker_id, maker_name,
           made_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          link.link_id,
          tokenHash,
          link.principal_id,
          JSON.stringify(link.shows),
          link.maker_id,
          link.maker_name,
          link.made_by,
          link.created_at,
          link.expires_at,
        ],
      )
    },
    byToken: async (tokenHash) => {
      const sql = `SELECT ${COLUMNS} FROM buyer_links l WHERE l.token_hash = $1`
      return linkOf(await read.get<LinkRow>(sql, [tokenHash]))
    },
    bySession: async (sessionHash) => {
      const sql = `SELECT ${COLUMNS} FROM buyer_link_sessions s
        JOIN buyer_links l ON l.link_id = s.link_id WHERE s.session_hash = $1`
      return linkOf(await read.get<LinkRow>(sql, [sessionHash]))
    },
    list: async (principalId, limit) => {
      const rows = await read.all<LinkRow>(
        `SELECT ${COLUMNS} FROM buyer_links l WHERE l.principal_id = $1
         ORDER BY l.created_at DESC, l.link_id DESC LIMIT $2`,
        [principalId, limit],
      )
      return rows.flatMap((row) => linkOf(row) ?? [])
    },
    countGood: async (tx, principalId) => {
      // A link that does not exist yet cannot be locked as a row.
      await sqlOf(tx).lock(`links of ${principalId}`)
      const row = await sqlOf(tx).get<{ n: number }>(
        `SELECT count(*) AS n FROM buyer_links
         WHERE principal_id = $1 AND revoked_at IS NULL AND expires_at > $2`,
        [principalId, await tx.now()],
      )
      return row?.n ?? 0
    },
    open,
    endSession: async (tx, sessionHash) => {
      const sql = 'DELETE FROM buyer_link_sessions WHERE session_hash = $1'
      return (await sqlOf(tx).run(sql, [sessionHash])) > 0
    },
    revoke: async (tx, { principal_id, link_id }) => {
      const now = await tx.now()
      const revoked = await sqlOf(tx).run(
        `UPDATE buyer_links SET revoked_at = $3 WHERE link_id = $1 AND principal_id = $2
           AND revoked_at IS NULL AND expires_at > $3`,
        [link_id, principal_id, now],
      )
      if (revoked === 0) return false
      await sqlOf(tx).run('DELETE FROM buyer_link_sessions WHERE link_id = $1', [link_id])
      return true
    },
    sweep: async (tx, { ended }) => {
      const sessions = await sqlOf(tx).run(
        `DELETE FROM buyer_link_sessions WHERE session_hash IN (
           SELECT session_hash FROM buyer_link_sessions WHERE expires_at <= $1 LIMIT ${SWEEP_ROWS})`,
        [await tx.now()],
      )
      const links = await sqlOf(tx).run(
        `DELETE FROM buyer_links WHERE link_id IN (
           SELECT link_id FROM buyer_links WHERE expires_at <= $1 LIMIT ${SWEEP_ROWS})`,
        [ended],
      )
      return sessions + links
    },
  }
}

async function open(
  tx: Transaction,
  linkId: string,
  { sessionHash, most }: { sessionHash: string; most: number },
): Promise<boolean> {
  const now = await tx.now()
  const link = await sqlOf(tx).get<{ principal_id: string; expires_at: number }>(
    `UPDATE buyer_links SET opens = opens + 1, opened_at = $2
     WHERE link_id = $1 AND revoked_at IS NULL AND expires_at > $2
     RETURNING principal_id, expires_at`,
    [linkId, now],
  )
  if (!link) return false
  await sqlOf(tx).run(
    `INSERT INTO buyer_link_sessions (session_hash, link_id, principal_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [sessionHash, linkId, link.principal_id, now, link.expires_at],
  )
  await sqlOf(tx).run(
    `DELETE FROM buyer_link_sessions WHERE link_id = $1 AND session_hash <> $3
       AND session_hash NOT IN (SELECT session_hash FROM buyer_link_sessions WHERE link_id = $1
         ORDER BY created_at DESC, session_hash LIMIT $2)`,
    [linkId, most, sessionHash],
  )
  return true
}

function linkOf(row: LinkRow | undefined): LinkRecord | undefined {
  if (!row) return undefined
  const { shows, ...rest } = row
  return {
    ...withoutNulls<Omit<LinkRecord, 'shows'>>(rest),
    shows: JSON.parse(shows) as LinkPart[],
  }
}
