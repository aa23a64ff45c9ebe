import { expect, test } from 'vitest'
import { type LongTurn, watchTurns } from '../../../src/lib/turn-watch.ts'
import type { FromPoolWorker } from '../../../src/lib/worker-pool/worker.ts'
import { workerInProcess } from '../../../src/lib/worker-pool/worker-in-process.ts'
import { eventually } from '../../support/eventually.ts'

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('H1: a job that blocks the event loop is reported under its own name', async () => {
  const messages: FromPoolWorker[] = []
  const turns: LongTurn[] = []
  const stop = watchTurns({ thresholdMs: 60, onLongTurn: (turn) => turns.push(turn) })
  const start = workerInProcess(async () => async () => {
    block(150)
    return 'done'
  })
  const worker = start({ message: (message) => messages.push(message), ended: () => {} })
  worker.send({ job: 1, request: undefined })
  await eventually(() => expect(messages).toContainEqual({ job: 1, answer: 'done' }))
  await eventually(() => expect(turns.length).toBeGreaterThan(0))
  stop()
  worker.kill()
  expect(turns.flatMap(({ during }) => during)).toContain('thread: worker in process')
})
