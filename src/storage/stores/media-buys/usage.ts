// Reported usage, in SQL.

import type { UsageRecord, UsageStore } from '../../../media-buys/usage-store.ts'
import { createConditions } from '../../sql/conditions.ts'
import { type Database, sqlOf } from '../../sql/database.ts'
import { SKIP_LOCKED } from '../../sql/locks.ts'

const COLUMNS = `usage_id, owner, account_id, media_buy_id, period_start, period_end, usage_record,
  is_superseded, received_at`
/** Maximum rows deleted by one sweep, so that no sweep holds its locks for long. */
const SWEEP_ROWS = 1_000

interface Row extends Omit<UsageRecord, 'media_buy_id' | 'usage_record' | 'is_superseded'> {
  media_buy_id: string | null
  usage_record: string
  is_superseded: number
}

export function createUsageStore({ read }: Database): UsageStore {
  return {
    add: async (tx, records) => {
      for (const one of records) {
        await sqlOf(tx).run(
          `INSERT INTO usage_records (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            one.usage_id,
            one.owner,
            one.account_id,
            one.media_buy_id ?? null,
            one.period_start,
            one.period_end,
            JSON.stringify(one.usage_record),
            one.is_superseded ? 1 : 0,
            one.received_at,
          ],
        )
      }
    },
    supersede: async (tx, { owner, account_id, media_buy_id, period_start, period_end }) => {
      const ofBuy = media_buy_id === undefined ? 'IS NULL' : '= $5'
      await sqlOf(tx).run(
        `UPDATE usage_records SET is_superseded = 1
         WHERE owner = $1 AND account_id = $2 AND period_start = $3 AND period_end = $4
           AND media_buy_id ${ofBuy}`,
        [owner, account_id, period_start, period_end, ...(media_buy_id ? [media_buy_id] : [])],
      )
    },
    count: async (tx, owner, most) => {
      const row = await sqlOf(tx).get<{ counted: number }>(
        `SELECT count(*) AS counted FROM (
           SELECT 1 AS one FROM usage_records WHERE owner = $1 LIMIT $2) AS counted_rows`,
        [owner, most],
      )
      return row?.counted ?? 0
    },
    list: async ({ owner, limit }) => {
      const conditions = createConditions()
      if (owner !== undefined) conditions.is('owner =', owner)
      const rows = await read.all<Row>(
        `SELECT ${COLUMNS} FROM usage_records${conditions.where()}
         ORDER BY received_at DESC, usage_id DESC LIMIT $${conditions.params.length + 1}`,
        [...conditions.params, limit],
      )
      return rows.map(usageOf)
    },
    sweep: (tx, before) =>
      sqlOf(tx).run(
        `DELETE FROM usage_records WHERE usage_id IN (
           SELECT usage_id FROM usage_records
           WHERE received_at < $1 ORDER BY received_at LIMIT ${SWEEP_ROWS} ${SKIP_LOCKED})`,
        [before],
      ),
  }
}

function usageOf({ media_buy_id, usage_record, is_superseded, ...row }: Row): UsageRecord {
  return {
    ...row,
    ...(media_buy_id === null ? {} : { media_buy_id }),
    usage_record: JSON.parse(usage_record) as UsageRecord['usage_record'],
    is_superseded: is_superseded === 1,
  }
}
