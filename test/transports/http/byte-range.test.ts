import { expect, test } from 'vitest'
import { byteRange } from '../../../src/transports/http/byte-range.ts'

test.each([
  [undefined, 'whole'],
  ['bytes=0-', { start: 0, end: 100 }],
  ['bytes=0-0', { start: 0, end: 1 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes=90-500', { start: 90, end: 100 }],
  ['bytes=-10', { start: 90, end: 100 }],
  ['bytes=-500', { start: 0, end: 100 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=-', 'whole'],
])('RFC 9110 §14.2: of 100 bytes %j requests %j', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range)
})
