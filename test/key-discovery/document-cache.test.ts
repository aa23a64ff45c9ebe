import { expect, test } from 'vitest'
import { createDocumentCache, type Loaded } from '../../src/key-discovery/document-cache.ts'
import { fakeClock } from '../support/fake-clock.ts'

test('spec 5: a refresh that fails leaves the copy that is still good, and no longer', async () => {
  const clock = fakeClock()
  let answer: Loaded<string> = { ok: true, value: 'keys' }
  const cache = createDocumentCache({ load: async () => answer, clock, ttlMs: 60_000 })
  await cache.get('u')
  answer = { ok: false, reason: 'away' }
  expect(await cache.refresh('u')).toEqual(answer)
  expect((await cache.get('u')).loaded).toEqual({ ok: true, value: 'keys' })
  clock.advance(60_000)
  expect((await cache.get('u')).loaded).toEqual(answer)
})
