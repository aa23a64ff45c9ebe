// kill -9 of a server while a caller with an idempotency key waits (spec 7.3): a caller that repeats the call gets
// the task that the first call began. At once from the server that is restarted on SQLite, and within a lease from
// another instance on PostgreSQL.

import { expect, onTestFinished, test } from 'vitest'
import type { Answer } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { newKey, startTaskServer } from '../support/faults/task-server.ts'

const REQUEST = { steps: 3, pause_ms: 200, idempotency_key: 'repeated-0123456789' }

const tasksOf = (place: Place) =>
  place
    .database()
    .read.all<{ task_id: string; status: string }>('SELECT task_id, status FROM tasks')

const codesOf = ({ body }: Answer) =>
  ((body.errors ?? []) as { code: string }[]).map(({ code }) => code)

test('spec 7.3: on SQLite the next server answers a repeated call at once, with the same task', async () => {
  const place = await createPlace('sqlite')
  onTestFinished(place.drop)
  const first = await startTaskServer(place)
  const key = await newKey(place)
  const lost = first.labour(key, REQUEST).catch(() => 'cut')
  await eventually(async () => expect(await tasksOf(place)).toHaveLength(1))
  first.kill('SIGKILL')
  expect([await lost, await first.ended]).toEqual(['cut', 'SIGKILL'])

  const second = await startTaskServer(place)
  const answer = await second.labour(key, REQUEST)
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ steps: 3 })])
  expect(await tasksOf(place)).toHaveLength(1)
  const other = await second.labour(key, { ...REQUEST, steps: 1 })
  expect([other.status, codesOf(other)]).toEqual([409, ['IDEMPOTENCY_CONFLICT']])
})

test('spec 7.3: on PostgreSQL another instance answers it once the lease has ended', async () => {
  const place = await createPlace('postgres')
  onTestFinished(place.drop)
  const lease = { ADWIRE_TASK_LEASE_SECONDS: '3' }
  const first = await startTaskServer(place, lease)
  const second = await startTaskServer(place, lease)
  const key = await newKey(place)
  const leaseUntil = async () => {
    const sql = 'SELECT lease_until FROM idempotent_requests'
    return (await place.database().read.get<{ lease_until: number }>(sql))?.lease_until ?? 0
  }
  const lost = first.labour(key, { ...REQUEST, pause_ms: 60_000 }).catch(() => 'cut')
  await eventually(async () => expect(await tasksOf(place)).toHaveLength(1))
  const repeat = () => second.labour(key, { ...REQUEST, pause_ms: 60_000 })
  const early = await repeat()
  expect([early.status, codesOf(early)]).toEqual([409, ['IDEMPOTENCY_IN_FLIGHT']])
  // It is renewed while the call runs.
  const begun = await leaseUntil()
  await eventually(async () => expect(await leaseUntil()).toBeGreaterThan(begun))

  first.kill('SIGKILL')
  expect(await lost).toBe('cut')
  const [task] = await tasksOf(place)
  const answering = eventually(async () => {
    const repeated = await repeat()
    if (repeated.status === 409) throw new Error(codesOf(repeated).join())
    return repeated
  })
  // The instance that takes over the key waits for the existing task; a stop returns the id of the task.
  const died = await leaseUntil()
  await eventually(async () => expect(await leaseUntil()).toBeGreaterThan(died))
  second.kill('SIGTERM')
  const answer = await answering
  expect([answer.status, answer.body.task_id]).toEqual([202, task?.task_id])
  expect(await tasksOf(place)).toHaveLength(1)
})
