// What a build depends on, as one hash: equal requests have equal recipes, and without a model equal
// results (spec 4.2).

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { Format } from '../../protocol/schemas/format.ts'

/** Must be raised when equal requests start to give different results. */
const RECIPE_VERSION = 5

const COUNTED = [
  'message',
  'copy',
  'instructions',
  'avoid',
  'style',
  'creative_manifest',
  'brand',
  'brand_manifest',
  'promoted_offerings',
  'creative_id',
] as const satisfies readonly (keyof BuildCreativeRequest)[]

export function recipeHash(request: BuildCreativeRequest, formats: readonly Format[]): string {
  const given = COUNTED.map((member) => request[member] ?? null)
  const targets = formats.map(({ format_id: { agent_url: _, ...id } }) => id)
  return createHash('sha256')
    .update(canonicalJson([RECIPE_VERSION, targets, given]))
    .digest('hex')
}
