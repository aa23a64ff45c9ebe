// A delivery as lists show it.

import { defined } from '../lib/defined.ts'
import { subjectOfBuy } from '../media-buys/buy-channels.ts'
import { type DeliverySummary, REPORTS_SUBJECT } from '../webhooks/sender/store.ts'
import type { DeliveryItem } from './api/deliveries.ts'
import { faultOf } from './faults.ts'
import { iso, isoOf } from './format-values.ts'
import { endpointIdOf } from './ids.ts'

const BUY_SUBJECTS = [subjectOfBuy(''), REPORTS_SUBJECT]

export function deliveryItemOf(
  row: DeliverySummary,
  names: ReadonlyMap<string, string>,
): DeliveryItem {
  const { state, owner, url } = row
  const buyPrefix = BUY_SUBJECTS.find((prefix) => row.subject.startsWith(prefix))
  const isToCome = state === 'pending' || state === 'held'
  const last = {
    status: row.last_status ?? 'pending',
    http_status_code: row.last_http_status_code,
    error_message: row.last_error_message,
    fault: row.last_fault,
  }
  return {
    delivery_id: row.delivery_id,
    state,
    url,
    principal_id: owner,
    subject: row.subject,
    notification_type: row.notification_type,
    idempotency_key: row.idempotency_key,
    endpoint_id: endpointIdOf({ owner, endpoint: url }),
    attempts: row.attempts,
    created_at: iso(row.created_at),
    ...defined({
      reason: row.reason,
      sequence_number: row.sequence_number,
      principal_name: names.get(owner),
      task_id: row.task_id,
      operation_id: row.operation_id,
      media_buy_id: buyPrefix === undefined ? undefined : row.subject.slice(buyPrefix.length),
      next_attempt_at: isToCome ? iso(row.due_at) : undefined,
      ended_at: isoOf(row.ended_at),
      last_status: row.last_status,
      last_http_status_code: row.last_http_status_code,
      fault: faultOf(last),
    }),
  }
}
