import { expect, test } from 'vitest'
import { nearIds, nearInPages, suggestNear } from '../../src/protocol/near-ids.ts'

const KNOWN = ['sports_live_video', 'sports_live_audio', 'news_homepage', 'mb_1']

test('ids within two edits are near, the nearest first', () => {
  expect(nearIds('sports_live_vidoe', KNOWN)).toEqual(['sports_live_video'])
  expect(nearIds('sports_live_udio', ['sports_live_video', 'sports_live_audio'])).toEqual([
    'sports_live_audio',
  ])
  expect(nearIds('weather', KNOWN)).toEqual([])
})

test('otherwise those are near that have all of its words', () => {
  expect(nearIds('live-sports', KNOWN)).toEqual(['sports_live_video', 'sports_live_audio'])
  expect(nearIds('sports', KNOWN)).toEqual([])
  expect(nearIds('homepage_of_news', KNOWN)).toEqual(['news_homepage'])
  expect(nearIds('homepage_weather', KNOWN)).toEqual([])
})

test('an id that is known, short or long is near none', () => {
  expect(nearIds('news_homepage', KNOWN)).toEqual([])
  expect(nearIds('mb_2', KNOWN)).toEqual([])
  expect(nearIds('x'.repeat(200), ['x'.repeat(199)])).toEqual([])
})

test('a suggestion names at most three ids before the advice', () => {
  expect(suggestNear([], 'Use another.')).toBe('Use another.')
  expect(suggestNear(['a', 'b', 'c', 'd'], 'Use another.')).toBe(
    'Did you mean a or b or c? Use another.',
  )
})

test('a long list is read in pages, up to a limit', async () => {
  const ids = Array.from({ length: 9_000 }, (_, n) => `signal-${String(n).padStart(5, '0')}-name`)
  const pages: number[] = []
  const near = await nearInPages('signal-04999-nam', async (after, limit) => {
    pages.push(limit)
    return ids.filter((id) => after === undefined || id > after).slice(0, limit)
  })
  expect(near[0]).toBe('signal-04999-name')
  expect(pages).toHaveLength(5)
  expect(
    await nearInPages('signal-08999-name-x', async (after, limit) =>
      ids.filter((id) => after === undefined || id > after).slice(0, limit),
    ),
  ).toEqual([])
})
