// How the forms of a concept are hashed, in the table and when reading: words joined by a space, with a mark at the
// end of stems, which match every word that begins with them.

const SEED = 0x811c9dc5

export const EMPTY_FORM = SEED

/** FNV-1a, continued with a text. */
export function withText(hash: number, text: string): number {
  let now = hash
  for (let index = 0; index < text.length; index++) {
    now = Math.imul(now ^ text.charCodeAt(index), 0x01000193)
  }
  return now >>> 0
}

const BLANK = 32
const STEM = 42

export function withBlank(hash: number): number {
  return Math.imul(hash ^ BLANK, 0x01000193) >>> 0
}

export function asStem(hash: number): number {
  return Math.imul(hash ^ STEM, 0x01000193) >>> 0
}

/** Scripts that put endings directly after a word, so that every form of theirs is a stem. */
const ENDINGS = /^[\p{sc=Hang}\p{sc=Kana}ー]+$/u

export function takesEndings(word: string): boolean {
  return ENDINGS.test(word)
}

/** A word unchanged, and without the prefixes that Arabic and Hebrew attach to it: “and”, “the”, “in”. */
export function withoutPrefixes(word: string): readonly string[] {
  const prefix = ARABIC.test(word)
    ? /^(?:وال|بال|لل|فال|كال|ال|و|ب|ل|ف)(?=.{2})/u
    : HEBREW.test(word)
      ? /^(?:וה|שה|בה|מה|לה|ה|ו|ב|ל|מ|ש|כ)(?=.{2})/u
      : undefined
  const found = prefix?.exec(word)?.[0]
  return found === undefined ? [word] : [word, word.slice(found.length)]
}

const ARABIC = /^\p{sc=Arab}/u
const HEBREW = /^\p{sc=Hebr}/u
