import { expect, test } from 'vitest'
import { answerFault } from '../../src/caller/answer-fault.ts'
import { CALLER_LIMITS } from '../../src/caller/limits.ts'

const { answerBytes, nesting } = CALLER_LIMITS

/** An object with this many levels. */
const nested = (levels: number): Record<string, unknown> =>
  levels === 1 ? {} : { a: nested(levels - 1) }

test('an answer within its limits has no fault', async () => {
  expect(await answerFault({ products: [{ id: 1 }] })).toBeUndefined()
  expect(await answerFault(nested(nesting.value))).toBeUndefined()
  expect(await answerFault({ a: 'x'.repeat(answerBytes.value - 20) })).toBeUndefined()
})

test('an answer that is too deep or too large has a fault that names the limit', async () => {
  expect(await answerFault(nested(nesting.value + 1))).toContain(`${nesting.value} levels`)
  expect(await answerFault({ a: 'x'.repeat(answerBytes.value) })).toContain(
    `${answerBytes.value} bytes`,
  )
})
