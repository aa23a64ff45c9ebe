// What a request promotes twice, in its manifest and outside it (spec 2.4): the manifest takes precedence, and
// offerings that are not in the creative for that reason are reported.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { BrandManifest } from '../../protocol/schemas/promoted-offerings.ts'
import type { BuildSources } from './build-sources.ts'

const MAX_NAMED = 5

/** `isReturned` returns whether a name can be read in the creative. */
export function rivalNotes(
  { rival, promoted }: Pick<BuildSources, 'rival' | 'promoted'>,
  isReturned: (name: string) => boolean,
): string[] {
  if (!rival) return []
  const offered = rival.inline_offerings ?? rival.offerings ?? []
  const isOnly = promoted.offerings.length === offered.length
  const unseen = isOnly ? [] : offered.map(({ name }) => name).filter((name) => !isReturned(name))
  const [brand, other] = [nameOf(promoted.brand_manifest), nameOf(rival.brand_manifest)]
  const isOther =
    other !== undefined && brand !== undefined && other !== brand && !isReturned(other)
  return [
    ...(isOther
      ? [`the brand “${other}” of promoted_offerings is not used: creative_manifest has “${brand}”`]
      : []),
    ...unseen
      .slice(0, MAX_NAMED)
      .map(
        (name) =>
          `the offering “${name}” of promoted_offerings is not used: creative_manifest has its own offerings`,
      ),
  ]
}

function nameOf(brand: BrandManifest | string | undefined): string | undefined {
  return isObject(brand) ? (brand as BrandManifest).name : brand
}
