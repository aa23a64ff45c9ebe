// Tokens that are printed together or not at all: words joined by hyphens, words of unspaced scripts, and numbers with
// their units.

import type { LabelledToken } from './labelled-tokens.ts'
import type { TokenRange } from './parts.ts'

/** No part of these is printed without the others. */
export function joinedWords(tokens: readonly LabelledToken[]): TokenRange[] {
  return wordGroups(tokens).concat(unspacedWords(tokens), figureGroups(tokens))
}

/** Numbers with the letters attached to them: `17h`, `336x280`, `19,900원`. */
function figureGroups(tokens: readonly LabelledToken[]): TokenRange[] {
  const groups: TokenRange[] = []
  for (let from = 0; from < tokens.length; from++) {
    let to = from + 1
    while (isJoinedFigure(tokens[to - 1], tokens[to])) to++
    if (to - from > 1) groups.push({ from, to })
    from = to - 1
  }
  return groups
}

function isJoinedFigure(
  before: LabelledToken | undefined,
  token: LabelledToken | undefined,
): boolean {
  if (!before?.isWord || !token?.isWord || token.isSpaced) return false
  return /^\p{N}/u.test(before.text) || (/^\p{N}/u.test(token.text) && !UNSPACED.test(before.text))
}

/** Words that hyphens join. */
function wordGroups(tokens: readonly LabelledToken[]): TokenRange[] {
  const groups: TokenRange[] = []
  for (let from = 0; from < tokens.length; from++) {
    let to = from + 1
    while (isHyphen(tokens[to]) && tokens[to + 1]?.isWord && !tokens[to + 1]?.isSpaced) to += 2
    if (to - from > 2 && tokens[from]?.isWord) groups.push({ from, to })
    from = to - 1
  }
  return groups
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}]/u
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Words of unspaced scripts, whose letters are tokens. */
function unspacedWords(tokens: readonly LabelledToken[]): TokenRange[] {
  const words: TokenRange[] = []
  for (let from = 0; from < tokens.length; from++) {
    let to = from
    while (UNSPACED.test(tokens[to]?.text ?? '') && (to === from || !tokens[to]?.isSpaced)) to++
    if (to - from < 2) continue
    const text = tokens
      .slice(from, to)
      .map((token) => token.text)
      .join('')
    let index = from
    let end = 0
    for (const { segment, index: at } of segmenter.segment(text)) {
      const first = index
      while (index < to && end < at + segment.length)
        end += (tokens[index++] as LabelledToken).text.length
      if (index - first > 1) words.push({ from: first, to: index })
    }
    from = to - 1
  }
  return words
}

function isHyphen(token: LabelledToken | undefined): boolean {
  return token !== undefined && !token.isSpaced && /^[-‐‑]$/.test(token.text)
}
