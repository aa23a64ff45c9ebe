import { expect, test } from 'vitest'
import {
  type ListPort,
  listReferences,
  type ReferenceFilter,
} from '../../src/registry/list-references.ts'

function port(cursor: string | null) {
  const requested: ReferenceFilter[] = []
  const references: ListPort = {
    isCursor: (text) => text === 'ours',
    list: async (filter) => {
      requested.push(filter)
      return { references: [], total: 0, total_is_exact: true, cursor }
    },
  }
  return { references, requested }
}

test('a page says whether there may be more', async () => {
  for (const cursor of ['next', null]) {
    const { references } = port(cursor)
    expect(await listReferences(references, { limit: 10, cursor: 'ours' })).toMatchObject({
      ok: true,
      page: { cursor, has_more: cursor !== null },
    })
  }
})

test.each([
  [
    'an offset beyond what is read in vain',
    { offset: 1_001 },
    'use the cursor of the previous page',
  ],
  ['a cursor and an offset', { offset: 1, cursor: 'ours' }, 'not both'],
  ['a cursor that is none', { cursor: 'theirs' }, 'start again'],
])('%s is refused, and the store is not queried', async (_what, filter, why) => {
  const { references, requested } = port(null)
  const refused = await listReferences(references, { limit: 10, ...filter })
  expect(refused).toMatchObject({ ok: false, status: 400, error: expect.stringContaining(why) })
  expect(requested).toEqual([])
})

test('an offset up to the bound is taken', async () => {
  const { references, requested } = port(null)
  expect((await listReferences(references, { limit: 10, offset: 1_000 })).ok).toBe(true)
  expect(requested).toMatchObject([{ offset: 1_000 }])
})
