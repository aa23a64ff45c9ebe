// How an HTML banner moves: whether it does, in which scenes, and when (spec 2.4). It plays once and ends on the
// complete advertisement, which is also displayed if motion is unwanted or impossible.

import type { ComposedAd } from '../layout-engine/compose.ts'
import { type Part, type Scene, type SceneRole, saidBy } from '../layout-engine/scene.ts'
import type { MotionRequest } from './motion-request.ts'

/** entrance: its parts enter one after another. scenes: the same, preceded by scenes. */
export type BannerMotion = 'still' | 'entrance' | 'scenes'

/** What a format says about motion; slots of any type may say it. */
export interface MotionRules {
  animation_allowed?: boolean | undefined
  max_animation_duration_ms?: number | undefined
}

export interface BannerScript {
  /** Before the advertisement itself, each lasting until the next begins. */
  reported: readonly DescribedScene[]
  /** When the advertisement itself is uncovered, and when all motion has ended. */
  openAtMs: number
  endAtMs: number
}

export interface DescribedScene {
  scene: Scene
  startMs: number
  durationMs: number
}

/** How long a part takes to enter, and the delay after the previous one. */
export const ENTER_MS = 600
const STEP_MS = 220
/** One scene gives way to the next. */
export const CROSS_MS = 500
/** The button is highlighted once, after everything has been visible for a moment. */
export const NUDGE_MS = 900
const NUDGE_AFTER_MS = 800
/** Applies to any scenes: what the industry calls short. */
const MAX_MS = 15_000

/** Those that enter, in order; brand and disclaimer are visible from the beginning. */
export const ENTERING: readonly SceneRole[] = ['headline', 'offer', 'description', 'call_to_action']
/** The offer and what is said of it enter together. */
const STEPS: readonly SceneRole[] = ['headline', 'description', 'call_to_action']

export function enterAtMs(role: SceneRole): number {
  return Math.max(STEPS.indexOf(role === 'offer' ? 'description' : role), 0) * STEP_MS
}

/** The most motion that is requested and allowed. */
export function motionsFor(
  preference: MotionRequest | undefined,
  rules: MotionRules,
): BannerMotion[] {
  if (preference === 'still' || rules.animation_allowed === false) return ['still']
  return preference === 'animated' ? ['scenes', 'entrance', 'still'] : ['entrance', 'still']
}

/** Undefined when it does not fit the time, or when there are no scenes. */
export function scriptOf(
  ad: ComposedAd,
  motion: BannerMotion,
  { max_animation_duration_ms = MAX_MS }: MotionRules = {},
): BannerScript | undefined {
  if (motion === 'still') return { reported: [], openAtMs: 0, endAtMs: 0 }
  const reported = motion === 'scenes' ? describeScenes(ad) : []
  if (motion === 'scenes' && reported.length === 0) return undefined
  const last = reported.at(-1)
  const openAtMs = last ? last.startMs + last.durationMs : 0
  const hasButton = ad.parts.some(({ role }) => role === 'call_to_action')
  const entered = openAtMs + enterAtMs('call_to_action') + ENTER_MS
  const endAtMs = motion === 'scenes' && hasButton ? entered + NUDGE_AFTER_MS + NUDGE_MS : entered
  return endAtMs <= Math.min(max_animation_duration_ms, MAX_MS)
    ? { reported, openAtMs, endAtMs }
    : undefined
}

/** The headline alone and large, then the description; only text of the advertisement itself. */
function describeScenes(ad: ComposedAd): DescribedScene[] {
  const returned = (role: SceneRole) => textOf(ad.parts, role)
  const headline = returned('headline')
  const description = returned('description')
  if (headline === '' || (description === '' && returned('call_to_action') === '')) return []
  let startMs = 0
  const reported: DescribedScene[] = []
  for (const text of [headline, description].filter((one) => one !== '')) {
    const scene = ad.retold(() => ({
      texts: { headline: text, description: '', call_to_action: '' },
    }))
    // What does not fit alone in large letters is shown only in the advertisement itself.
    if (textOf(scene.parts, 'headline') !== text) continue
    const durationMs = readingMs(text)
    reported.push({ scene, startMs, durationMs })
    startMs += durationMs
  }
  return reported
}

function textOf(parts: readonly Part[], role: SceneRole): string {
  return saidBy(parts.find((part) => part.role === role))
}

/** How long a text is displayed: time to notice it, and to read it at an easy pace. */
export function readingMs(text: string): number {
  return Math.round(Math.min(Math.max(1_400 + text.length * 45, 2_200), 4_500))
}
