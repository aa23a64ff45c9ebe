// Requests that wait, or waited, for an operator's approval, in SQL.

import type { Approval, ApprovalStore } from '../../../media-buys/approvals.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { FOR_UPDATE } from '../../sql/locks.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

export const APPROVAL_COLUMNS = `task_id, owner, task_type, media_buy_id, state, reason, asked, talk, note, decided_by,
  created_at, decided_at, needed, first_by, first_at`

/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

export type ApprovalRow = Omit<Nullable<Approval>, 'requested' | 'talk'> & {
  /** As JSON. */
  asked: string
  talk: string | null
}

export function createApprovalStore({ read }: Database): ApprovalStore {
  return {
    ask: async (tx, approval) => {
      const { task_id, owner, task_type, media_buy_id, reason, requested, needed = 1 } = approval
      await sqlOf(tx).run(
        `INSERT INTO media_buy_approvals
           (task_id, owner, task_type, media_buy_id, state, reason, asked, created_at, needed)
         VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8) ON CONFLICT (task_id) DO NOTHING`,
        [
          task_id,
          owner,
          task_type,
          media_buy_id,
          reason,
          JSON.stringify(requested),
          await tx.now(),
          needed,
        ],
      )
    },
    lock: async (tx, taskId) => {
      const row = await sqlOf(tx).get<ApprovalRow>(
        `SELECT ${APPROVAL_COLUMNS} FROM media_buy_approvals WHERE task_id = $1 ${FOR_UPDATE}`,
        [taskId],
      )
      return row && approvalOf(row)
    },
    get: async (taskId) => {
      const row = await read.get<ApprovalRow>(
        `SELECT ${APPROVAL_COLUMNS} FROM media_buy_approvals WHERE task_id = $1`,
        [taskId],
      )
      return row && approvalOf(row)
    },
    list: async ({ state, limit, after }) => {
      const conditions = createConditions()
      conditions.is('state =', state)
      if (after) {
        const place = [after.created_at, after.task_id].map(conditions.param).join(', ')
        conditions.add(`(created_at, task_id) > (${place})`)
      }
      const rows = await read.all<ApprovalRow>(
        `SELECT ${APPROVAL_COLUMNS} FROM media_buy_approvals${conditions.where()}
         ORDER BY created_at, task_id LIMIT ${conditions.param(limit)}`,
        conditions.params,
      )
      return rows.map(approvalOf)
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM media_buy_approvals WHERE task_id IN (
           SELECT task_id FROM media_buy_approvals WHERE decided_at < $1 LIMIT ${SWEEP_ROWS})`,
        [before],
      ),
    say: async (tx, taskId, talk) => {
      await sqlOf(tx).run(
        'UPDATE media_buy_approvals SET talk = $2, said_at = $3 WHERE task_id = $1',
        [taskId, JSON.stringify(talk), await tx.now()],
      )
    },
    approveFirst: async (tx, taskId, { note, first_by }) => {
      await sqlOf(tx).run(
        'UPDATE media_buy_approvals SET note = $2, first_by = $3, first_at = $4 WHERE task_id = $1',
        [taskId, note ?? null, first_by ?? null, await tx.now()],
      )
    },
    decide: async (tx, taskId, { state, note, decided_by }) => {
      await sqlOf(tx).run(
        `UPDATE media_buy_approvals SET state = $2, note = $3, decided_by = $4, decided_at = $5
         WHERE task_id = $1`,
        [taskId, state, note ?? null, decided_by ?? null, await tx.now()],
      )
    },
  }
}

export function approvalOf({ asked, talk, ...row }: ApprovalRow): Approval {
  return {
    ...withoutNulls<Omit<Approval, 'requested' | 'talk'>>(row),
    requested: JSON.parse(asked),
    talk: talk === null ? [] : JSON.parse(talk),
  }
}
