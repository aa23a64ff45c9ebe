import { expect, test } from 'vitest'
import { isFinalStatus } from '../../src/protocol/final-status.ts'
import { TASK_STATUSES } from '../../src/protocol/statuses.ts'
import { mayMove } from '../../src/tasks/status.ts'

test('spec 3.2: exactly these moves are made', () => {
  const moves = TASK_STATUSES.map((from) => [from, TASK_STATUSES.filter((to) => mayMove(from, to))])
  expect(Object.fromEntries(moves)).toEqual({
    submitted: ['working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
    working: ['working', 'input-required', 'completed', 'failed', 'canceled'],
    'input-required': [
      'submitted',
      'working',
      'input-required',
      'completed',
      'failed',
      'canceled',
      'rejected',
    ],
    completed: [],
    failed: [],
    canceled: [],
    rejected: [],
  })
})

test('spec 3.2: four statuses are the end', () => {
  expect(TASK_STATUSES.filter(isFinalStatus)).toEqual([
    'completed',
    'failed',
    'canceled',
    'rejected',
  ])
})
