// Attempts as buyers see them, for many subjects at once, in SQL (spec 2.12).

import { eachChunk } from '../../../lib/chunks.ts'
import type { ActivityRecord, ActivityStore } from '../../../webhooks/sender/store.ts'
import type { Database } from '../../sql/database.ts'
import { type Nullable, withoutNulls } from '../../sql/nulls.ts'

/** The number of newest deliveries of a subject whose attempts are read: several times what callers ever request. */
const LOOKED_AT = 500

// A delivery that has not been tried yet is reported as queued: an upcoming attempt without an outcome.
const QUERY = `SELECT d.delivery_id, d.idempotency_key, d.notification_type, d.sequence_number,
    d.payload_size_bytes, coalesce(a.attempt, 1) AS attempt, coalesce(a.url, d.endpoint) AS url,
    coalesce(a.status, 'pending') AS status, a.http_status_code, a.response_time_ms,
    a.error_message, coalesce(a.fired_at, d.created_at) AS fired_at, a.completed_at
  FROM (SELECT delivery_id, idempotency_key, notification_type, sequence_number, endpoint,
      created_at, ended_at, length(body) + coalesce(token_bytes, 0) AS payload_size_bytes
    FROM webhook_deliveries WHERE subject = $1 AND owner = $2
    ORDER BY delivery_id DESC LIMIT ${LOOKED_AT}) AS d
  LEFT JOIN webhook_attempts a ON a.delivery_id = d.delivery_id
  WHERE a.attempt IS NOT NULL OR d.ended_at IS NULL
  ORDER BY coalesce(a.fired_at, d.created_at) DESC, d.delivery_id DESC, a.attempt DESC
  LIMIT $3`

export function createActivityStore({ read }: Database): ActivityStore {
  return {
    ofSubjects: async (owner, subjects, limit) => {
      const found = new Map<string, ActivityRecord[]>()
      await eachChunk(subjects, 1, async ([subject = '']) => {
        const rows = await read.all<Nullable<ActivityRecord>>(QUERY, [subject, owner, limit])
        if (rows.length > 0) found.set(subject, rows.map(withoutNulls<ActivityRecord>))
      })
      return found
    },
  }
}
