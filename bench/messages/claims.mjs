// The claims that a text makes: superlatives, qualities, offers, urgency, occasions. The words of
// each language are in claims.json, comma by comma.

import { readFileSync } from 'node:fs'
import { fold, spacedWords } from './fold.mjs'

const CLAIMS = JSON.parse(readFileSync(new URL('./claims.json', import.meta.url), 'utf8'))
const WORDS_APART = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Deva}\p{M}\s*]+$/u
const wordsByLanguage = new Map()

/** Each as `{ claim, word }`, in this language or in English. */
export function claimsIn(text, language) {
  const words = spacedWords(text)
  const folded = fold(text)
  return wordsOf(language)
    .filter(({ sought, isApart }) => (isApart ? words : folded).includes(sought))
    .map(({ claim, word }) => ({ claim, word }))
}

/** Whole words; with a star, their beginnings. In scripts without spaces or with prefixes: anywhere. */
function wordsOf(language) {
  const known = wordsByLanguage.get(language)
  if (known !== undefined) return known
  const words = []
  for (const [claim, lists] of Object.entries(CLAIMS))
    for (const word of new Set(`${lists[language] ?? lists.en}, ${lists.en}`.split(', '))) {
      const isApart = WORDS_APART.test(word)
      const end = word.endsWith('*') ? '' : ' '
      const sought = isApart ? ` ${spacedWords(word).trim()}${end}` : fold(word.replace('*', ''))
      words.push({ claim, word, sought, isApart })
    }
  wordsByLanguage.set(language, words)
  return words
}
