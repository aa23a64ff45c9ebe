import { expect, test } from 'vitest'
import { type LongTurn, noteWork, watchTurns } from '../../src/lib/turn-watch.ts'
import { eventually } from '../support/eventually.ts'

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('H1: a turn that blocks the event loop is reported with the work in progress', async () => {
  const turns: LongTurn[] = []
  const stop = watchTurns({ thresholdMs: 60, onLongTurn: (turn) => turns.push(turn) })
  const end = noteWork('slow_task')
  const endOther = noteWork('ended_task')
  block(150)
  endOther()
  await eventually(() => expect(turns.length).toBeGreaterThan(0))
  end()
  stop()
  const [turn] = turns
  expect(turn?.during).toEqual(expect.arrayContaining(['ended_task', 'slow_task']))
  expect(turn?.ms).toBeGreaterThanOrEqual(60)
})
