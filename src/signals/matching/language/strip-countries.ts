// The country of an audience is a filter, not part of the meaning: "in the UK" is removed from the text, "Italian
// food" is kept.

import { readLexiconFile } from './lexicon.ts'
import { tidy } from './tidy.ts'

interface CountryFile {
  names: string[]
  /** Only in capitals: "us" is the pronoun. */
  codes: string[]
  adjectives: string[]
  /** Before these words, an adjective says where people live. */
  people: string[]
}

interface Patterns {
  based: RegExp
  adjective: RegExp
  code: RegExp
  place: RegExp
}

/** Before a place, these make it the subject: where people go, buy or come from. */
const ABOUT_THE_PLACE =
  /\b(?:holiday|vacation|trip|travel|visit|tour|retire|move|moving|emigrat|relocat|second home|property|propert|house|villa|invest|stud(?:y|ies|ying)|cruise|flight|ski|born|interested)\w*\b/i

let patterns: Patterns | undefined

export function stripCountries(text: string): string {
  patterns ??= compile(readLexiconFile<CountryFile>('countries'))
  const { based, adjective, code, place } = patterns
  const stripped = text
    .replace(based, '')
    .replace(place, (phrase: string, at: number) =>
      ABOUT_THE_PLACE.test(text.slice(Math.max(0, at - 40), at)) ? phrase : '',
    )
    .replace(adjective, '')
    .replace(code, '')
  const left = tidy(stripped)
  return left === '' || left === tidy(text) ? text : left
}

function compile({ names, codes, adjectives, people }: CountryFile): Patterns {
  const escaped = codes.map((one) => one.replaceAll('.', '\\.'))
  const inAnyCase = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  const where = `(?:[Tt]he )?(?:${[...inAnyCase, ...escaped].join('|')})(?![\\w'’-])`
  const list = `${where}(?:(?:,| and| or| &|, and)? ${where})*`
  const lead =
    '(?:(?:who |that )?(?:are )?(?:living|based|located|residing|resident|who live|live) (?:in|across) |[Ii]n |[Aa]cross |[Aa]ll over |throughout |[Ww]ithin )'
  return {
    based: new RegExp(
      `\\b(?:${[...inAnyCase, ...escaped].join('|')})-?\\s?(?:based|wide|only)\\b`,
      'g',
    ),
    place: new RegExp(`\\b${lead}${list}`, 'g'),
    adjective: new RegExp(
      `\\b(?:${adjectives
        .map((one) =>
          one.length < 4 ? one.toUpperCase() : `[${one[0]}${one[0]?.toUpperCase()}]${one.slice(1)}`,
        )
        .join('|')})\\s+(?=(?:${people.join('|')})\\b)`,
      'g',
    ),
    code: new RegExp(
      `^(?:${escaped.join('|')})\\s*[:\\-–]\\s*|[,(]\\s*(?:${escaped.join('|')})(?=[.,)]|$)`,
      'g',
    ),
  }
}
