// Feedback of buyers, in SQL.

import type { FeedbackRecord, FeedbackStore } from '../../../media-buys/feedback-store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

const COLUMNS = 'feedback_id, owner, media_buy_id, assertion, superseded_by, received_at'
/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

type Row = Omit<Nullable<FeedbackRecord>, 'assertion'> & { assertion: string }

export function createFeedbackStore({ read }: Database): FeedbackStore {
  return {
    add: async (
      tx,
      { feedback_id, owner, media_buy_id, assertion, superseded_by, received_at },
    ) => {
      await sqlOf(tx).run(
        `INSERT INTO media_buy_feedback (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          feedback_id,
          owner,
          media_buy_id,
          JSON.stringify(assertion),
          superseded_by ?? null,
          received_at,
        ],
      )
    },
    find: async (tx, { owner, media_buy_id, feedback_id }) => {
      const row = await sqlOf(tx).get<Row>(
        `SELECT ${COLUMNS} FROM media_buy_feedback
         WHERE feedback_id = $1 AND owner = $2 AND media_buy_id = $3`,
        [feedback_id, owner, media_buy_id],
      )
      return row && feedbackOf(row)
    },
    supersede: async (tx, feedbackId, by) => {
      await sqlOf(tx).run(
        'UPDATE media_buy_feedback SET superseded_by = $2 WHERE feedback_id = $1',
        [feedbackId, by],
      )
    },
    count: async (tx, mediaBuyId, most) => {
      const row = await sqlOf(tx).get<{ counted: number }>(
        `SELECT count(*) AS counted FROM (
           SELECT 1 AS one FROM media_buy_feedback WHERE media_buy_id = $1 LIMIT $2) AS counted_rows`,
        [mediaBuyId, most],
      )
      return row?.counted ?? 0
    },
    list: async ({ media_buy_id, limit }) => {
      const conditions = createConditions()
      if (media_buy_id !== undefined) conditions.is('media_buy_id =', media_buy_id)
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM media_buy_feedback${conditions.where()}
         ORDER BY received_at DESC, feedback_id DESC LIMIT $${conditions.params.length + 1}`,
        [...conditions.params, limit],
      )
      return rows.map(feedbackOf)
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM media_buy_feedback WHERE feedback_id IN (
           SELECT feedback_id FROM media_buy_feedback
           WHERE received_at < $1 ORDER BY received_at LIMIT ${SWEEP_ROWS} ${SKIP_LOCKED})`,
        [before],
      ),
  }
}

function feedbackOf({ assertion, ...row }: Row): FeedbackRecord {
  return {
    ...withoutNulls<Omit<FeedbackRecord, 'assertion'>>(row),
    assertion: JSON.parse(assertion),
  }
}
