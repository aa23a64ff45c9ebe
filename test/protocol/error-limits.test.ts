import { expect, test } from 'vitest'
import { boundedErrors, boundedIssues, sentenceOf } from '../../src/protocol/error-limits.ts'
import { type TaskError, taskError } from '../../src/protocol/errors.ts'

const issue = (n: number) => ({ pointer: `/${n}`, message: `wrong ${n}`, keyword: 'type' })
const issues = (count: number) => Array.from({ length: count }, (_, n) => issue(n))

test('a hundred are returned as they are', () => {
  expect(boundedIssues(issues(100))).toEqual(issues(100))
})

test('of more the last says how many were left out, those counted elsewhere included', () => {
  for (const [given, more, left] of [
    [101, 0, 2],
    [100, 1, 2],
    [100, 9_900, 9_901],
    [3, 98, 2],
  ] as const) {
    const reported = boundedIssues(issues(given), more)
    expect(reported.length).toBeLessThanOrEqual(100)
    expect(reported.at(-1)).toMatchObject({
      message: `${left} more errors not shown.`,
    })
  }
})

test('texts of any length are cut, and never within a character', () => {
  const long = '😀'.repeat(5_000)
  const [error] = boundedErrors([
    taskError('VALIDATION_ERROR', long, {
      field: `/${long}`,
      suggestion: long,
      issues: [{ pointer: `/${long}`, message: long, keyword: 'type' }],
    }),
  ])
  for (const text of [error.message, error.field, error.suggestion, error.issues?.[0]?.message]) {
    expect(text?.length).toBeLessThanOrEqual(2_000)
    expect(text).toMatch(/^\/?(😀)+…$/u)
  }
})

test('errors are reported like issues, the last under the code of the first', () => {
  const many = Array.from({ length: 250 }, (_, n) => taskError('VALIDATION_ERROR', `no ${n}`))
  const reported = boundedErrors(many as [TaskError, ...TaskError[]])
  expect(reported).toHaveLength(100)
  expect(reported.at(-1)).toEqual({
    code: 'VALIDATION_ERROR',
    message: '151 more errors not shown.',
    suggestion: 'Fix these errors and retry to see the rest.',
    recovery: 'correctable',
  })
})

test('one text holds what the issues say, as far as it may', () => {
  expect(sentenceOf([issue(1), { ...issue(2), pointer: '' }])).toBe('/1: wrong 1; wrong 2')
  expect(sentenceOf(issues(10_000)).length).toBeLessThanOrEqual(2_000)
})
