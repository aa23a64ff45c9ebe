// Variants of one build (spec 4.2): how many there are, and how they are reported. They differ in layout, in the
// leading colour of the brand, and in what is said first; never in what is said.

import { hash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import {
  type BuildCreativeRequest,
  type BuildCreativeResponse,
  MAX_TARGETS,
} from '../../protocol/schemas/build-creative.ts'
import type { SentCreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import { MAX_BUILT_VARIANTS } from '../limits.ts'

/** For each target; fewer than requested where that exceeds the maximum. */
export function variantsOf({ max_variants = 1 }: BuildCreativeRequest): number {
  return Math.min(max_variants, MAX_BUILT_VARIANTS)
}

/** Throws a ProtocolError for more creatives than one call builds. */
export function refuseManyLeaves(targets: number, variants: number): void {
  if (targets * variants <= MAX_TARGETS) return
  const message = `${targets} formats in ${variants} variants are more than ${MAX_TARGETS} creatives: request fewer formats or variants`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/max_variants' })
}

type Reported = Pick<
  BuildCreativeResponse,
  'creatives' | 'items_total' | 'items_returned' | 'leaves_total' | 'leaves_returned'
>

/** `manifests` are the variants of the first target, then those of the next. */
export function variantsNote(
  manifests: readonly SentCreativeManifest[],
  variants: number,
  recipeHash: string,
): Reported & { keep_mode_applied: 'keep_all' } {
  const creatives: NonNullable<Reported['creatives']> = []
  for (let at = 0; at < manifests.length; at += variants) {
    const target = creatives.length
    const leaves = distinct(manifests.slice(at, at + variants)).map(
      ([manifest, variant], index) => ({
        build_variant_id: variantId(recipeHash, target, variant),
        recipe_hash: variant === 0 ? recipeHash : hash('sha256', `${recipeHash} ${variant}`),
        creative_manifest: manifest,
        rank: index + 1,
        recommended: index === 0,
      }),
    )
    creatives.push({ variants: leaves })
  }
  const leaves = creatives.reduce((sum, one) => sum + one.variants.length, 0)
  const items = { items_total: creatives.length, items_returned: creatives.length }
  const counts = { leaves_total: leaves, leaves_returned: leaves }
  return { creatives, ...items, ...counts, keep_mode_applied: 'keep_all' }
}

/** If everything was given, there is nothing to vary: then there is one. */
function distinct(
  manifests: readonly SentCreativeManifest[],
): (readonly [SentCreativeManifest, number])[] {
  const seen = new Map<string, readonly [SentCreativeManifest, number]>()
  for (const [variant, manifest] of manifests.entries()) {
    const key = canonicalJson(manifest)
    if (!seen.has(key)) seen.set(key, [manifest, variant])
  }
  return [...seen.values()]
}

/** The same for the same request, on every machine. */
export function variantId(recipeHash: string, target: number, variant: number): string {
  return `bv_${recipeHash.slice(0, 24)}_${target}_${variant}`
}

/** Which parts of the request the answer does not fulfil. */
export function variantNotes(
  request: BuildCreativeRequest,
  reported: Pick<Reported, 'creatives'> | undefined,
): string[] {
  const { max_variants = 1, variant_axis } = request
  if (max_variants === 1) return []
  const wanted = variantsOf(request)
  const isShort = reported?.creatives?.some(({ variants }) => variants.length < wanted)
  const dimension = variant_axis?.dimension
  const isFollowed = dimension === undefined || dimension === 'theme' || dimension === 'best_of_n'
  return [
    ...(max_variants > wanted ? [`at most ${wanted} variants are built of each creative`] : []),
    ...(isShort ? ['fewer variants than requested: the others would have been identical'] : []),
    ...(isFollowed
      ? []
      : [`variant_axis ${String(dimension).slice(0, 50)} is not followed: ${DIFFER}`]),
  ]
}

const DIFFER =
  'variants differ in layout, in the arrangement of colours and in the order of the text'
