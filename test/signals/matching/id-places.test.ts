import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIdPlaces } from '../../../src/signals/matching/id-places.ts'

test('knows the place of every id as a Map would, through additions, moves and deletions', () => {
  const step = fc.tuple(
    fc.boolean(),
    fc.integer({ min: 0, max: 40 }).map((n) => `id-${n}`),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const ids: string[] = []
      const places = createIdPlaces((place) => ids[place]!)
      const map = new Map<string, number>()
      for (const [isSet, id] of steps) {
        if (isSet) {
          const place = ids.push(id) - 1
          places.delete(id)
          places.set(id, place)
          map.set(id, place)
        } else {
          places.delete(id)
          map.delete(id)
        }
      }
      expect(places.size).toBe(map.size)
      for (let n = 0; n <= 40; n++) expect(places.get(`id-${n}`)).toBe(map.get(`id-${n}`))
    }),
  )
})

test('grows with what it holds', () => {
  const ids = Array.from({ length: 5_000 }, (_, n) => `signal-${n}`)
  const places = createIdPlaces((place) => ids[place]!)
  for (const [place, id] of ids.entries()) places.set(id, place)
  expect(ids.every((id, place) => places.get(id) === place)).toBe(true)
  expect(places.get('signal-5000')).toBeUndefined()
})
