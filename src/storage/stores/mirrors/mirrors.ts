// Community mirrors and their proposals in SQL.

import type {
  Mirror,
  MirrorStore,
  MirrorSummary,
  Proposal,
  ProposalSummary,
} from '../../../registry/mirrors/store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { isoTime } from '../../sql/iso-time.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'

type Timed<T, Times extends keyof T> = Omit<T, Times> & Record<Times, number>
type MirrorRow = Timed<Mirror, 'created_at' | 'updated_at'>
type ProposalRow = Timed<Proposal, 'proposed_at' | 'updated_at'> & { reviewed_at: number | null }

const SUMMARY = 'platform, digest, catalog_etag, superseded_by, created_at, updated_at'
const MIRROR = `${SUMMARY}, document`
const PROPOSED = `id, platform, digest, catalog_etag, superseded_by, base_mirror_digest, status, organization_id,
  proposed_at, reviewed_at, review_notes, updated_at`
const PROPOSAL = `${PROPOSED}, document`
const ONE = `SELECT ${MIRROR} FROM community_mirrors WHERE platform = $1`
const ONE_PROPOSAL = `SELECT ${PROPOSAL} FROM mirror_proposals WHERE id = $1`

export function createMirrorStore(database: Database): MirrorStore {
  const { read } = database
  return {
    ...mirrorProposals(database),
    get: async (platform) => mirrorOf(await read.get<MirrorRow>(ONE, [platform])),
    lock: async (tx, platform) =>
      mirrorOf(await sqlOf(tx).get<MirrorRow>(`${ONE} ${FOR_UPDATE}`, [platform])),
    list: async ({ limit, offset }) => {
      const counted = await read.get<{ n: number }>('SELECT count(*) AS n FROM community_mirrors')
      const rows = await read.all<Omit<MirrorRow, 'document'>>(
        `SELECT ${SUMMARY} FROM community_mirrors ORDER BY platform LIMIT $1 OFFSET $2`,
        [limit, offset],
      )
      return { total: counted?.n ?? 0, mirrors: rows.map(timesOf) }
    },
    put: async (tx, platform, { document, digest, catalog_etag, superseded_by }) => {
      const row = await sqlOf(tx).get<MirrorRow>(
        `INSERT INTO community_mirrors (platform, document, digest, catalog_etag, superseded_by, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (platform) DO UPDATE SET document = excluded.document, digest = excluded.digest,
           catalog_etag = excluded.catalog_etag, superseded_by = excluded.superseded_by,
           updated_at = excluded.updated_at
         RETURNING ${MIRROR}`,
        [platform, document, digest, catalog_etag, superseded_by, await tx.now()],
      )
      return there(mirrorOf(row))
    },
    remove: async (tx, platform) => {
      await sqlOf(tx).run('DELETE FROM community_mirrors WHERE platform = $1', [platform])
    },
  }
}

/** Changes of mirrors that organisations have proposed. */
function mirrorProposals({
  read,
}: Database): Pick<
  MirrorStore,
  'propose' | 'proposal' | 'lockProposal' | 'proposals' | 'countPendingOf' | 'decide'
> {
  return {
    propose: async (tx, proposal) => {
      const row = await sqlOf(tx).get<ProposalRow>(
        `INSERT INTO mirror_proposals (id, platform, document, digest, catalog_etag, superseded_by,
           base_mirror_digest, status, organization_id, proposed_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $9) RETURNING ${PROPOSAL}`,
        [
          proposal.id,
          proposal.platform,
          proposal.document,
          proposal.digest,
          proposal.catalog_etag,
          proposal.superseded_by,
          proposal.base_mirror_digest,
          proposal.organization_id,
          await tx.now(),
        ],
      )
      return there(proposalOf(row))
    },
    proposal: async (id) => proposalOf(await read.get<ProposalRow>(ONE_PROPOSAL, [id])),
    lockProposal: async (tx, id) =>
      proposalOf(await sqlOf(tx).get<ProposalRow>(`${ONE_PROPOSAL} ${FOR_UPDATE}`, [id])),
    proposals: async ({ organizationId, status }, { limit, offset }) => {
      const conditions = createConditions()
      conditions.is('organization_id =', organizationId)
      conditions.is('status =', status)
      const from = `FROM mirror_proposals${conditions.where()}`
      const counted = await read.get<{ n: number }>(
        `SELECT count(*) AS n ${from}`,
        conditions.params,
      )
      const rows = await read.all<Omit<ProposalRow, 'document'>>(
        `SELECT ${PROPOSED} ${from} ORDER BY id DESC
         LIMIT ${conditions.param(limit)} OFFSET ${conditions.param(offset)}`,
        conditions.params,
      )
      return { total: counted?.n ?? 0, proposals: rows.map(proposedOf) }
    },
    countPendingOf: async (tx, organizationId) => {
      const row = await sqlOf(tx).get<{ n: number }>(
        `SELECT count(*) AS n FROM mirror_proposals WHERE organization_id = $1 AND status = 'pending'`,
        [organizationId],
      )
      return row?.n ?? 0
    },
    decide: async (tx, id, { status, notes }) =>
      proposalOf(
        await sqlOf(tx).get<ProposalRow>(
          `UPDATE mirror_proposals SET status = $2, review_notes = $3, reviewed_at = $4, updated_at = $4
           WHERE id = $1 RETURNING ${PROPOSAL}`,
          [id, status, notes, await tx.now()],
        ),
      ),
  }
}

function timesOf(row: Omit<MirrorRow, 'document'>): MirrorSummary {
  return { ...row, created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) }
}

function mirrorOf(row: MirrorRow | undefined): Mirror | undefined {
  return row && { ...timesOf(row), document: row.document }
}

function proposedOf(row: Omit<ProposalRow, 'document'>): ProposalSummary {
  return {
    ...row,
    proposed_at: isoTime(row.proposed_at),
    reviewed_at: row.reviewed_at === null ? null : isoTime(row.reviewed_at),
    updated_at: isoTime(row.updated_at),
  }
}

function proposalOf(row: ProposalRow | undefined): Proposal | undefined {
  return row && { ...proposedOf(row), document: row.document }
}

function there<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('what was just written is there')
  return row
}
