import { expect, test } from 'vitest'
import { readAsk } from '../../../src/media-buys/proposals/read-ask.ts'

test('spec 4.5: what should go, and which part of the budget goes where, is read', () => {
  expect(readAsk('Drop the display product, and 60% to video.')).toEqual({
    drops: ['display'],
    shifts: [{ words: 'video', percent: 60 }],
    hasMore: false,
  })
})

test.each([
  'Do not drop the video product.',
  "don't remove video",
  'Drop everything except video',
  'drop all but video',
  'remove audio but keep video',
  'cut video to 20%',
  'not more than 60% to video',
])('spec 4.5: what may mean the opposite is not read: %s', (ask) => {
  expect(readAsk(ask)).toEqual({ drops: [], shifts: [], hasMore: true })
})

test('a long list of requests is read up to the number of products in a plan, and the rest is reported', () => {
  const { drops, hasMore } = readAsk('drop a,'.repeat(1_000))
  expect(drops.length).toBeLessThan(10)
  expect(hasMore).toBe(true)
})
