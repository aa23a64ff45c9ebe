// A text some of whose words are parted with a hyphen: where a word is too long for a line, and where lines
// would be very uneven. As few words as can be, and in as large a size as that allows.

import { linesFor, type Setting, setText, sizesFrom, type TextOptions } from './set-text.ts'
import type { Break } from './shaping/breaks.ts'
import type { MeasuredText } from './text-measure.ts'
import { balance, hyphensOf, type Line, type LineRoom, onlyForced, wrap } from './wrap-lines.ts'

/** The text up to `end`; undefined when it does not fit so either, or no word of it can be parted. */
export function setHyphenated(
  measured: MeasuredText,
  options: TextOptions,
  end: number,
): Setting | undefined {
  const breaks = measured.hyphenBreaks()
  if (options.lines < 2 || breaks === measured.looseBreaks()) return undefined
  return (
    setBest(measured, options, end, (room) => onlyForced(measured, breaks, room)) ??
    setBest(measured, options, end, () => breaks)
  )
}

/** Whether a text reads better so: it was set very small for one long word, or its lines were very uneven. */
export function isWorthParting(
  parted: Setting,
  whole: Setting,
  measured: MeasuredText,
  options: TextOptions,
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
export function isPoorlySet(whole: Setting, measured: MeasuredText, options: TextOptions): boolean {
  return isSmall(whole, options) || isUneven(whole, measured)
}

const MAX_HYPHENS = 2
/** Relative to the largest size that is requested. */
const SMALL = 0.62
/** How much larger a text must become, and how much more even. */
const MIN_GAIN = 1.35
const MIN_EVENED = 0.15
const UNEVEN = 0.5
const MIN_UNEVEN_LINES = 3
/** What a hyphen costs: a text that is so much smaller without it is as good. */
const HYPHEN_COST = 0.82

function isSmall({ set }: Setting, { largest }: TextOptions): boolean {
  return set.size < largest * SMALL
}

/** Only of what is read on: a headline is better uneven than parted. */
function isUneven(whole: Setting, measured: MeasuredText): boolean {
  const { face, lines } = whole.set
  return (
    face === 'regular' && lines.length >= MIN_UNEVEN_LINES && evennessOf(whole, measured) < UNEVEN
  )
}

/** The shortest line as a share of the longest, the last left out. */
function evennessOf({ lines }: Setting, { width }: MeasuredText): number {
  const widths = lines.map(({ from, to }) => width(from, to, 1))
  const inner = widths.slice(0, -1)
  return inner.length === 0 ? 1 : Math.min(...inner) / Math.max(...widths)
}

function setBest(
  measured: MeasuredText,
  options: TextOptions,
  end: number,
  breaksFor: (room: LineRoom) => readonly Break[],
): Setting | undefined {
  let best: { room: LineRoom; lines: Line[]; worth: number } | undefined
  for (const size of sizesFrom(options.largest, Math.min(options.smallest, options.largest))) {
    const room = { size, width: options.width, most: linesFor(measured, options, size) }
    const lines = wrap(measured, breaksFor(room), end, room)
    const worth = lines ? size * HYPHEN_COST ** hyphensOf(lines) : 0
    if (lines && worth > (best?.worth ?? 0)) best = { room, lines, worth }
  }
  if (!best) return undefined
  const { room } = best
  const lines = balance(measured, breaksFor(room), end, best)
  return { set: setText(measured, options, room.size, lines), lines }
}
