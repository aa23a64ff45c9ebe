// The shots of a video (spec 4.2): the headline, the rest of the text sentence by sentence, and a final card with
// what to do and where. All in one design, so that what stays the same keeps its position. A video has no button:
// nothing in it can be pressed.

import { isUrl } from '../../lib/is-url.ts'
import type { ComposedAd } from '../layout-engine/compose.ts'
import { type AdContent, type Scene, type SceneRole, saidBy } from '../layout-engine/scene.ts'
import { groundElement, partElement, svgOf } from '../layout-engine/to-svg.ts'
import type { Film } from './draw-video.ts'
import { type Shot, shotTimes } from './schedule.ts'
import type { VideoSpec } from './video-spec.ts'

export interface ComposedFilm {
  film: Film
  /** What is displayed, in the order of the shots. */
  scenes: readonly Scene[]
  notes: readonly string[]
}

/** The margin that old screens and player frames may cut off: a twentieth of the longer side. */
export function safeMarginOf({ width, height }: { width: number; height: number }): number {
  return Math.ceil(Math.max(width, height) * 0.05)
}

export interface LastCard {
  callToAction: string
  /** Where the advertiser is found. */
  url: string | undefined
}

export function composeFilm(
  ad: ComposedAd,
  spec: VideoSpec,
  { callToAction, url }: LastCard,
): ComposedFilm {
  const notes: string[] = []
  const statements = statementsOf(ad)
  const starts = shotTimes(statements, spec.durationMs)
  const reported = statements.slice(0, starts.length - 1)
  for (const text of statements.slice(reported.length)) {
    if (text !== statements[0]) notes.push(`the video is too short for “${text}”`)
  }
  const last = [callToAction, addressOf(url)].filter((one) => one !== '').join(' · ')
  const scenes = [
    ...reported.map((text) => statementScene(ad, text, notes)),
    sceneOf(ad, ({ texts }) => ({ headline: texts.headline, description: last }), notes),
  ]
  return { film: filmOf(scenes, starts, spec), scenes, notes }
}

/** The headline, and the sentences of the description. */
function statementsOf(ad: ComposedAd): string[] {
  let found: string[] = []
  ad.retold(({ texts }) => {
    found = [texts.headline, ...sentencesOf(texts.description)]
    return {}
  })
  return [...new Set(found.filter((text) => text !== ''))]
}

function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)
  return [...segments].map(({ segment }) => segment.trim())
}

/** In large letters; text that is too long for them is below the headline. */
function statementScene(ad: ComposedAd, text: string, notes: string[]): Scene {
  const alone = ad.retold(() => ({
    texts: { headline: text, description: '', call_to_action: '' },
  }))
  if (visibleIn(alone, 'headline') === text) return alone
  return sceneOf(ad, ({ texts }) => ({ headline: texts.headline, description: text }), notes)
}

type Words = { headline: string; description: string }

function sceneOf(ad: ComposedAd, words: (content: AdContent) => Words, notes: string[]): Scene {
  let wanted: Words = { headline: '', description: '' }
  const scene = ad.retold((content) => {
    wanted = words(content)
    return { texts: { ...wanted, call_to_action: '' } }
  })
  for (const role of ['headline', 'description'] as const) {
    const returned = visibleIn(scene, role)
    if (returned === wanted[role]) continue
    notes.push(
      returned === ''
        ? `${role}: “${wanted[role]}” finds no room in the video`
        : `${role}: “${returned}” in the video, which has no space for more text`,
    )
  }
  return scene
}

function visibleIn({ parts }: Scene, role: SceneRole): string {
  return saidBy(parts.find((part) => part.role === role))
}

/** As people write it; a URL with macros is not an address yet. */
function addressOf(url: string | undefined): string {
  return url !== undefined && isUrl(url) ? new URL(url).hostname.replace(/^www\./, '') : ''
}

/** Brand first, then from top to bottom; what looks the same in two shots is one layer. */
const ORDER: readonly SceneRole[] = [
  'brand',
  'disclaimer',
  'headline',
  'offer',
  'description',
  'call_to_action',
]

function filmOf(scenes: readonly Scene[], starts: readonly number[], spec: VideoSpec): Film {
  const grounds = new Map<string, number>()
  const layers = new Map<string, number>()
  const numberOf = (known: Map<string, number>, svg: string) => {
    if (!known.has(svg)) known.set(svg, known.size)
    return known.get(svg) as number
  }
  const shots = scenes.map((scene, index): Shot => {
    const parts = [...scene.parts].sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role))
    return {
      startMs: starts[index] ?? 0,
      endMs: starts[index + 1] ?? spec.durationMs,
      ground: numberOf(grounds, svgOf(scene, groundElement(scene))),
      layers: parts.map((part) => numberOf(layers, svgOf(scene, partElement(part, scene)))),
    }
  })
  return { spec, shots, grounds: [...grounds.keys()], layers: [...layers.keys()] }
}
