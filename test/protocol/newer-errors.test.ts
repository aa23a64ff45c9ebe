import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taskError } from '../../src/protocol/errors.ts'
import {
  inFirstWords,
  inNewerWords,
  partsInNewerWords,
  pathOf,
} from '../../src/protocol/newer-errors.ts'

test.each([
  ['/target_format_id', 'target_format_id'],
  ['/packages/0/budget', 'packages[0].budget'],
  ['/creatives/12/assets/hero~1image/url', 'creatives[12].assets.hero/image.url'],
  ['/0/a', '0.a'],
  ['', ''],
  ['already.a[0].path', 'already.a[0].path'],
])('spec 7.2: the pointer %s is the path %s for callers of 3.x', (pointer, path) => {
  expect(pathOf(pointer)).toBe(path)
})

test('a path of plain names and numbers leads back to its pointer', () => {
  const name = fc.stringMatching(/^[a-z_]{1,8}$/)
  const parts = fc.tuple(name, fc.array(fc.oneof(name, fc.nat(999).map(String)), { maxLength: 6 }))
  fc.assert(
    fc.property(parts, ([first, others]) => {
      const pointer = `/${[first, ...others].join('/')}`
      const back = pathOf(pointer).replaceAll('[', '/').replaceAll(']', '').replaceAll('.', '/')
      expect(`/${back}`).toBe(pointer)
    }),
  )
})

test('spec 7.1: a signal that is not there is a reference that is not found, with its own words', () => {
  const error = taskError('SIGNAL_AGENT_SEGMENT_NOT_FOUND', 'no such signal', { field: '/a/0' })
  expect(inNewerWords(error)).toEqual({ ...error, code: 'REFERENCE_NOT_FOUND', field: 'a[0]' })
})

test('spec 9: in 3.0 a key that was used before is told of by code and message alone', () => {
  const conflict = taskError('IDEMPOTENCY_CONFLICT', 'used before', { field: '/idempotency_key' })
  expect(inFirstWords(conflict)).toEqual({ code: 'IDEMPOTENCY_CONFLICT', message: 'used before' })
  const other = taskError('INVALID_STATE', 'not now')
  expect(inFirstWords(other)).toBe(other)
})

test('spec 7.2, 9: rows that failed have paths and recoveries, and nothing else changes', () => {
  const error = taskError('VALIDATION_ERROR', 'too small', { field: '/accounts/1' })
  const { code, message, recovery } = error
  const row = { action: 'failed', error: { code, message }, errors: [error] }
  const violations = [{ rule: 'required', field: '/assets/image' }]
  const given = {
    accounts: [{ action: 'created' }, row],
    results: [{ violations }],
    errors: [error],
  }
  expect(partsInNewerWords(given)).toEqual({
    accounts: [
      { action: 'created' },
      {
        action: 'failed',
        error: { code, message, recovery },
        errors: [{ ...error, field: 'accounts[1]' }],
      },
    ],
    results: [{ violations: [{ rule: 'required', field: 'assets.image' }] }],
    errors: [{ ...error, field: 'accounts[1]' }],
  })
  expect(given.accounts[1]).toBe(row)
})
