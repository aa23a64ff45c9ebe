// The timing of a video: the lengths of its shots, and for every moment which backgrounds and layers are visible, how
// opaque they are, and how far below their position. Pure.

import { CROSS_MS, ENTER_MS, readingMs } from '../motion/banner-motion.ts'

export interface Shot {
  startMs: number
  endMs: number
  /** Of the film's grounds. */
  ground: number
  /** The layers of the video, in the order in which they enter. */
  layers: readonly number[]
}

export interface FrameContent {
  /** The second lies over the first. */
  grounds: readonly { ground: number; opacity: number }[]
  layers: readonly { layer: number; opacity: number; rise: number }[]
}

/** The last shot stays longer: it is the one to remember. */
const LAST_SHARE = 0.34
const LAST_MS = { least: 3_000, most: 9_000 }
const LEAST_SHOT_MS = 1_800

/** Start times of the texts before the last shot, limited to those that there is time for. */
export function shotTimes(texts: readonly string[], durationMs: number): number[] {
  const lastMs = Math.min(
    Math.max(durationMs * LAST_SHARE, LAST_MS.least),
    LAST_MS.most,
    durationMs,
  )
  const free = durationMs - lastMs
  const reported = texts.slice(0, Math.floor(free / LEAST_SHOT_MS))
  if (reported.length === 0) return [0]
  const total = reported.reduce((sum, text) => sum + readingMs(text), 0)
  const starts: number[] = []
  let at = 0
  for (const text of reported) {
    starts.push(Math.round(at))
    at += (free * readingMs(text)) / total
  }
  return [...starts, Math.round(free)]
}

const LEAVE_MS = 300
const AFTER_MS = 200
const STEP_MS = 260

export function seenAt(timeMs: number, shots: readonly Shot[]): FrameContent {
  const index = Math.max(
    shots.findLastIndex(({ startMs }) => startMs <= timeMs),
    0,
  )
  const shot = shots[index] as Shot
  const before = shots[index - 1]
  const after = shots[index + 1]
  const local = timeMs - shot.startMs
  const there = new Set(before ? before.layers : fromTheStart(shots))
  const entering = shot.layers.filter((layer) => !there.has(layer))
  const layers = shot.layers.map((layer) => {
    const turn = entering.indexOf(layer)
    const entered = turn < 0 ? 1 : eased((local - AFTER_MS - turn * STEP_MS) / ENTER_MS)
    const stays = !after || after.layers.includes(layer)
    const left = stays ? 1 : clamped((shot.endMs - timeMs) / LEAVE_MS)
    return { layer, opacity: entered * left, rise: 1 - entered }
  })
  const seen = layers.filter(({ opacity }) => opacity > 0)
  return { grounds: groundsAt(local, shot, before), layers: seen }
}

/** Layers visible throughout the video, such as a brand and a disclaimer, so that its first frame is not empty. */
function fromTheStart([first, ...others]: readonly Shot[]): readonly number[] {
  if (!first || others.length === 0) return first?.layers.slice(0, 1) ?? []
  return first.layers.filter((layer) => others.every(({ layers }) => layers.includes(layer)))
}

function groundsAt(
  local: number,
  { ground }: Shot,
  before: Shot | undefined,
): FrameContent['grounds'] {
  const own = { ground, opacity: 1 }
  if (!before || before.ground === ground || local >= CROSS_MS) return [own]
  return [
    { ground: before.ground, opacity: 1 },
    { ground, opacity: clamped(local / CROSS_MS) },
  ]
}

function clamped(share: number): number {
  return Math.min(Math.max(share, 0), 1)
}

/** Fast at first, then gently into place. */
function eased(share: number): number {
  return 1 - (1 - clamped(share)) ** 3
}
