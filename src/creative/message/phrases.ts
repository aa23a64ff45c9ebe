// Finds phrases from our tables in untrusted text, in time linear in the text. In scripts with spaces a phrase
// matches whole words; a star matches any ending, or on its own any one word. In other scripts it is found anywhere.

/** By language, or under `all`; phrases are separated by `|`. */
export type WordLists = Readonly<Record<string, string>>

export interface Phrases {
  /** The first match from `from` on, and the longest of those that begin there. */
  find(text: FoldedText, from?: number): Span | undefined
  /** All matches, in order and not nested. */
  all(text: FoldedText): Span[]
  /** The phrase that the text begins with. */
  atStart(text: FoldedText): Span | undefined
}

export interface Span {
  start: number
  end: number
}

/** A text with its words, normalised for comparison. */
export interface FoldedText {
  text: string
  lower: string
  words: readonly (Span & { word: string; exact: string })[]
  /** Whether it has letters of a script in which phrases are found anywhere. */
  isUnspaced: boolean
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const ACCENTS = /[\u0300-\u036f]/g
/** Where an accent makes it a different word. */
const VIETNAMESE = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}]/u

const THAI = /\p{sc=Thai}/u
/** A short Thai word also occurs inside others: `งบ` in `ต้องบอก`. */
const MAX_SHORT_THAI = 4
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })
const thaiStarts = new WeakMap<FoldedText, ReadonlySet<number>>()

function isWithinThai(text: FoldedText, phrase: string, start: number): boolean {
  if (phrase.length > MAX_SHORT_THAI || !THAI.test(phrase) || start === 0) return false
  let starts = thaiStarts.get(text)
  if (starts === undefined) {
    starts = new Set([...thaiWords.segment(text.lower)].map(({ index }) => index))
    thaiStarts.set(text, starts)
  }
  return !starts.has(start)
}

/** Its position from there on, or -1. */
function placeOf(phrase: string, text: FoldedText, from: number): number {
  let at = text.lower.indexOf(phrase, from)
  while (at >= 0 && isWithinThai(text, phrase, at)) at = text.lower.indexOf(phrase, at + 1)
  return at
}

export function folded(text: string): FoldedText {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: foldWord(word),
    exact: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
  return { text, lower: text.toLowerCase(), words, isUnspaced: UNSPACED.test(text) }
}

/** Lower case and without accents, which people often omit. */
export function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** Each of the words of a phrase. */
type Wanted = readonly { word: string; isOpen: boolean; isExact: boolean }[]

export function phrasesOf(...lists: readonly (WordLists | string)[]): Phrases {
  const phrases = new Map<string, boolean>()
  for (const list of lists) {
    for (const [language, line] of Object.entries(typeof list === 'string' ? { list } : list)) {
      for (const phrase of line.split('|').map(kept)) {
        phrases.set(phrase, language === 'vi' || VIETNAMESE.test(phrase))
      }
    }
  }
  const anywhere = [...phrases.keys()]
    .filter((phrase) => UNSPACED.test(phrase))
    .map((phrase) => phrase.toLowerCase())
  const byLetter = new Map<string, Wanted[]>()
  for (const [phrase, isExact] of phrases) {
    if (UNSPACED.test(phrase)) continue
    const wanted = wantedIn(phrase, isExact)
    const [first] = wanted
    if (!first || first.word === '') continue
    const key = foldWord(first.word).charAt(0)
    byLetter.set(key, [...(byLetter.get(key) ?? []), wanted])
  }
  const wordsAt = ({ words }: FoldedText, index: number): Span | undefined => {
    const start = words[index]
    if (!start) return undefined
    let longest = 0
    for (const wanted of byLetter.get(start.word.charAt(0)) ?? []) {
      if (wanted.length > longest && matches(words, index, wanted)) longest = wanted.length
    }
    const last = words[index + longest - 1]
    return longest > 0 && last ? { start: start.start, end: last.end } : undefined
  }
  return {
    find: (text, from = 0) => {
      let found: Span | undefined
      for (let index = wordFrom(text, from); index < text.words.length && !found; index++) {
        found = wordsAt(text, index)
      }
      for (const phrase of text.isUnspaced ? anywhere : []) {
        const start = placeOf(phrase, text, from)
        if (start < 0) continue
        const end = start + phrase.length
        if (!found || start < found.start || (start === found.start && end > found.end)) {
          found = { start, end }
        }
      }
      return found
    },
    all: (text) => {
      const found: Span[] = []
      for (let index = 0; index < text.words.length; index++) {
        const span = wordsAt(text, index)
        if (span) found.push(span)
      }
      for (const phrase of text.isUnspaced ? anywhere : []) {
        for (let at = placeOf(phrase, text, 0); at >= 0; ) {
          found.push({ start: at, end: at + phrase.length })
          at = placeOf(phrase, text, at + phrase.length)
        }
      }
      return outermost(found)
    },
    atStart: (text) => {
      const first = text.words[0]?.start ?? 0
      const found = wordsAt(text, 0)
      let end = found?.end ?? 0
      for (const phrase of text.isUnspaced ? anywhere : []) {
        if (first + phrase.length > end && text.lower.startsWith(phrase, first)) {
          end = first + phrase.length
        }
      }
      return end > first ? { start: first, end } : undefined
    },
  }
}

/** The first word that begins there or later. */
function wordFrom({ words }: FoldedText, from: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.start ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

/** If matches overlap, the one that begins first, and of those the longest. */
export function outermost<T extends Span>(spans: readonly T[]): T[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: T[] = []
  for (const span of sorted) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  return kept
}

/** Without the spaces of a table's line ends; a space before a word of an unspaced script is intended. */
function kept(phrase: string): string {
  const bare = phrase.trim()
  return phrase.startsWith(' ') && !phrase.includes('\n') && UNSPACED.test(bare) ? ` ${bare}` : bare
}

function wantedIn(phrase: string, isExact: boolean): Wanted {
  return phrase
    .split(/[ '’-]/)
    .filter((word) => word !== '')
    .map((word) => {
      const bare = word.replace('*', '').toLowerCase()
      return { word: isExact ? bare : foldWord(bare), isOpen: word.endsWith('*'), isExact }
    })
}

function matches(words: FoldedText['words'], at: number, wanted: Wanted): boolean {
  return wanted.every(({ word, isOpen, isExact }, index) => {
    const found = isExact ? words[at + index]?.exact : words[at + index]?.word
    return found !== undefined && (isOpen ? found.startsWith(word) : found === word)
  })
}
