// What becomes of a delivery for every answer that a receiver can give (spec 6.4), against the built
// server: its rows, the attempts, and what the receiver saw of them.

import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type AttemptRow, type DeliveryRow, readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { type Receiver, type Reply, startReceiver } from '../support/faults/receiver.ts'
import { startSeller } from '../support/faults/seller.ts'

const HOUR_MS = 3_600_000
const isLong = process.env.ADWIRE_FAULT_ROUNDS !== undefined
const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '5', ADWIRE_LEASE_SECONDS: '14' }

/** The first event is answered so; the others of the task with 200. */
const ACCEPTED = [200, 201, 202, 204, 299]
const ENDING = [300, 301, 302, 307, 308, 400, 403, 404, 409, 413, 422]
const RETRIED = [401, 408, 425, 429, 500, 501, 502, 503, 504]

/** Retry-After of a 429, and how long the next attempt then waits: at least and at most. */
const REQUESTED: [name: string, header: () => string, least: number, most: number][] = [
  ['seconds', () => '120', 120_000, 120_000],
  ['a date', () => new Date(Date.now() + 600_000).toUTCString(), 590_000, 601_000],
  ['the past', () => 'Wed, 21 Oct 2015 07:28:00 GMT', 750, 1_250],
  ['garbage', () => 'soon', 750, 1_250],
  ['a year', () => String(365 * 86_400), HOUR_MS, HOUR_MS],
]

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 6.4: does with every answer what is documented for it', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const trap = await startReceiver()
    onTestFinished(trap.close)
    const receiver = await startReceiver(replyWith(trap.url('/')))
    onTestFinished(receiver.close)
    const seller = await startSeller(place, ENV)
    const paths = [
      ...[...ACCEPTED, ...ENDING, ...RETRIED].map((code) => `/code/${code}`),
      ...REQUESTED.map((_, index) => `/asked/${index}`),
      '/thrice',
      '/gone',
    ]
    const calls = paths.map((path) => seller.simulate({ webhook: receiver.url(path) }))
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ status: 202 })

    const rowsOf = (path: string) => firstEvent(place, receiver.url(path))
    await eventually(async () => {
      for (const code of ACCEPTED) {
        const { delivery, attempts } = await rowsOf(`/code/${code}`)
        expect([code, delivery.state, ...returned(attempts)]).toEqual([
          code,
          'delivered',
          `success ${code}`,
        ])
      }
      for (const code of ENDING) {
        const { delivery, attempts } = await rowsOf(`/code/${code}`)
        expect([code, delivery.state, delivery.reason, ...returned(attempts)]).toEqual([
          code,
          'exhausted',
          `the receiver answered ${code}`,
          `failed ${code}`,
        ])
      }
    })
    for (const code of RETRIED) await expectRetried(() => rowsOf(`/code/${code}`), code)
    for (const [index, [name, , least, most]] of REQUESTED.entries()) {
      await expectRequested(() => rowsOf(`/asked/${index}`), name, [least, most])
    }
    await expectGone(place, receiver)
    await expectThrice(place, receiver)
    expect(trap.seen, 'a redirect was followed').toEqual([])
    // Nothing but 410 disables.
    const sql = 'SELECT url FROM webhook_channels WHERE paused_at IS NOT NULL'
    expect(await place.database().read.all(sql)).toEqual([{ url: receiver.url('/gone') }])
  })
})

function replyWith(elsewhere: string): Reply {
  return ({ path, status, nth }, response) => {
    const [, kind, value] = path.split('/')
    if (kind === 'gone') return 410
    if (status !== 'working') return 200
    if (kind === 'thrice') return nth <= 3 ? 503 : 200
    if (kind === 'asked') {
      response.setHeader('retry-after', REQUESTED[Number(value)]?.[1]() ?? '')
      return 429
    }
    const code = Number(value)
    if (code >= 300 && code < 400) response.setHeader('location', elsewhere)
    return RETRIED.includes(code) && nth > 1 ? 200 : code
  }
}

interface Rows {
  delivery: DeliveryRow
  attempts: AttemptRow[]
}

async function firstEvent(place: Place, url: string): Promise<Rows> {
  const ledger = await readLedger(place.database())
  const delivery = ledger.deliveries.find(({ endpoint }) => endpoint === url)
  if (!delivery) throw new Error(`nothing was emitted to ${url}`)
  const isOwn = (row: AttemptRow) => row.delivery_id === delivery.delivery_id
  return { delivery, attempts: ledger.attempts.filter(isOwn) }
}

const returned = (attempts: readonly AttemptRow[]) =>
  attempts.map(({ status, http_status_code: code }) => `${status} ${code}`)

async function expectRetried(read: () => Promise<Rows>, code: number): Promise<void> {
  await eventually(async () => {
    const { delivery, attempts } = await read()
    expect([code, delivery.state, ...returned(attempts)]).toEqual([
      code,
      'delivered',
      `failed ${code}`,
      'success 200',
    ])
  })
}

async function expectRequested(
  read: () => Promise<Rows>,
  name: string,
  [least, most]: [number, number],
): Promise<void> {
  const { delivery, attempts } = await read()
  const [first, second] = attempts as [AttemptRow, AttemptRow | undefined]
  expect([name, first.status, first.http_status_code]).toEqual([name, 'failed', 429])
  // Of one that was tried again by now, the due time is of what follows that.
  const next = second ? second.fired_at : delivery.due_at
  const waited = next - (first.completed_at as number)
  expect(waited, name).toBeGreaterThanOrEqual(least - 1)
  if (!second) expect(waited, name).toBeLessThanOrEqual(most + 1_000)
}

/** 410 ends the delivery and pauses its channel: the second event is never sent. */
async function expectGone(place: Place, receiver: Receiver): Promise<void> {
  await eventually(async () => {
    const { deliveries } = await readLedger(place.database())
    const own = deliveries.filter(({ endpoint }) => endpoint === receiver.url('/gone'))
    expect(own.map(({ state }) => state)).toEqual(['exhausted', 'cancelled'])
  })
  expect(receiver.seen.filter(({ path }) => path === '/gone')).toHaveLength(1)
}

const PAUSES_MS = [1_000, 5_000, 30_000]

/** The same bytes and key under fresh signatures, on the documented schedule of pauses ± 25 %. */
async function expectThrice(place: Place, receiver: Receiver): Promise<void> {
  const copies = () =>
    receiver.seen.filter(({ path, status }) => path === '/thrice' && status === 'working')
  const wanted = isLong ? 4 : 3
  await eventually(() => expect(copies().length).toBeGreaterThanOrEqual(wanted), {
    timeoutMs: 120_000,
  })
  const [first, ...others] = copies() as [Receiver['seen'][number], ...Receiver['seen']]
  for (const copy of others) {
    expect(copy.body.equals(first.body)).toBe(true)
    expect(copy.idempotency_key).toBe(first.idempotency_key)
  }
  expect(new Set(copies().map(({ nonce }) => nonce)).size).toBe(copies().length)
  const arrivals = copies().map(({ arrivedAt }) => arrivedAt)
  for (const [index, pauseMs] of PAUSES_MS.slice(0, wanted - 1).entries()) {
    const waited = (arrivals[index + 1] as number) - (arrivals[index] as number)
    expect(waited, `pause ${index + 1}`).toBeGreaterThan(pauseMs * 0.75 - 50)
    expect(waited, `pause ${index + 1}`).toBeLessThan(pauseMs * 1.25 + 5_000)
  }
  if (isLong) return
  await eventually(async () => {
    const { delivery, attempts } = await firstEvent(place, receiver.url('/thrice'))
    expect(returned(attempts)).toEqual(Array(3).fill('failed 503'))
    const waits = delivery.due_at - (attempts.at(-1)?.completed_at as number)
    expect(waits).toBeGreaterThanOrEqual(22_500)
    expect(waits).toBeLessThanOrEqual(37_501)
  })
}
