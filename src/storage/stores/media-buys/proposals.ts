// Media plans that were offered, in SQL: each only for its owner.

import type { ProposalRecord, ProposalStore } from '../../../media-buys/proposals/proposal-store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { sqlOf } from '../../sql/database.ts'
import { FOR_UPDATE, SKIP_LOCKED } from '../../sql/locks.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

const COLUMNS = `owner, proposal_id, status, media_buy_id, plan, created_at, updated_at, expires_at`

/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

type Row = Omit<Nullable<ProposalRecord>, 'plan'> & { plan: string }

export function createProposalStore(): ProposalStore {
  return {
    ...OF_OWNER,
    offer: async (tx, { owner, proposal_id, origin, plan, expires_at }) => {
      const now = await tx.now()
      const row = await sqlOf(tx).get<Row>(
        `INSERT INTO media_buy_proposals
           (owner, proposal_id, origin, status, plan, created_at, updated_at, expires_at)
         VALUES ($1, $2, $3, 'draft', $4, $5, $5, $6)
         ON CONFLICT (owner, origin) DO UPDATE SET plan = excluded.plan,
           updated_at = excluded.updated_at, expires_at = excluded.expires_at
         RETURNING ${COLUMNS}`,
        [owner, proposal_id, origin, JSON.stringify(plan), now, expires_at],
      )
      return proposalOf(row as Row)
    },
    add: async (tx, { owner, proposal_id, status, media_buy_id, plan, expires_at }) => {
      await sqlOf(tx).run(
        `INSERT INTO media_buy_proposals
           (owner, proposal_id, status, media_buy_id, plan, created_at, updated_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
        [
          owner,
          proposal_id,
          status,
          media_buy_id ?? null,
          JSON.stringify(plan),
          await tx.now(),
          expires_at,
        ],
      )
    },
    lock: async (tx, owner, proposalId) => {
      const conditions = createConditions()
      conditions.is('owner =', owner)
      conditions.is('proposal_id =', proposalId)
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM media_buy_proposals${conditions.where()} ${FOR_UPDATE}`,
        conditions.params,
      )
      return row && proposalOf(row)
    },
    change: async (tx, { owner, proposal_id, status, media_buy_id, plan, expires_at }) => {
      await sqlOf(tx).run(
        `UPDATE media_buy_proposals SET origin = NULL, status = $3, media_buy_id = $4, plan = $5,
           updated_at = $6, expires_at = $7
         WHERE owner = $1 AND proposal_id = $2`,
        [
          owner,
          proposal_id,
          status,
          media_buy_id ?? null,
          JSON.stringify(plan),
          await tx.now(),
          expires_at,
        ],
      )
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM media_buy_proposals WHERE (owner, proposal_id) IN (
           SELECT owner, proposal_id FROM media_buy_proposals
           WHERE expires_at < $1 LIMIT ${SWEEP_ROWS} ${SKIP_LOCKED})`,
        [before],
      ),
  }
}

/** What limits the proposals that one owner has. */
const OF_OWNER: Pick<ProposalStore, 'countHeld' | 'keepNewest'> = {
  countHeld: async (tx, owner) => {
    const row = await sqlOf(tx).get<{ held: number }>(
      `SELECT count(*) AS held FROM media_buy_proposals
         WHERE owner = $1 AND status = 'committed' AND media_buy_id IS NULL AND expires_at > $2`,
      [owner, await tx.now()],
    )
    return row?.held ?? 0
  },
  keepNewest: async (tx, owner, drafts) => {
    await sqlOf(tx).run(
      // If it was finalised or offered again since, either its status or its time differs from the one that was
      // found.
      `DELETE FROM media_buy_proposals
         WHERE owner = $1 AND status = 'draft' AND (proposal_id, updated_at) IN (
           SELECT proposal_id, updated_at FROM media_buy_proposals
           WHERE owner = $1 AND status = 'draft'
           ORDER BY updated_at DESC, proposal_id LIMIT ${SWEEP_ROWS} OFFSET $2)`,
      [owner, drafts],
    )
  },
}

function proposalOf({ plan, ...row }: Row): ProposalRecord {
  return { ...withoutNulls<Omit<ProposalRecord, 'plan'>>(row), plan: JSON.parse(plan) }
}
