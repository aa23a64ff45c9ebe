// Sets a text into a box: the largest size at which its lines fit, and when none does, the smallest
// with an ellipsis. The box that comes back holds every letter.

import { measureText } from './measured-text.ts'
import { isPoorlySet, isWorthParting, setHyphenated } from './set-hyphenated.ts'
import {
  linesFor,
  type SetText,
  type Setting,
  setLargest,
  setText,
  type TextOptions,
} from './set-text.ts'
import type { Break } from './shaping/breaks.ts'
import type { MeasuredText } from './text-measure.ts'
import { cutWord, onlyForced, wrapShortened } from './wrap-lines.ts'

export type { SetText }

/** Undefined when not even one shortened line fits, or there is nothing to set. */
export function fitText(wish: TextOptions): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face, wish.writing)
  return (
    setWhole(measured, wish, wish.text.length) ??
    setShortened(measured, wish) ??
    // A word that is too long for a line is set smaller, before it is cut.
    setWhole(measured, { ...wish, ...smallerThan(wish) }, wish.text.length) ??
    setShortened(measured, wish, true) ??
    setCut(measured, wish)
  )
}

/** As many whole sentences as fit, from the first; when that one does not, as many of its words. */
export function fitSentences(wish: TextOptions): SetText | undefined {
  if (wish.text === '' || wish.width <= 0) return undefined
  const measured = measureText(wish.text, wish.face, wish.writing)
  let best: SetText | undefined
  for (const end of sentenceEnds(wish.text)) {
    const set = setWhole(measured, wish, end)
    // A longer text never fits where a shorter one does not.
    if (!set) break
    best = set
  }
  return best ?? setShortened(measured, wish)
}

/** Where each sentence ends: behind a mark that a blank or the end follows, and at the end. */
function* sentenceEnds(text: string): Generator<number> {
  let from = 0
  for (let at = 1; at < text.length; at++) {
    const isMark = at > from && /[.!?؟۔।。！？]/.test(text.charAt(at))
    if (!isMark || (/\S/.test(text.charAt(at + 1)) && !/[。！？]/.test(text.charAt(at)))) continue
    if (/[」』）)]/.test(text.charAt(at + 1))) continue
    yield at + 1
    from = at + 1
  }
  if (from < text.length) yield text.length
}

/** The beginning of the text up to `end`: its words whole if that can be and looks well, else parted with hyphens. */
function setWhole(measured: MeasuredText, wish: TextOptions, end: number): SetText | undefined {
  const whole = setUnparted(measured, wish, end)
  if (whole && !isPoorlySet(whole, measured, wish)) return whole.set
  const parted = setHyphenated(measured, wish, end)
  const isBetter = parted && (!whole || isWorthParting(parted, whole, measured, wish))
  return (isBetter ? parted : whole)?.set
}

/** Between words if it can be, else within them where that is allowed without a hyphen. */
function setUnparted(measured: MeasuredText, wish: TextOptions, end: number): Setting | undefined {
  let setting: Setting | undefined
  for (const breaks of waysToBreak(measured)) {
    setting = setLargest(measured, breaks, wish, end)
    if (setting) break
  }
  const { phraseBreaks } = measured
  const phrased = phraseBreaks && setLargest(measured, phraseBreaks, wish, end)
  const isPhrased = phrased && setting && phrased.set.size >= setting.set.size * MIN_PHRASED
  return isPhrased ? phrased : setting
}

/** How much smaller a text may be for lines that end with a part of the sentence. */
const MIN_PHRASED = 0.74

function* waysToBreak({ breaks, looseBreaks }: MeasuredText): Generator<readonly Break[]> {
  yield breaks
  const loose = looseBreaks()
  if (loose.length > breaks.length) yield loose
}

function setShortened(
  measured: MeasuredText,
  wish: TextOptions,
  isParted = false,
): SetText | undefined {
  const size = Math.min(wish.smallest, wish.largest)
  const room = { size, width: wish.width, most: linesFor(measured, wish, size) }
  const parted = () => onlyForced(measured, measured.hyphenBreaks(), room)
  for (const breaks of isParted ? [parted()] : waysToBreak(measured)) {
    const lines = wrapShortened(measured, breaks, room)
    if (lines.length > 0) return setText(measured, wish, size, lines)
  }
  return undefined
}

/** Of a word that is too long for a line, how small it may become. */
const LEAST_SHARE = 0.6

function smallerThan({
  smallest,
  largest,
}: TextOptions): Pick<TextOptions, 'smallest' | 'largest'> {
  const size = Math.min(smallest, largest)
  return { largest: size, smallest: size * LEAST_SHARE }
}

function setCut(measured: MeasuredText, wish: TextOptions): SetText | undefined {
  const size = Math.min(wish.smallest, wish.largest)
  const room = { size, width: wish.width, most: 1 }
  const line =
    linesFor(measured, wish, size) < 1 ? undefined : cutWord(measured, measured.breaks, room)
  return line && setText(measured, wish, size, [line])
}
