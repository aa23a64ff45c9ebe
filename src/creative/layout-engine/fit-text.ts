// Fits a text into a box: the largest size at which its lines fit, or if none does, the smallest with an ellipsis.
// The returned box contains every letter.

import { measureText } from './measured-text.ts'
import { isPoorlySet, isWorthParting, setHyphenated } from './set-hyphenated.ts'
import {
  linesFor,
  type SetText,
  setLargest,
  setText,
  type TextSetting,
  type TypesetOptions,
} from './set-text.ts'
import type { Break } from './shaping/breaks.ts'
import type { MeasuredText } from './text-measure.ts'
import { cutWord, onlyForced, wrapShortened } from './wrap-lines.ts'

export type { SetText }

/** Undefined if not even one shortened line fits, or there is no text. */
export function fitText(options: TypesetOptions): SetText | undefined {
  if (options.text === '' || options.width <= 0) return undefined
  const measured = measureText(options.text, options.face, options.writing)
  return (
    setWhole(measured, options, options.text.length) ??
    setShortened(measured, options) ??
    // A word that is too long for a line is first set smaller, and only then cut.
    setWhole(measured, { ...options, ...smallerThan(options) }, options.text.length) ??
    setShortened(measured, options, true) ??
    setCut(measured, options)
  )
}

/** As many whole sentences as fit, from the first; if that one does not fit, as many of its words as fit. */
export function fitSentences(options: TypesetOptions): SetText | undefined {
  if (options.text === '' || options.width <= 0) return undefined
  const measured = measureText(options.text, options.face, options.writing)
  let best: SetText | undefined
  for (const end of sentenceEnds(options.text)) {
    const set = setWhole(measured, options, end)
    // A longer text never fits where a shorter one does not.
    if (!set) break
    best = set
  }
  return best ?? setShortened(measured, options)
}

/** Where each sentence ends: after a mark followed by a space or the end, and at the end. */
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

/** The start of the text up to `end`: words whole if possible and good-looking, otherwise hyphenated. */
function setWhole(
  measured: MeasuredText,
  options: TypesetOptions,
  end: number,
): SetText | undefined {
  const whole = setUnparted(measured, options, end)
  if (whole && !isPoorlySet(whole, measured, options)) return whole.set
  const parted = setHyphenated(measured, options, end)
  const isBetter = parted && (!whole || isWorthParting({ parted, whole }, measured, options))
  return (isBetter ? parted : whole)?.set
}

/** Breaks between words if possible, otherwise within them where that is allowed without a hyphen. */
function setUnparted(
  measured: MeasuredText,
  options: TypesetOptions,
  end: number,
): TextSetting | undefined {
  let setting: TextSetting | undefined
  for (const breaks of waysToBreak(measured)) {
    setting = setLargest(measured, options, { breaks, end })
    if (setting) break
  }
  const { phraseBreaks } = measured
  const phrased = phraseBreaks && setLargest(measured, options, { breaks: phraseBreaks, end })
  const isPhrased = phrased && setting && phrased.set.size >= setting.set.size * MIN_PHRASED
  return isPhrased ? phrased : setting
}

/** How much smaller a text may be so that its lines end with a part of the sentence. */
const MIN_PHRASED = 0.74

function* waysToBreak({ breaks, looseBreaks }: MeasuredText): Generator<readonly Break[]> {
  yield breaks
  const loose = looseBreaks()
  if (loose.length > breaks.length) yield loose
}

function setShortened(
  measured: MeasuredText,
  options: TypesetOptions,
  isParted = false,
): SetText | undefined {
  const size = Math.min(options.smallest, options.largest)
  const room = { size, width: options.width, most: linesFor(measured, options, size) }
  const parted = () => onlyForced(measured, measured.hyphenBreaks(), room)
  for (const breaks of isParted ? [parted()] : waysToBreak(measured)) {
    const lines = wrapShortened(measured, breaks, room)
    if (lines.length > 0) return setText(measured, options, { size, lines })
  }
  return undefined
}

/** The minimum size of a word that is too long for a line. */
const LEAST_SHARE = 0.6

function smallerThan({
  smallest,
  largest,
}: TypesetOptions): Pick<TypesetOptions, 'smallest' | 'largest'> {
  const size = Math.min(smallest, largest)
  return { largest: size, smallest: size * LEAST_SHARE }
}

function setCut(measured: MeasuredText, options: TypesetOptions): SetText | undefined {
  const size = Math.min(options.smallest, options.largest)
  const room = { size, width: options.width, most: 1 }
  const line =
    linesFor(measured, options, size) < 1 ? undefined : cutWord(measured, measured.breaks, room)
  return line && setText(measured, options, { size, lines: [line] })
}
