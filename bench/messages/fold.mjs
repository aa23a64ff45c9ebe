// One form of a text for all of its spellings, so that a label and an ad can be compared in any
// script: compatibility forms, case, digits, marks that are left out at will, white space, dashes.

const REMEMBERED_TEXTS = 10_000

/** The zeros of the scripts whose digits people type; full-width ones are ASCII after NFKC. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0]
const DIGIT = new Map(
  ZEROS.flatMap((zero) =>
    Array.from({ length: 10 }, (_, value) => [String.fromCodePoint(zero + value), String(value)]),
  ),
)
const OTHER_DIGITS =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\u0ed0-\u0ed9]/g

/** Tatweel, Arabic vowel signs, Hebrew points, and what has no width. */
const IGNORED =
  /\u0640|[\u064b-\u065f]|\u0670|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]|\p{Cf}|\ufe0f/gu
/** Scripts that are written without spaces, and Korean, which people space as they like. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Hang}ー'
const SPACE_BESIDE_UNSPACED = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, 'gu')

const DASHES = /[\p{Pd}\u2212~\u301c]/gu
const APOSTROPHES = /['’‘ʼ`´׳]/g
const PERCENTS = /[٪﹪]/g
const LETTER = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Deva}]/u
/** Punctuation, signs and spaces, but for those with a meaning of their own. */
const BETWEEN_WORDS = /(?:(?![%@&#+])[\p{P}\p{Sm}\p{So}\p{Sk}\p{Z}\s])+/gu

/** The text as written, in one case and one set of digits; punctuation and spaces stay. */
export const lower = remember((text) =>
  text
    .normalize('NFKC')
    .replace(OTHER_DIGITS, (digit) => DIGIT.get(digit))
    .replace(/٫/g, ',')
    .replace(/٬/g, '.')
    .replace(IGNORED, '')
    .replace(PERCENTS, '%')
    .replace(DASHES, '-')
    .replace(APOSTROPHES, "'")
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ς/g, 'σ')
    .replace(/ı|i\u0307/g, 'i')
    .replace(/ё/g, 'е')
    .replace(/[ά-ώΐΰ]/g, (letter) => letter.normalize('NFD').replace(/[\u0301\u0308]/g, ''))
    .replace(/[أإآ]/g, 'ا')
    .replace(/\s+/g, ' '),
)

/**
 * What a fact is looked for in: `lower` without punctuation. What stands between two digits stays,
 * since 1.299, 12:30 and 10-18 are one thing each; thousands and decimals are all points.
 */
export const fold = remember((text) =>
  lower(text)
    .replace(/(?<=\d)[.,'](?=\d)/g, '\ue001')
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, '\ue001')
    .replace(/(?<=\d) ?- ?(?=\d)/g, '\ue002')
    .replace(/(?<=\d):(?=\d)/g, '\ue003')
    .replace(/(?<=\d)\/(?=\d)/g, '\ue004')
    .replace(BETWEEN_WORDS, ' ')
    .replace(/\ue001/g, '.')
    .replace(/\ue002/g, '-')
    .replace(/\ue003/g, ':')
    .replace(/\ue004/g, '/')
    .replace(/ +/g, ' ')
    .replace(/(?<=\d) (?=[%\p{Sc}])/gu, '')
    .replace(/(?<=(?:^|[^\d])[%\p{Sc}]) (?=\d)/gu, '')
    .replace(SPACE_BESIDE_UNSPACED, '')
    .trim(),
)

/**
 * Whether a folded spelling occurs in a folded text. Within words too, since languages inflect and compound; never
 * within a longer number, so that 5% is not found in 25% nor 49 in 49.90. From the start of a word, where requested
 * and the script has words: `art` is not avoided by leaving out `start`.
 */
export function holds(folded, sought, { fromWordStart = false } = {}) {
  if (sought === '') return false
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1)) {
    const end = at + sought.length
    if (/^\d/.test(sought) && /\d\.?$/.test(folded.slice(Math.max(0, at - 2), at))) continue
    if (/\d$/.test(sought) && /^\.?\d/.test(folded.slice(end, end + 2))) continue
    if (fromWordStart && LETTER.test(sought[0]) && LETTER.test(folded[at - 1] ?? ' ')) continue
    return true
  }
  return false
}

const ALPHABETS = ['Latin', 'Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Hangul']
const WORD = new RegExp(
  ALPHABETS.map((script) => `[\\p{sc=${script}}][\\p{sc=${script}}\\p{M}]*`).join('|'),
  'gu',
)

/** The words of a text with a space on both sides of each, cut where the script changes. */
export function spacedWords(text) {
  return ` ${(lower(text).match(WORD) ?? []).join(' ')} `
}

/** The same texts come again: a message with each of its ads, a spelling with each text. */
function remember(make) {
  const made = new Map()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= REMEMBERED_TEXTS) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}
