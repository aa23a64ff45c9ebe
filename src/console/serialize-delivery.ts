// One delivery with everything that is known about it: exactly what was sent, and the response.

import { defined } from '../lib/defined.ts'
import type { AttemptRecord, SentHeaders, SerializedDelivery } from '../webhooks/sender/store.ts'
import type { Attempt, Delivery } from './api/deliveries.ts'
import { deliveryItemOf } from './delivery-item.ts'
import { faultOf } from './faults.ts'
import { iso, isoOf } from './format-values.ts'
import { signaturePartsOf } from './signature-parts.ts'

const MAX_BODY_CHARS = 262_144
const MAX_ATTEMPTS = 200

export function serializeDelivery(
  { body, history, ...row }: SerializedDelivery,
  names: ReadonlyMap<string, string>,
): Delivery {
  const text = Buffer.from(body).toString('utf8')
  const { state } = row
  return {
    ...deliveryItemOf(row, names),
    ...defined({ scheme: row.scheme, form: row.form }),
    expires_at: iso(row.expires_at),
    body: {
      text: text.slice(0, MAX_BODY_CHARS),
      bytes: body.byteLength + row.token_bytes,
      has_token: row.token_bytes > 0,
      is_cut: text.length > MAX_BODY_CHARS,
    },
    history: history.slice(-MAX_ATTEMPTS).map(serializeAttempt),
    may: {
      // Without its channel there is no address to send it to.
      retry: state !== 'leased' && state !== 'delivered' && row.scheme !== undefined,
      cancel: state === 'pending' || state === 'held',
    },
  }
}

function serializeAttempt(record: AttemptRecord): Attempt {
  const { attempt, status, url, request_headers: sent } = record
  return {
    attempt,
    status,
    fired_at: iso(record.fired_at),
    ...defined({
      completed_at: isoOf(record.completed_at),
      response_time_ms: record.response_time_ms,
      http_status_code: record.http_status_code,
      response_head: record.response_head,
      fault: faultOf(record),
    }),
    request: {
      method: 'POST',
      url,
      ...defined({
        headers: sent && headersOf(sent),
        signature: sent && signaturePartsOf(sent),
      }),
    },
  }
}

function headersOf(sent: SentHeaders): Attempt['request']['headers'] {
  return Object.entries(sent).map(([name, value]) =>
    value === null ? { name, value: '', is_hidden: true } : { name, value },
  )
}
