// SIGTERM while callers wait (spec 3.2): a caller that waits for a task is informed where to find it, a caller that
// waits for something else is informed that it should retry, and the process ends by itself and in time.

import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createPlace } from '../support/faults/place.ts'
import { newKey, startTaskServer } from '../support/faults/task-server.ts'

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 3.2: that is stopped reports to every caller what became of the call', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const first = await startTaskServer(place)
    const key = await newKey(place)
    const waiting = Array.from({ length: 5 }, (_, n) =>
      first.labour(key, {
        steps: 2,
        pause_ms: 600,
        n,
        idempotency_key: `waiting-${n}-0123456789`,
      }),
    )
    const slow = first.call('/v3/dawdle', key, { pause_ms: 60_000 })
    await eventually(async () => {
      const sql = 'SELECT count(*) AS n FROM tasks'
      expect(await place.database().read.get(sql)).toEqual({ n: waiting.length })
    })
    first.kill('SIGTERM')

    const answers = await Promise.all(waiting)
    const reported = answers.map(({ body }) => body.task_id as string)
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
      waiting.map(() => [202, 'working']),
    )
    expect(new Set(reported).size).toBe(waiting.length)
    const refused = await slow
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(refused.body).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] })
    // It ends with 1 when the stop takes longer than it may.
    expect(await first.ended).toBe(0)

    const second = await startTaskServer(place)
    for (const [n, id] of reported.entries()) {
      await eventually(async () => {
        const { body } = await second.call(`/v3/tasks/${id}`, key)
        expect(body).toMatchObject({ status: 'completed', result: { steps: 2 } })
      })
      // The same answer under the same key, and no second task.
      const again = { steps: 2, pause_ms: 600, n, idempotency_key: `waiting-${n}-0123456789` }
      const { status, body } = await second.labour(key, again)
      expect([status, body.task_id, body.replayed]).toEqual([202, id, true])
    }
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})
