// Extracts what a brief excludes from what it wants: "dog owners, but not parents".

import { GENERIC_WORDS, STOP_WORDS } from '../stop-words.ts'
import { tokensOf } from '../words.ts'
import { isPeople } from './audience-words.ts'
import { findPhrases } from './lexicon.ts'
import { splitList } from './split-list.ts'
import { tidy } from './tidy.ts'

export interface Negated {
  /** The text that is left without the exclusions and the words that introduce them. */
  text: string
  avoided: string[]
}

/** Cues that exclude a whole list: "excluding gamers, students and renters". */
const REJECTS =
  /\b(?:but |and |or )?(?:please )?(?:(?:i |we )?do not (?:want|need|target|include|show me|show|reach|care for|bother with)(?: to (?:reach|target|include|see))?|not (?:interested in|looking for|including|targeting|into)|excluding|excludes?|except(?: for)?|avoid(?:ing)?|other than|leav(?:e|ing) out|skip(?:ping)?|ignor(?:e|ing)|stay(?:ing)? away from|steer(?:ing)? clear of|keep out|nothing to do with|any(?:one|body|thing) but|every(?:one|body|thing) but|all but|rather than|instead of|as opposed to|minus|no interest in|(?:who |that )?(?:(?:are|is|do|does|have|has|will|would|were|was) )?(?:definitely |certainly |absolutely |ideally )?not(?! (?:only|just|yet|sure|too|very|so|afraid|necessarily|for profit|far|long|bought|ordered|visited|shopped|purchased|been|all|every|always|really)\b)(?!-))\s+/gi

/** Cues that end at the next "and": "without kids and with money". */
const LACKS =
  /\b(?:but |and |or )?(?:(?:who |that )?(?:have|has|with) )?(?:without|no|never)\s+(?!(?:longer|matter|fuss|frills|nonsense|problem|one|more|less|code|interest)\b)/gi

const END =
  /[,.;:!?()\n]|\s[-–—]\s|\b(?:but|however|instead|we|they|please|though|although|while|because|so|focus|prefer|ideally|especially|mainly|preferably|in favou?r of)\b/i
const END_OF_LACK =
  /[,.;:!?()\n]|\s[-–—]\s|\b(?:and|but|however|who|that|we|they|please|though|although|while|because|so|in|on|at|for|living|looking|with)\b/i

/** A list with commas; elsewhere a comma ends the exclusion. */
const REJECTED_LIST =
  /\b(?:excluding|exclude|except(?: for)?|avoid(?:ing)?)\s[^,.;:!?()\n]{1,60}(?:,[^,.;:!?()\n]{1,60}){1,6} (?:and|or) /gi

const MAX_AVOIDED = 8
/**
 * Maximum number of cues examined in one text: more than any real text has; limits the time for a text full of them.
 */
const MAX_CUES = 24

export function takeNegation(text: string): Negated {
  const avoided: string[] = []
  let cues = 0
  let left = text.replace(REJECTED_LIST, (list) => list.replaceAll(',', ' and'))
  for (const [cue, end, isList] of [
    [REJECTS, END, true],
    [LACKS, END_OF_LACK, false],
  ] as const) {
    const all = left
    left = all.replace(scopeOf(cue, end), (whole, scope: string, at: number) => {
      if (++cues > MAX_CUES) return whole
      const before = all.slice(0, at)
      if (isHabit(before, whole) || isOfItsOwn(before, whole, avoided)) return whole
      const named = (isList ? splitList(scope) : scope.split(/\s+or\s+/)).map(nameOf)
      const found = named.filter((name) => name !== '')
      if (found.length === 0) return whole
      avoided.push(...found.flatMap((name) => [name, ...meaningsOf(name)]))
      return ' '
    })
  }
  return { text: withoutLooseEnds(left), avoided: [...new Set(avoided)].slice(0, MAX_AVOIDED) }
}

/** A cue with everything it applies to, up to the punctuation or word that ends it. */
function scopeOf(cue: RegExp, end: RegExp): RegExp {
  return new RegExp(`${cue.source}((?:(?!${end.source})[^])+)`, 'gi')
}

/** "people avoiding dairy" are an audience; "avoid dairy farmers" is a request. */
function isHabit(before: string, phrase: string): boolean {
  if (!/^(?:avoid|skip|ignor|leav)ing\b/i.test(phrase.trim())) return false
  const last = tokensOf(nearEnd(before)).at(-1)?.word
  return last !== undefined && (isPeople(last) || ANYBODY.has(last))
}

const ANYBODY = new Set(['anyone', 'anybody', 'everyone', 'everybody', 'those', 'are'])

/** "no meat" and "without kids" name an audience: the lexicon defines it, and what it excludes. */
function isOfItsOwn(all: string, phrase: string, avoided: string[]): boolean {
  const before = nearEnd(all)
  const first = tokensOf(before).length
  const cue = tokensOf(phrase).findIndex(({ word }) => CUES.has(word))
  for (const hit of findPhrases(tokensOf(before + phrase))) {
    if (hit.first > first + cue || hit.last <= first + cue) continue
    avoided.push(...(hit.entry.avoids ?? []))
    return true
  }
  return false
}

/** Longer than any phrase of the lexicon: anything further away is ignored. */
const NEAR = 120

/** The last words of a text; otherwise the whole text would be scanned again for every cue in it. */
function nearEnd(text: string): string {
  if (text.length <= NEAR) return text
  const end = text.slice(-NEAR)
  return end.slice(end.indexOf(' ') + 1)
}

const CUES = new Set(['not', 'no', 'without', 'never', 'dont', 'free'])

function nameOf(scope: string): string {
  const words = tokensOf(scope)
  const isFiller = (word: string) => STOP_WORDS.has(word) || FILLERS.has(word)
  let first = 0
  let last = words.length - 1
  while (first <= last && isFiller(words[first]?.word ?? '')) first++
  while (last >= first && STOP_WORDS.has(words[last]?.word ?? '')) last--
  const name = scope.slice(words[first]?.start ?? 0, words[last]?.end ?? 0)
  const saysSomething = words.slice(first, last + 1).some(({ word }) => !GENERIC_WORDS.has(word))
  return first > last || !saysSomething ? '' : tidy(asPeople(name)).slice(0, 120)
}

/** The people who "just bought a car" are excluded, not cars. */
function asPeople(name: string): string {
  return name
    .replace(
      /^(?:(?:just|recently|already) )?(?:bought|purchased) (?:an? |the |their )?(.+)$/i,
      'recent $1 buyers',
    )
    .replace(/^(?:already )?(?:own|drive)s? (?:an? |the |their )?(.+)$/i, '$1 owners')
}

const FILLERS = new Set(
  (
    'people anyone anybody those folks someone buying buy want like love use eat drink get ' +
    'getting reach target targeting include including interested looking existing'
  ).split(' '),
)

function meaningsOf(name: string): string[] {
  const tokens = tokensOf(name)
  const hit = findPhrases(tokens)[0]
  const isAll = hit !== undefined && hit.first === 0 && hit.last === tokens.length - 1
  return isAll ? hit.entry.means.slice(0, 1) : []
}

/** Dangling words that a removal leaves: "people who are", "dog owners and". */
function withoutLooseEnds(text: string): string {
  const words = tidy(text).split(' ')
  let from = 0
  let to = words.length
  for (;;) {
    // What the word before it leaves dangling may in turn end in punctuation.
    const isLast = to > from && LOOSE_LAST.has(bare(words[to - 1] as string))
    const isFirst = to - from > 1 && LOOSE_FIRST.has(bare(words[from] as string))
    if (!isLast && !isFirst) return tidy(words.slice(from, to).join(' '))
    if (isLast) to -= 1
    if (isFirst) from += 1
  }
}

/** Without the punctuation that `tidy` strips from the ends. */
function bare(word: string): string {
  return tidy(word).toLowerCase()
}

const LOOSE_LAST = new Set(
  (
    'who that which are is do does have has and or but with for to of in the a an also just we would ' +
    'will anyone everyone they'
  ).split(' '),
)
const LOOSE_FIRST = new Set('and or but also who that'.split(' '))
