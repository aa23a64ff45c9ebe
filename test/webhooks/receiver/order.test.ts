import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FINAL_STATUSES, isFinalStatus } from '../../../src/protocol/final-status.ts'
import { healthOf } from '../../../src/webhooks/receiver/order.ts'
import type { TaskPosition } from '../../../src/webhooks/receiver/store.ts'

const T = Date.UTC(2026, 0, 1)
const at = (event_at: number | undefined) => ({
  family: 'task' as const,
  task_id: 't1',
  event_at,
})
const position = (changes: Partial<TaskPosition> = {}): TaskPosition => ({
  event_at: T,
  status: 'working',
  isFinal: false,
  ...changes,
})

test.each([
  ['the first of its task', at(T), undefined, true],
  ['a later one', at(T + 1), position(), true],
  ['one of the same time', at(T), position(), true],
  ['one without a time', at(undefined), position(), true],
  ['an older one', at(T - 1), position(), false],
  ['a later one after the end', at(T + 1), position({ status: 'failed', isFinal: true }), false],
  ['one of the time of the end', at(T), position({ status: 'failed', isFinal: true }), false],
  ['one without a time after the end', at(undefined), position({ isFinal: true }), false],
  [
    'a report after the end of its task',
    { ...at(T - 1), family: 'notification' as const },
    position({ isFinal: true }),
    true,
  ],
  [
    'one without a task',
    { family: 'artifact' as const, task_id: undefined, event_at: T - 1 },
    position({ isFinal: true }),
    true,
  ],
])('spec 6.4: %s', (_what, message, known, isNews) => {
  expect(healthOf(message, known).isNews).toBe(isNews)
})

interface Reported {
  status: string
  event_at: number
}

/** What a receiver does with what arrives, in that order. */
function applied(arriving: readonly Reported[]): Reported[] {
  let known: TaskPosition | undefined
  return arriving.filter((reported) => {
    if (!healthOf(at(reported.event_at), known).isNews) return false
    known = { ...reported, isFinal: isFinalStatus(reported.status) }
    return true
  })
}

const reported = fc.record({
  status: fc.constantFrom('submitted', 'working', 'input-required', ...FINAL_STATUSES),
  event_at: fc.integer({ min: T, max: T + 5 }),
})

test('spec 6.4: whatever arrives in whatever order, time never goes back and the first end stays', () => {
  fc.assert(
    fc.property(fc.array(reported, { maxLength: 12 }), (arriving) => {
      const kept = applied(arriving)
      kept.slice(1).forEach((one, index) => {
        expect(one.event_at).toBeGreaterThanOrEqual(kept[index]?.event_at as number)
      })
      expect(kept.slice(0, -1).filter(({ status }) => isFinalStatus(status))).toEqual([])
    }),
  )
})

test('spec 6.4: the end of a task is applied in whatever order its changes arrive', () => {
  const changes = fc
    .uniqueArray(fc.integer({ min: T, max: T + 50 }), { minLength: 1, maxLength: 8 })
    .map((times) => times.sort((a, b) => a - b))
    .chain((times) => {
      const all = times.map((event_at, index) => ({
        status: index === times.length - 1 ? 'completed' : 'working',
        event_at,
      }))
      return fc.shuffledSubarray(all, { minLength: all.length })
    })
  fc.assert(
    fc.property(changes, (arriving) => {
      expect(applied(arriving).at(-1)?.status).toBe('completed')
    }),
  )
})
