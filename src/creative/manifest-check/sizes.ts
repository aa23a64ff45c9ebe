// Whether a picture or video has the size that its slot and its format require (spec 2.3): fixed, within bounds, or
// of a ratio. What the manifest does not state is not checked.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { dimensionsOf } from '../renders.ts'
import type { Faults } from './fault.ts'

type Members = Readonly<Record<string, unknown>>

export function checkSize(
  asset: Members,
  { requirements, format }: { requirements: AssetRequirements; format: Format | undefined },
  faults: Faults,
): void {
  for (const side of ['width', 'height'] as const) {
    const value = asset[side]
    if (typeof value !== 'number' || !isPixels(requirements)) continue
    checkSide({ side, value }, requirements, faults)
  }
  const ratio = requirements.aspect_ratio ?? ratioOf(requirements, format)
  if (ratio !== undefined) checkRatio(asset, ratio, faults)
}

/** A physical size is not compared: assets state pixels. */
function isPixels({ unit = 'px' }: AssetRequirements): boolean {
  return unit === 'px' || unit === 'dp'
}

function checkSide(
  { side, value }: { side: 'width' | 'height'; value: number },
  requirements: AssetRequirements,
  faults: Faults,
): void {
  const least = requirements[`min_${side}`]
  const most = requirements[`max_${side}`]
  if (least !== undefined && least === most) {
    if (value === least) return
    const message = `The ${side} must be ${least} pixels, not ${value}.`
    faults.at(side).add(side, message, { expected: least, actual: value })
  } else if (least !== undefined && value < least) {
    const message = `The ${side} must be at least ${least} pixels, not ${value}.`
    faults.at(side).add(`min_${side}`, message, { expected: least, actual: value })
  } else if (most !== undefined && value > most) {
    const message = `The ${side} must be at most ${most} pixels, not ${value}.`
    faults.at(side).add(`max_${side}`, message, { expected: most, actual: value })
  }
}

/**
 * The ratio of the format, for a slot that states no size of its own. Only if there is a single render:
 * with several, it is unknown which slot fills which.
 */
function ratioOf(requirements: AssetRequirements, format: Format | undefined): string | undefined {
  const isSized = SIZE_RULES.some((rule) => requirements[rule] !== undefined)
  const [dimensions, ...others] = format ? dimensionsOf(format) : []
  return isSized || others.length > 0 ? undefined : dimensions?.aspect_ratio
}

const SIZE_RULES = ['min_width', 'max_width', 'min_height', 'max_height'] as const

/** Sizes are whole pixels and codecs prefer even ones, so hardly any matches a ratio exactly. */
const RATIO_TOLERANCE = 0.01

function checkRatio({ width, height }: Members, ratio: string, faults: Faults): void {
  if (typeof width !== 'number' || typeof height !== 'number') return
  const [wide, high] = ratio.split(':').map(Number)
  if (!wide || !high || !(width > 0) || !(height > 0)) return
  const wanted = wide / high
  // One pixel more or less is never an error: small pictures cannot be more exact.
  const isNear =
    Math.abs(width / height - wanted) <= wanted * RATIO_TOLERANCE ||
    Math.abs(width - height * wanted) <= 1
  if (isNear) return
  const message = `The ratio of width to height must be ${ratio}; ${width}x${height} is not.`
  faults.at('width').add('aspect_ratio', message, { expected: ratio, actual: `${width}:${height}` })
}
