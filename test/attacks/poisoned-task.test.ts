// A task whose step kills the process that runs it (spec 3.2), on two instances over a PostgreSQL and on one over
// SQLite, each restarted when it has died: it fails after three deaths, once, and is reported once; other tasks
// running at the time complete, and the servers stay up.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../support/app.ts'
import type { StoreName } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { newKey, startTaskServer, type TaskServer } from '../support/faults/task-server.ts'

/** Starts a server again as often as it is killed, until the test ends. */
async function supervised(place: Place, onDeath: () => void) {
  let isOver = false
  let server = await startTaskServer(place)
  const watch = async (watched: TaskServer): Promise<void> => {
    if ((await watched.ended) !== 'SIGKILL' || isOver) return
    onDeath()
    server = await startTaskServer(place)
    await watch(server)
  }
  const watching = watch(server)
  return {
    server: () => server,
    stop: async () => {
      isOver = true
      server.kill('SIGTERM')
      await watching
      return server.ended
    },
  }
}

test.each([
  ['one instance over', 'sqlite', 1],
  ['two instances over', 'postgres', 2],
] as const)(
  'spec 3.2: on %s %s a task that kills its process fails after three deaths, once',
  async (_title, store: StoreName, instances) => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    let deaths = 0
    const fleet: Awaited<ReturnType<typeof supervised>>[] = []
    // One after the other: the first makes the tables.
    for (let n = 0; n < instances; n++) fleet.push(await supervised(place, () => deaths++))
    const first = fleet[0]!.server()
    const key = await newKey(place)

    const beside = await first.labour(key, {
      steps: 4,
      pause_ms: 300,
      idempotency_key: 'beside-0123456789',
      push_notification_config: { url: receiver.url('/beside') },
    })
    expect(beside.status).toBe(202)
    // The one that takes it up may be the one that was called, and not live to answer.
    const request = { is_deadly: true, push_notification_config: { url: receiver.url('/deadly') } }
    await first.labour(key, request).catch(() => undefined)
    const reported = (path: string) => receiver.seen.filter((one) => one.path === path)
    await eventually(() => expect(reported('/deadly')).toHaveLength(1))
    await eventually(() => expect(reported('/beside')).toHaveLength(1))

    expect(deaths).toBe(3)
    const [ending] = reported('/deadly')
    expect(JSON.parse(String(ending?.body))).toMatchObject({
      status: 'failed',
      result: { errors: [{ code: 'TASK_ABANDONED', suggestion: expect.any(String) }] },
    })
    expect(reported('/beside')[0]?.status).toBe('completed')

    // Every instance is there, and stays: it takes up nothing of this task any more.
    for (const one of fleet) {
      await eventually(async () => {
        expect((await call(`${one.server().url}/healthz`)).status).toBe(200)
      })
      const { status, body } = await one.server().labour(key, { steps: 1 })
      expect([status, body.steps]).toEqual([200, 1])
    }
    await sleep(1_100)
    expect(deaths).toBe(3)
    for (const one of fleet) expect(await one.stop()).toBe(0)
    const { tasks, deliveries } = await readLedger(place.database())
    const task_id = ending?.task_id
    expect(tasks.find((task) => task.task_id === task_id)).toMatchObject({
      status: 'failed',
      history: ['failed'],
    })
    expect(tasks.filter(({ status }) => status === 'failed')).toHaveLength(1)
    expect(deliveries.filter((one) => one.task_id === task_id)).toHaveLength(1)
  },
)
