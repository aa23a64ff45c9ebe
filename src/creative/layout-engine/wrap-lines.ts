// The lines of a measured text at one size. A line is a piece of the text, identified by its start and end; no more
// lines are examined than fit.

import { letterEnds } from './shaping/break-text.ts'
import type { Break } from './shaping/breaks.ts'
import { HYPHEN } from './shaping/hyphenation/hyphen-breaks.ts'
import type { MeasuredText } from './text-measure.ts'

/** A piece of the text, followed by `mark` (a hyphen). */
export interface Line {
  from: number
  to: number
  mark?: string
}

export interface LineRoom {
  /** In pixels. */
  size: number
  width: number
  /** Lines at most. */
  most: number
}

/** The start of a text up to `end`, and where its lines may end. */
export interface Stretch {
  breaks: readonly Break[]
  end: number
}

/** All of it: undefined if a piece is wider than the box, or there are too many lines. */
export function wrap(
  measured: MeasuredText,
  { breaks, end }: Stretch,
  room: LineRoom,
): Line[] | undefined {
  const lines: Line[] = []
  let [from, index] = [0, 0]
  while (lines.length < room.most) {
    const last = lastThatFits(measured, { breaks, end, from, index }, room)
    if (last < 0) return undefined
    const { to, next, mark } = breaks[last] as Break
    if (to >= end) return [...lines, { from, to: end }]
    lines.push({ from, to, ...(mark !== undefined && { mark }) })
    from = next
    index = last + 1
  }
  return undefined
}

interface Rest extends Stretch {
  from: number
  /** Of the first break behind `from`. */
  index: number
}

/** The break at the end of the longest line from here; -1 if the first piece is too wide. */
function lastThatFits(
  { width }: MeasuredText,
  { breaks, end, from, index }: Rest,
  room: LineRoom,
): number {
  let last = -1
  for (let at = index; at < breaks.length; at++) {
    const { to, mark } = breaks[at] as Break
    const isEnd = to >= end
    if (width(from, isEnd ? end : to, isEnd ? undefined : mark) * room.size > room.width) {
      // With a hyphen a part may be wider than the whole word.
      if (mark === undefined || isEnd) break
      continue
    }
    last = at
    if (isEnd) break
  }
  return last
}

/** Breaks within words too long for any line, and between words. */
export function onlyForced(
  { width }: MeasuredText,
  breaks: readonly Break[],
  room: LineRoom,
): readonly Break[] {
  return breaks.filter(({ word }) => !word || width(word.from, word.to) * room.size > room.width)
}

export function hyphensOf(lines: readonly Line[]): number {
  return lines.filter(({ mark }) => mark === HYPHEN).length
}

/** The same number of lines, of similar length: a last line with one short word looks like a mistake. */
export function balance(
  measured: MeasuredText,
  stretch: Stretch,
  { room, lines }: { room: LineRoom; lines: Line[] },
): Line[] {
  if (lines.length === 1) return lines
  let best = lines
  for (let share = 0.95; share >= 0.4; share -= 0.05) {
    const narrower = wrap(measured, stretch, {
      ...room,
      width: room.width * share,
      most: lines.length,
    })
    // No word is hyphenated only for the sake of even lines.
    if (narrower === undefined || hyphensOf(narrower) > hyphensOf(lines)) break
    best = narrower
  }
  return best
}

export const ELLIPSIS = '…'
/** In characters, of what a reader takes for one. */
const LONGEST_LETTER = 64
const LOOSE: ReadonlySet<string> = new Set([...' .,;:–—-、。，；：،؛।'])

/** As many whole words as fit, with an ellipsis; empty if not even one word fits. */
export function wrapShortened(
  measured: MeasuredText,
  breaks: readonly Break[],
  room: LineRoom,
): Line[] {
  const { text } = measured
  const lines: Line[] = []
  let [from, index] = [0, 0]
  while (lines.length < room.most) {
    const last = lastThatFits(measured, { breaks, end: text.length, from, index }, room)
    if (last < 0) break
    const { to, next, mark } = breaks[last] as Break
    lines.push({ from, to, ...(mark !== undefined && { mark }) })
    if (to >= text.length) return lines
    from = next
    index = last + 1
  }
  const first = index
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    const ends = breaks
      .slice(0, first)
      .filter(({ to, word }) => word === undefined && to > (line as Line).from)
    const cut = cutAt(measured, { ...line, ends: ends.map(({ to }) => to) }, room)
    if (cut !== undefined) return [...lines, cut]
  }
  return []
}

/** The beginning of the first word, with an ellipsis: for a word too long for any line. */
export function cutWord(
  measured: MeasuredText,
  breaks: readonly Break[],
  room: LineRoom,
): Line | undefined {
  const { text, width } = measured
  // Only the part that fits, and what may belong to its last letter, is split into letters.
  let [from, to] = [0, breaks[0]?.to ?? 0]
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (width(0, middle) * room.size <= room.width) from = middle
    else to = middle - 1
  }
  const ends = letterEnds(text, 0, Math.min(from + LONGEST_LETTER, breaks[0]?.to ?? 0))
  return cutAt(measured, { from: 0, to: from, ends }, room)
}

/** The line up to the last of these ends that fits with an ellipsis. */
function cutAt(
  { text, width }: MeasuredText,
  { from, to, ends }: Line & { ends: readonly number[] },
  room: LineRoom,
): Line | undefined {
  for (const place of ends.filter((at) => at <= to).reverse()) {
    let end = place
    while (end > from && LOOSE.has(text.charAt(end - 1))) end -= 1
    if (end > from && width(from, end, ELLIPSIS) * room.size <= room.width)
      return { from, to: end, mark: ELLIPSIS }
  }
  return undefined
}
