import { expect, test } from 'vitest'
import type { Answer } from '../../../src/agent/answer.ts'
import { settledAs } from '../../../src/transports/a2a/keep-answer.ts'
import { createKeptTasks } from '../../../src/transports/a2a/kept-tasks.ts'
import { A2A_LIMITS } from '../../../src/transports/a2a/limits.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { IDENTIFIERS } from '../../support/test-agent.ts'

function counting(kept: { tasks: number; bytes: number }) {
  const clock = fakeClock()
  let requested = 0
  const tasks = {
    kept: async () => {
      requested++
      return { ...kept }
    },
  }
  return { room: createKeptTasks({ tasks, clock }), clock, kept, requested: () => requested }
}

test('there is room until a principal has as many tasks as are kept', async () => {
  const { room, requested } = counting({ tasks: A2A_LIMITS.keptTasks.value - 2, bytes: 0 })
  expect(await room.hasRoom('a', 10)).toBe(true)
  expect(await room.hasRoom('a', 10)).toBe(true)
  expect(await room.hasRoom('a', 10)).toBe(false)
  expect(requested()).toBe(1)
})

test('there is room until its answers are as large as is kept, and a smaller one may still fit', async () => {
  const { room } = counting({ tasks: 1, bytes: A2A_LIMITS.keptBytes.value - 100 })
  expect(await room.hasRoom('a', 101)).toBe(false)
  expect(await room.hasRoom('a', 100)).toBe(true)
  expect(await room.hasRoom('a', 1)).toBe(false)
})

test('what was forgotten meanwhile makes room again, a moment later', async () => {
  const { room, clock, kept } = counting({ tasks: A2A_LIMITS.keptTasks.value, bytes: 0 })
  expect(await room.hasRoom('a', 1)).toBe(false)
  kept.tasks = 0
  expect(await room.hasRoom('a', 1)).toBe(false)
  clock.advance(5_000)
  expect(await room.hasRoom('a', 1)).toBe(true)
})

test('an answer that no one waited for and that is too large to keep ends as a failure that says so', () => {
  const body = { status: 'completed', text: 'x'.repeat(A2A_LIMITS.keptBytesOfTask.value) }
  const json = () => JSON.stringify(body)
  const answer: Answer = {
    ok: true,
    callStatus: 'completed',
    body,
    json,
    bytes: () => Buffer.from(json()),
    writePaced: async () => true,
  }
  const settled = settledAs(answer, 'work', IDENTIFIERS)
  expect(settled.state).toBe('failed')
  expect(settled.body).toContain('send the message again and wait for the response')
  expect(settled.body?.length).toBeLessThan(2_000)
})
