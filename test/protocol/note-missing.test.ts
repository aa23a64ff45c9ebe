import { expect, test } from 'vitest'
import { noteMissing } from '../../src/protocol/note-missing.ts'

const about = { field: '/media_buy_ids', what: 'media buy' }

test('spec 7: an id that names nothing is answered with a note, by its place', () => {
  const notes: string[] = []
  const note = (sentence: string) => notes.push(sentence)
  noteMissing({ note }, { ...about, ids: ['a', 'b', 'x'.repeat(300)], found: ['a'] })
  expect(notes).toEqual([
    '/media_buy_ids/1: no media buy b was found',
    `/media_buy_ids/2: no media buy ${'x'.repeat(100)}… was found`,
  ])
  noteMissing({ note }, { ...about, ids: undefined, found: [] })
  expect(notes).toHaveLength(2)
})
