import { expect, test } from 'vitest'
import {
  membersOf,
  requestOf,
  withJson,
  withMembers,
} from '../../../console/src/studio/slot-members.ts'
import type { Slot } from '../../../src/console/api/studio.ts'

const image: Slot = {
  name: 'banner_image',
  asset_type: 'image',
  required: true,
  requirements: {
    min_width: 300,
    max_width: 300,
    min_height: 250,
    max_height: 250,
    formats: ['jpg', 'png'],
    max_file_size_kb: 200,
  },
}
const text: Slot = { name: 'headline', asset_type: 'text', required: true, requirements: {} }

test('what the format leaves no choice of is filled in with the first member', () => {
  const begun = withMembers({}, image, { url: 'https://a.example/a.png' })
  expect(begun).toEqual({
    banner_image: {
      asset_type: 'image',
      url: 'https://a.example/a.png',
      width: 300,
      height: 250,
    },
  })
  expect(withMembers(begun, image, { width: 600 }).banner_image).toMatchObject({ width: 600 })
})

test('an asset without its main members is gone, and the others stay', () => {
  const both = withMembers(withMembers({}, image, { url: 'x' }), text, { content: 'Hello' })
  expect(Object.keys(withMembers(both, image, { url: '' }))).toEqual(['headline'])
  expect(withMembers({}, image, { width: 300 })).toEqual({})
})

test('what has no fields is written as JSON, and taken away with it', () => {
  const catalog: Slot = { name: 'offers', asset_type: 'catalog', required: true }
  expect(membersOf(catalog)).toBeUndefined()
  const group = { min: 1, max: 3, members: [] }
  expect(membersOf({ ...text, asset_type: 'group', group })).toBeUndefined()
  expect(withJson({ a: 1 }, catalog, { items: [] })).toEqual({ a: 1, offers: { items: [] } })
  expect(withJson({ offers: 1 }, catalog, undefined)).toEqual({})
})

test('long texts have room for several lines', () => {
  expect(membersOf(text)?.[0]?.kind).toBe('text')
  expect(membersOf({ ...text, requirements: { max_length: 500 } })?.[0]?.kind).toBe('lines')
})

test('the requirements of a format are described in a readable message', () => {
  expect(requestOf(image)).toBe('300 × 250 px · jpg, png · at most 200 KB')
  expect(requestOf({ ...image, requirements: { min_width: 600, min_height: 315 } })).toBe(
    'at least 600 × 315 px',
  )
  expect(requestOf({ ...text, requirements: { max_length: 90, allowed_values: ['a', 'b'] } })).toBe(
    'at most 90 characters · one of: a, b',
  )
  const video = { min_duration_ms: 6_000, max_duration_ms: 30_000, aspect_ratio: '16:9' }
  expect(requestOf({ ...image, requirements: video })).toBe('ratio 16:9 · 6 to 30 s')
})
