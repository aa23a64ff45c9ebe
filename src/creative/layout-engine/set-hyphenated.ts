// Sets a text with some words hyphenated: where a word is too long for a line, and where lines would be very uneven.
// Hyphenates as few words as possible, at the largest size that allows it.

import { linesFor, setText, sizesFrom, type TextSetting, type TypesetOptions } from './set-text.ts'
import type { Break } from './shaping/breaks.ts'
import type { MeasuredText } from './text-measure.ts'
import { balance, hyphensOf, type Line, type LineRoom, onlyForced, wrap } from './wrap-lines.ts'

/** The text up to `end`; undefined if it does not fit even hyphenated, or no word of it can be hyphenated. */
export function setHyphenated(
  measured: MeasuredText,
  options: TypesetOptions,
  end: number,
): TextSetting | undefined {
  const breaks = measured.hyphenBreaks()
  if (options.lines < 2 || breaks === measured.looseBreaks()) return undefined
  const forced = (room: LineRoom) => onlyForced(measured, breaks, room)
  return (
    setBest(measured, options, { end, breaksFor: forced }) ??
    setBest(measured, options, { end, breaksFor: () => breaks })
  )
}

/**
 * Whether hyphenation makes a text more readable: one long word made it very small, or its lines were very uneven.
 */
export function isWorthParting(
  { parted, whole }: { parted: TextSetting; whole: TextSetting },
  measured: MeasuredText,
  options: TypesetOptions,
): boolean {
  const hyphens = hyphensOf(parted.lines)
  if (isSmall(whole, options)) {
    return hyphens <= MAX_HYPHENS && parted.set.size >= whole.set.size * MIN_GAIN
  }
  const isNoSmaller = parted.set.size >= whole.set.size
  const gain = evennessOf(parted, measured) - evennessOf(whole, measured)
  return isNoSmaller && hyphens <= MAX_HYPHENS && gain >= MIN_EVENED
}

/** Whether it is worth a look. */
export function isPoorlySet(
  whole: TextSetting,
  measured: MeasuredText,
  options: TypesetOptions,
): boolean {
  return isSmall(whole, options) || isUneven(whole, measured)
}

const MAX_HYPHENS = 2
/** Relative to the largest size that is requested. */
const SMALL = 0.62
/** How much larger and how much more even a text must become. */
const MIN_GAIN = 1.35
const MIN_EVENED = 0.15
const UNEVEN = 0.5
const MIN_UNEVEN_LINES = 3
/** The cost of a hyphen: a text that is this much smaller without it is equally good. */
const HYPHEN_COST = 0.82

function isSmall({ set }: TextSetting, { largest }: TypesetOptions): boolean {
  return set.size < largest * SMALL
}

/** Only for longer text: an uneven headline is better than a hyphenated one. */
function isUneven(whole: TextSetting, measured: MeasuredText): boolean {
  const { face, lines } = whole.set
  return (
    face === 'regular' && lines.length >= MIN_UNEVEN_LINES && evennessOf(whole, measured) < UNEVEN
  )
}

/** The shortest line as a share of the longest, ignoring the last. */
function evennessOf({ lines }: TextSetting, { width }: MeasuredText): number {
  const widths = lines.map(({ from, to }) => width(from, to))
  const inner = widths.slice(0, -1)
  return inner.length === 0 ? 1 : Math.min(...inner) / Math.max(...widths)
}

function setBest(
  measured: MeasuredText,
  options: TypesetOptions,
  { end, breaksFor }: { end: number; breaksFor: (room: LineRoom) => readonly Break[] },
): TextSetting | undefined {
  let best: { room: LineRoom; lines: Line[]; worth: number } | undefined
  for (const size of sizesFrom(options.largest, Math.min(options.smallest, options.largest))) {
    const room = { size, width: options.width, most: linesFor(measured, options, size) }
    const lines = wrap(measured, { breaks: breaksFor(room), end }, room)
    const worth = lines ? size * HYPHEN_COST ** hyphensOf(lines) : 0
    if (lines && worth > (best?.worth ?? 0)) best = { room, lines, worth }
  }
  if (!best) return undefined
  const { room } = best
  const lines = balance(measured, { breaks: breaksFor(room), end }, best)
  return { set: setText(measured, options, { size: room.size, lines }), lines }
}
