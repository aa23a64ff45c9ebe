// Splits a text into the sentence model's word pieces, as the model's own tokenizer does: lower case without accents,
// split at spaces and punctuation, then the longest known pieces. For the distilled table, which needs no package.

export interface WordPieces {
  /** The indexes of the pieces in the vocabulary. Text that no piece matches is left out. */
  idsOf(text: string): number[]
  /** Whole words of the vocabulary, the most frequent first. */
  words(): Iterable<string>
}

const MAX_WORD_LENGTH = 100

export function createWordPieces(pieces: readonly string[]): WordPieces {
  const places = new Map(pieces.map((piece, place) => [piece, place]))
  // Texts of a catalogue repeat words, so most words have been split before.
  const known = new Map<string, readonly number[]>()

  function cut(word: string): readonly number[] {
    const before = known.get(word)
    if (before !== undefined) return before
    const ids = cutWord(word, places)
    if (known.size >= 50_000) known.clear()
    known.set(word, ids)
    return ids
  }

  return {
    idsOf: (text) => {
      const ids: number[] = []
      for (const word of splitWords(text)) ids.push(...cut(word))
      return ids
    },
    words: () => pieces.filter((piece) => /^\p{L}{2,}$/u.test(piece)),
  }
}

function cutWord(word: string, places: ReadonlyMap<string, number>): readonly number[] {
  const letters = [...word]
  if (letters.length > MAX_WORD_LENGTH) return []
  const ids: number[] = []
  let from = 0
  while (from < letters.length) {
    let to = letters.length
    let id: number | undefined
    while (from < to) {
      id = places.get((from > 0 ? '##' : '') + letters.slice(from, to).join(''))
      if (id !== undefined) break
      to--
    }
    // A word with one unknown piece is unknown as a whole.
    if (id === undefined) return []
    ids.push(id)
    from = to
  }
  return ids
}

const ACCENTS = /\p{Mn}/gu
const IGNORED = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const IDEOGRAPHS =
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff]|[\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu

function splitWords(text: string): readonly string[] {
  const plain = text
    .replace(IGNORED, '')
    .replace(IDEOGRAPHS, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
  return plain.match(WORDS) ?? []
}
