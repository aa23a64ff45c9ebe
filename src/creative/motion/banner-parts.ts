// The moving parts of an HTML banner: scenes that cover the advertisement while they play, and the style sheet that
// moves them. Without animations the scenes are not visible, and nothing of the advertisement is hidden.

import type { Scene } from '../layout-engine/scene.ts'
import { groundElement, partElement, type SvgOptions } from '../layout-engine/to-svg.ts'
import {
  type BannerScript,
  CROSS_MS,
  type DescribedScene,
  ENTER_MS,
  ENTERING,
  enterAtMs,
  NUDGE_MS,
} from './banner-motion.ts'

export interface Moving {
  /** The advertisement, with the scenes before it. */
  drawn: string
  style: string
}

export function movingParts(scene: Scene, script: BannerScript, options: SvgOptions): Moving {
  const own =
    groundElement(scene) + scene.parts.map((part) => partElement(part, scene, options)).join('')
  const covers = script.reported.map((reported, index) => coverOf(reported, index, options))
  return {
    drawn: sharePictures([own, ...covers]).join(''),
    style: script.endAtMs === 0 ? '' : styleOf(scene, script),
  }
}

/** With its own background: its text is readable there. */
function coverOf({ scene }: DescribedScene, index: number, options: SvgOptions): string {
  const ground = groundElement(scene).replaceAll(NAMED, `$1t${index}-`)
  const parts = scene.parts.map((part) => partElement(part, scene, options)).join('')
  return `<g class="told t${index}" opacity="0" aria-hidden="true">${ground}${parts}</g>`
}

/** Names of gradients, which would collide with those of the other scenes. */
const NAMED = /(\bid="|url\(#)/g

/** A picture that appears in several scenes at one place is in the document once. */
function sharePictures([own = '', ...covers]: readonly string[]): string[] {
  const pictures = [...new Set(own.match(PICTURE))]
  let first = own
  let others = covers
  for (const [index, picture] of pictures.entries()) {
    const name = `p${index}`
    if (!others.some((cover) => cover.includes(picture))) continue
    first = first.replace(picture, () => picture.replace('<image', `<image id="${name}"`))
    others = others.map((cover) => cover.replaceAll(picture, () => `<use href="#${name}"/>`))
  }
  return [first, ...others]
}

const PICTURE = /<image[^<>]*\/>/g

function styleOf(scene: Scene, script: BannerScript): string {
  const rise = Math.max(4, Math.round(scene.height * 0.02))
  return [
    '@media (prefers-reduced-motion:no-preference){',
    ...enteringRules(scene, script),
    ...script.reported.map(coverRules),
    '}',
    `@keyframes enter{from{opacity:0;transform:translateY(${rise}px)}}`,
    '@keyframes leave{to{opacity:0}}',
    '@keyframes nudge{40%{transform:scale(1.06)}}',
    ...script.reported.map((one, index) => coverFrames(one, index, script.reported.length)),
  ].join('\n')
}

/** For the advertisement itself, whose groups are direct children of the drawing. */
function enteringRules({ parts }: Scene, { reported, openAtMs, endAtMs }: BannerScript): string[] {
  return parts.flatMap(({ role }) => {
    if (!ENTERING.includes(role)) return []
    const enters = enterRule(openAtMs + enterAtMs(role))
    if (role !== 'call_to_action' || reported.length === 0) return `svg>.${role}{${enters}}`
    const nudge = `nudge ${seconds(NUDGE_MS)} ease-in-out ${seconds(endAtMs - NUDGE_MS)}`
    return `svg>.${role}{transform-box:fill-box;transform-origin:center;${enters},${nudge}}`
  })
}

/** Words leave before others enter: two texts in one place are unreadable. */
const LEAVE_MS = 250
const AFTER_MS = 150

/** Hidden only while a running animation hides it. */
function enterRule(atMs: number): string {
  return `animation:enter ${seconds(ENTER_MS)} cubic-bezier(.2,.7,.2,1) ${seconds(atMs)} backwards`
}

function coverRules({ startMs, durationMs }: DescribedScene, index: number): string {
  const wholeMs = durationMs + CROSS_MS
  return (
    `.t${index}{animation:tell${index} ${seconds(wholeMs)} linear ${seconds(startMs)}}` +
    `.t${index} .headline{${enterRule(startMs + AFTER_MS)},leave ${seconds(LEAVE_MS)} linear ${seconds(startMs + durationMs - LEAVE_MS)} forwards}`
  )
}

/** The next one covers it; the last one leaves, and uncovers the advertisement. */
function coverFrames({ durationMs }: DescribedScene, index: number, count: number): string {
  const share = (ms: number) => `${((100 * ms) / (durationMs + CROSS_MS)).toFixed(1)}%`
  const from = index > 0 ? `0%{opacity:0}${share(CROSS_MS)}{opacity:1}` : '0%{opacity:1}'
  const isLast = index === count - 1
  const to = isLast ? `${share(durationMs)}{opacity:1}100%{opacity:0}` : '100%{opacity:1}'
  return `@keyframes tell${index}{${from}${to}}`
}

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(2))}s`
}
