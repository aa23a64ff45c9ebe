import { expect, test } from 'vitest'
import { MAX_READING_DIFFERENCES, MAX_READING_PARTS } from '../../src/creative/limits.ts'
import type { MessagePart } from '../../src/creative/message/account.ts'
import { messageReading } from '../../src/creative/message-reading.ts'

const part = (start: number, outcome: MessagePart['outcome'] = 'drawn'): MessagePart => ({
  start,
  end: start + 1,
  text: 'x',
  role: 'fact',
  ...(outcome && { outcome }),
})

test('spec 4.2: creatives in which a part came out otherwise are named with it', () => {
  const { parts, notes } = messageReading([
    { name: { creative: 0 }, reading: [part(0), part(1)] },
    { name: { creative: 1 }, reading: [part(0), part(1, 'omitted')] },
  ])
  expect(parts).toEqual([part(0), { ...part(1), differs: [{ creative: 1, outcome: 'omitted' }] }])
  expect(notes).toEqual([])
})

test('spec 4.2: what is too much for an answer is cut, and a note says so', () => {
  const many = Array.from({ length: MAX_READING_PARTS + 1 }, (_, at) => part(at))
  const others = Array.from({ length: 4 }, (_, at) => ({
    name: { creative: at + 1 },
    reading: many.map((one) => ({ ...one, outcome: 'omitted' as const })),
  }))
  const { parts, notes } = messageReading([{ name: { creative: 0 }, reading: many }, ...others])
  expect(parts).toHaveLength(MAX_READING_PARTS)
  expect(parts.flatMap(({ differs = [] }) => differs)).toHaveLength(MAX_READING_DIFFERENCES)
  expect(notes).toHaveLength(2)
})
