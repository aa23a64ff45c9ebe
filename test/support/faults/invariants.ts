// Checks a ledger against what receivers saw (spec 6.4). Returns readable messages about what does not hold, so that
// a failure of a random run can be read.

import { type AttemptRow, type DeliveryRow, groupBy, type Ledger, type TaskRow } from './ledger.ts'
import type { Seen } from './receiver.ts'

/** What does not hold of a sender that has drained; empty when all is well. */
export function breachesOf(ledger: Ledger, seen: readonly Seen[]): string[] {
  const attempts = groupBy(ledger.attempts, ({ delivery_id }) => delivery_id)
  const requests = groupBy(seen, ({ idempotency_key }) => idempotency_key)
  const byTask = groupBy(ledger.deliveries, ({ task_id }) => task_id)
  const known = new Set(ledger.deliveries.map(({ idempotency_key }) => idempotency_key))
  const strangers = [...requests.keys()].filter((key) => !known.has(key))
  return [
    ...(ledger.limbo > 0 ? [`S1: ${ledger.limbo} deliveries are in limbo`] : []),
    ...(known.size < ledger.deliveries.length ? ['S2: two deliveries share a key'] : []),
    ...strangers.map((key) => `S3: a request under ${key} belongs to no delivery`),
    ...noncesOf(seen),
    ...ledger.deliveries.flatMap((delivery) => {
      const rows = attempts.get(delivery.delivery_id) ?? []
      const copies = requests.get(delivery.idempotency_key) ?? []
      return [
        ...endOf(delivery),
        ...sameBytes(delivery, copies),
        ...rowsOf(delivery, rows, copies),
        ...duplicatesOf(delivery, rows, copies),
      ]
    }),
    ...ledger.tasks.flatMap((task) => eventsOf(task, byTask.get(task.task_id) ?? [])),
  ]
}

const ENDED: readonly string[] = ['delivered', 'exhausted', 'cancelled']

function endOf({ delivery_id, state }: DeliveryRow): string[] {
  return ENDED.includes(state) ? [] : [`S1: delivery ${delivery_id} is ${state}`]
}

const MAX_WINDOW_SECONDS = 300

function noncesOf(seen: readonly Seen[]): string[] {
  const nonces = new Set<string>()
  return seen.flatMap(({ nonce, created, expires, idempotency_key: key }) => {
    const isFresh = nonce !== '' && !nonces.has(nonce)
    nonces.add(nonce)
    const windowSeconds = expires - created
    // NaN, when the signature has no window, is not within it.
    const isShort = windowSeconds > 0 && windowSeconds <= MAX_WINDOW_SECONDS
    return [
      ...(isFresh ? [] : [`S2: the nonce "${nonce}" came twice, the second time under ${key}`]),
      ...(isShort ? [] : [`S2: a window of ${windowSeconds} s under ${key}`]),
    ]
  })
}

function sameBytes({ delivery_id, body }: DeliveryRow, copies: readonly Seen[]): string[] {
  const others = copies.filter((copy) => !copy.body.equals(body))
  return others.length === 0 ? [] : [`S2: delivery ${delivery_id} was sent with other bytes`]
}

/** Every request has its row, rows are numbered from 1, and none follows a success. */
function rowsOf(
  { delivery_id: id, attempts, state }: DeliveryRow,
  rows: readonly AttemptRow[],
  copies: readonly Seen[],
): string[] {
  const numbers = rows.map(({ attempt }) => attempt)
  const successes = rows.filter(({ status }) => status === 'success')
  const breaches: string[] = []
  if (copies.length > rows.length) {
    breaches.push(`S3: delivery ${id} was seen ${copies.length} times in ${rows.length} attempts`)
  }
  if (numbers.join() !== Array.from({ length: attempts }, (_, n) => n + 1).join()) {
    breaches.push(`S4: delivery ${id} has ${attempts} attempts and the rows ${numbers.join()}`)
  }
  if (rows.some(({ status }) => status === 'pending')) {
    breaches.push(`S1: an attempt of delivery ${id} is pending for ever`)
  }
  if (successes.length !== (state === 'delivered' ? 1 : 0)) {
    breaches.push(`S4: delivery ${id} is ${state} with ${successes.length} successes`)
  }
  if (successes.length === 1 && rows.at(-1)?.status !== 'success') {
    breaches.push(`S4: delivery ${id} was tried again after its success`)
  }
  return breaches
}

/** Only an attempt whose answer the sender could not hear may be made again after a 2xx. */
function duplicatesOf(
  { delivery_id: id, state }: DeliveryRow,
  rows: readonly AttemptRow[],
  copies: readonly Seen[],
): string[] {
  const unheard = rows.filter(({ http_status_code: code }) => code === null).length
  const accepted = copies.filter(({ isAccepted }) => isAccepted).length
  const breaches: string[] = []
  if (accepted - 1 > unheard) {
    breaches.push(`S5: delivery ${id} was accepted ${accepted} times, ${unheard} unheard`)
  }
  if (state === 'delivered' && accepted === 0) {
    breaches.push(`S5: delivery ${id} is delivered and nobody accepted it`)
  }
  return breaches
}

/** A task's webhooks are its changes after the first answer, in their order, and then no more. */
function eventsOf(task: TaskRow, deliveries: readonly DeliveryRow[]): string[] {
  const reported = deliveries.map(({ notification_type }) => notification_type)
  const { task_id, status, history, has_webhook } = task
  const breaches: string[] = []
  if (status !== 'completed') breaches.push(`task ${task_id} is ${status}`)
  if (history.filter((one) => one === 'completed').length !== 1) {
    breaches.push(`task ${task_id} went through ${history.join()}`)
  }
  const wanted = has_webhook === 1 ? history : []
  if (reported.join() !== wanted.join()) {
    breaches.push(`S9: task ${task_id} went through ${wanted.join()} and told ${reported.join()}`)
  }
  return breaches
}
