import { expect, test } from 'vitest'
import { z } from 'zod'
import { pageOf } from '../../../../src/console/api/common.ts'
import { pageWriter, writerOf } from '../../../../src/transports/http/console/tolerant-page.ts'

const page = pageOf(z.strictObject({ buy_id: z.string(), budget: z.number() }))

test('a row that does not fit is listed as unreadable, beside the rows that do', () => {
  const seen: unknown[] = []
  const write = pageWriter(page, (error) => seen.push(error))
  const items = [
    { buy_id: 'a', budget: 1 },
    { buy_id: 'b', budget: Number.POSITIVE_INFINITY },
    { buy_id: 'c', budget: 3 },
  ]
  const written = JSON.parse(write({ items, next_cursor: 'more' }))
  expect(written).toMatchObject({
    items: [{ buy_id: 'a' }, { buy_id: 'c' }],
    next_cursor: 'more',
    unreadable: [{ id: 'b', reason: expect.stringContaining('budget') }],
  })
  expect(seen).toHaveLength(1)
})

test('a page whose rows all fit is written as it is', () => {
  const write = pageWriter(page, () => expect.unreachable())
  expect(JSON.parse(write({ items: [{ buy_id: 'a', budget: 1 }] }))).toEqual({
    items: [{ buy_id: 'a', budget: 1 }],
  })
})

test('what is wrong with the page itself is still an error', () => {
  const write = pageWriter(page, () => {})
  expect(() => write({ items: [{ buy_id: 'a', budget: 1 }], next_cursor: 7 })).toThrow()
})

test('responses that are no page keep the usual writer', () => {
  expect(writerOf(z.strictObject({ items: z.number() }), () => {})).toEqual({})
  expect(writerOf(undefined, () => {})).toEqual({})
})
