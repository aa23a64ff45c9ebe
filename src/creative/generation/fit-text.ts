// Sets a text into a box: the largest size at which its lines fit, and when none does, the smallest
// with an ellipsis. The box that comes back holds every letter.

import { ASCENT, DESCENT, type Face, widthOf } from './faces.ts'

export interface TextWish {
  text: string
  face: Face
  /** Room, in pixels. */
  width: number
  height: number
  /** Sizes of the type, in pixels. */
  largest: number
  smallest: number
  lines: number
  /** From baseline to baseline, in ems. */
  leading: number
}

export interface SetText {
  face: Face
  size: number
  leading: number
  lines: readonly string[]
  /** What the lines take, in pixels. */
  width: number
  height: number
}

/** Undefined when not even one shortened line fits, or there is nothing to set. */
export function fitText(wish: TextWish): SetText | undefined {
  const { text, face, width, height, leading } = wish
  if (text === '' || width <= 0) return undefined
  const smallest = Math.min(wish.smallest, wish.largest)
  let best: SetText | undefined
  for (const size of sizesFrom(wish.largest, smallest)) {
    if (best !== undefined && size < best.size * 0.72) break
    const set = setAt(wish, size)
    if (set === undefined) continue
    // A little smaller is better than a line of one small word.
    if (!hasOrphan(set.lines)) return set
    best ??= set
  }
  if (best !== undefined) return best
  const most = Math.min(wish.lines, linesIn(height, smallest, leading))
  const lines = most < 1 ? [] : shorten(text, face, smallest, width, most)
  return lines.length === 0 ? undefined : setText(wish, smallest, lines)
}

/** As many whole sentences as fit, from the first; a piece of the first when it is of many lines. */
export function fitSentences(wish: TextWish): SetText | undefined {
  const sentences = wish.text.match(/.+?[.!?](?=\s|$)|.+$/g) ?? []
  for (let count = sentences.length; count > 0; count--) {
    const text = sentences.slice(0, count).join('').trim()
    const set = fitText({ ...wish, text })
    if (set?.lines.join(' ') === text) return set
  }
  const piece = fitText(wish)
  return piece !== undefined && piece.lines.length >= 3 ? piece : undefined
}

function textHeight(lines: number, size: number, leading: number): number {
  return size * (ASCENT + DESCENT + (lines - 1) * leading)
}

function linesIn(height: number, size: number, leading: number): number {
  return Math.floor((height / size - ASCENT - DESCENT) / leading + 1 + 1e-9)
}

function* sizesFrom(largest: number, smallest: number): Generator<number> {
  for (let size = largest; size > smallest; size = Math.min(size - 0.5, size * 0.96)) yield size
  yield smallest
}

function setAt(wish: TextWish, size: number): SetText | undefined {
  const most = Math.min(wish.lines, linesIn(wish.height, size, wish.leading))
  const lines = most < 1 ? undefined : wrap(wish.text, wish.face, size, wish.width)
  if (lines === undefined || lines.length > most) return undefined
  return setText(wish, size, balance(lines, wish, size))
}

function hasOrphan(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.some((line) => line.length <= 3)
}

function setText(wish: TextWish, size: number, lines: readonly string[]): SetText {
  const { face, leading } = wish
  const width = Math.max(...lines.map((line) => widthOf(line, face, size)))
  return { face, size, leading, lines, width, height: textHeight(lines.length, size, leading) }
}

/** Whole words only: undefined when one is wider than the box. */
function wrap(text: string, face: Face, size: number, width: number): string[] | undefined {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, face, size) <= width) {
      line = longer
      continue
    }
    if (line === '' || widthOf(word, face, size) > width) return undefined
    lines.push(line)
    line = word
  }
  return [...lines, line]
}

/** As many lines, of about one length: a last line of one short word looks like a mistake. */
function balance(lines: string[], wish: TextWish, size: number): string[] {
  if (lines.length === 1) return lines
  let best = lines
  for (let share = 0.95; share >= 0.4; share -= 0.05) {
    const narrower = wrap(lines.join(' '), wish.face, size, wish.width * share)
    if (narrower === undefined || narrower.length > lines.length) break
    best = narrower
  }
  return best
}

function shorten(text: string, face: Face, size: number, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = text.split(' ')
  while (rest.length > 0 && lines.length < most) {
    let count = 0
    while (count < rest.length && widthOf(rest.slice(0, count + 1).join(' '), face, size) <= width)
      count += 1
    if (count === 0) break
    lines.push(rest.slice(0, count).join(' '))
    rest = rest.slice(count)
  }
  if (rest.length === 0) return lines
  const last = lines.length === most ? (lines.pop() as string) : ''
  const cut = cutLine(last === '' ? (rest[0] as string) : last, face, size, width)
  return cut === undefined ? lines : [...lines, cut]
}

/** The line with an ellipsis: at a word's end if one is left, else within the word. */
function cutLine(line: string, face: Face, size: number, width: number): string | undefined {
  const fits = (text: string) => widthOf(`${text}…`, face, size) <= width
  const words = line.split(' ')
  for (let count = words.length; count > 0; count--) {
    const text = words
      .slice(0, count)
      .join(' ')
      .replace(/[\s.,;:–—-]+$/, '')
    if (text !== '' && fits(text)) return `${text}…`
  }
  const letters = [...(words[0] as string)]
  for (let count = letters.length; count > 0; count--) {
    const text = letters.slice(0, count).join('')
    if (fits(text)) return `${text}…`
  }
  return undefined
}
