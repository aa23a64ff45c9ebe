// Attempts as buyers see them, of many subjects at once, in SQL (spec 2.12).

import type { ActivityRecord, ActivityStore } from '../../../webhooks/sender/store.ts'
import type { Database } from '../../sql/database.ts'
import { isIn, listed } from '../../sql/lists.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

type Row = Nullable<ActivityRecord> & { subject: string; place: number }

export function createActivityStore({ dialect, read }: Database): ActivityStore {
  return {
    ofSubjects: async (owner, subjects, limit) => {
      const found = new Map<string, ActivityRecord[]>()
      if (subjects.length === 0) return found
      // What has not been tried yet is queued: an attempt to come, without an outcome.
      const rows = await read.all<Row>(
        `SELECT * FROM (
           SELECT d.subject, d.delivery_id, d.idempotency_key, d.notification_type,
             d.sequence_number, length(d.body) + coalesce(d.token_bytes, 0) AS payload_size_bytes,
             coalesce(a.attempt, 1) AS attempt, coalesce(a.url, d.endpoint) AS url,
             coalesce(a.status, 'pending') AS status, a.http_status_code, a.response_time_ms,
             a.error_message, coalesce(a.fired_at, d.created_at) AS fired_at, a.completed_at,
             row_number() OVER (PARTITION BY d.subject ORDER BY
               coalesce(a.fired_at, d.created_at) DESC, d.delivery_id DESC, a.attempt DESC) AS place
           FROM webhook_deliveries d
           LEFT JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
           WHERE ${isIn(dialect, 'd.subject', 1)} AND d.owner = $2
             AND (a.attempt IS NOT NULL OR d.ended_at IS NULL)) AS attempts
         WHERE place <= $3 ORDER BY subject, place`,
        [listed(subjects), owner, limit],
      )
      for (const { subject, place: _, ...row } of rows) {
        const known = found.get(subject) ?? []
        known.push(withoutNulls<ActivityRecord>(row))
        found.set(subject, known)
      }
      return found
    },
  }
}
