// An HTML banner with as much of the requested motion as fits its slot (spec 2.3, 4.2): no word is ever lost for
// motion. Motion is dropped before anything else is, and the answer reports what was done.

import { defined } from '../../lib/defined.ts'
import type { ComposedAd } from '../layout-engine/compose.ts'
import { composeHtml } from '../layout-engine/compose-html.ts'
import type { Scene } from '../layout-engine/scene.ts'
import {
  type BannerMotion,
  type BannerScript,
  type MotionRules,
  motionsFor,
  scriptOf,
} from '../motion/banner-motion.ts'
import type { MotionRequest } from '../motion/motion-request.ts'
import type { BuildSlot } from './slots.ts'

export interface BannerRequest {
  slot: Pick<BuildSlot, 'name' | 'requirements'>
  clickUrl: string | undefined
  preference: MotionRequest | undefined
  note: (text: string) => void
}

export interface WrittenBanner {
  markup: string
  motion: BannerMotion
  /** What is displayed, the advertisement itself first. */
  scenes: readonly Scene[]
}

export function writeBanner(
  ad: ComposedAd,
  { slot, clickUrl, preference, note }: BannerRequest,
): WrittenBanner {
  const { max_file_size_kb = Number.POSITIVE_INFINITY, ...others } = slot.requirements
  const rules: MotionRules = others
  const motions = motionsFor(preference, rules)
  for (const motion of motions) {
    const script = scriptOf(ad, motion, rules)
    if (!script) continue
    const markup = composeHtml(ad, { script, ...defined({ clickUrl }) })
    const isSmall = Buffer.byteLength(markup) <= max_file_size_kb * 1_024
    if (!isSmall && motion !== 'still') continue
    // No motion was requested, and this is the usual one for banners.
    if (preference !== undefined || motion !== 'entrance')
      note(`${slot.name}: ${reported(motion, script)}${whyNotMore(motion, preference, rules)}`)
    return { markup, motion, scenes: [ad.scene, ...script.reported.map(({ scene }) => scene)] }
  }
  throw new Error('a banner can always be static')
}

function reported(motion: BannerMotion, { reported: scenes, endAtMs }: BannerScript): string {
  const time = `${(endAtMs / 1_000).toFixed(1)} s`
  if (motion === 'still') return 'without motion'
  if (motion === 'entrance') return `its words enter one after the other, within ${time}`
  return `animated once, in ${scenes.length + 1} scenes of ${time} together, and ends on the whole advertisement`
}

function whyNotMore(
  motion: BannerMotion,
  preference: MotionRequest | undefined,
  { animation_allowed, max_animation_duration_ms }: MotionRules,
): string {
  if (motion === 'scenes' || preference === 'still') return ''
  if (animation_allowed === false) return ': the format allows none'
  if (preference !== 'animated') return ''
  const limit = max_animation_duration_ms === undefined ? '' : ' or time'
  return `: scenes find no room${limit} in it`
}
