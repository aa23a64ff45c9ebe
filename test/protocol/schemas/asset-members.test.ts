// An asset of a known type is judged by the members of its type alone, where it has no others.

import { expect, test } from 'vitest'
import type { z } from 'zod'
import { ASSET_SHAPES, ASSET_TYPES } from '../../../src/protocol/schemas/asset-shapes.ts'
import { asset, sentAsset } from '../../../src/protocol/schemas/assets.ts'
import { issuesOf } from '../../../src/protocol/schemas/issues.ts'

/** What is told of it by the schema that knows every member of every type. */
const judged = (schema: z.ZodType, given: object) => {
  const parsed = schema.safeParse(given)
  // As a text: the order of the members is part of it.
  return JSON.stringify(parsed.success ? parsed.data : issuesOf(parsed.error, given))
}

test.each([...ASSET_TYPES])('spec 2.4: what is told of an asset of type %s', (asset_type) => {
  const members = Object.keys(ASSET_SHAPES[asset_type])
  const all = (value: unknown) => Object.fromEntries(members.map((name) => [name, value]))
  const unknown = { b: [1], a: { constructor: 'x' } }
  const examples = [
    { url: 'https://a.example/b', content: 'words', unknown, asset_type },
    { ...all('https://a.example/b'), ...unknown, asset_type },
    ...[7, -1, '', null, {}, []].map((value) => ({ asset_type, ...all(value), ...unknown })),
    { asset_type },
    { asset_type, vast_version: 4, html: 1, width: 'wide', duration_ms: '', provenance: 3 },
  ]
  for (const example of examples) {
    expect(judged(asset, example)).toBe(judged(sentAsset, example))
  }
})
