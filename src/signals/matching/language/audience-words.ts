// What makes a noun phrase an audience of its own: words for people, adjectives that describe them, and verbs that
// continue a description.

import { isContentWord } from '../stop-words.ts'
import { tokensOf } from '../words.ts'
import { findPhrases } from './lexicon.ts'

/** The index of the word for the people in a phrase; -1 if there is none. */
export function headOf(text: string): number {
  const words = tokensOf(text).map(({ word }) => word)
  const end = words.findIndex((word, at) => at > 0 && BEHIND_HEAD.has(word))
  const bare = end < 0 ? words : words.slice(0, end)
  for (let at = bare.length - 1; at >= 0; at--) if (isPeople(bare[at] as string)) return at
  const hit = findPhrases(tokensOf(text)).at(-1)
  return hit !== undefined && hit.last === bare.length - 1 && isForPeople(hit.entry.means)
    ? hit.last
    : -1
}

export function isAudience(text: string): boolean {
  return headOf(text) >= 0
}

/** The same, but only if a single word says so, not a phrase of the lexicon. */
export function namesPeople(text: string): boolean {
  return tokensOf(text).some(({ word }) => isPeople(word))
}

function isForPeople(means: readonly string[]): boolean {
  return means.some((meaning) => tokensOf(meaning).some(({ word }) => isPeople(word)))
}

export function isPeople(word: string): boolean {
  return PEOPLE.has(word) || (PEOPLE_ENDING.test(word) && !THINGS.has(word))
}

/** Whether a text only describes, and names no one and nothing. */
export function isDescription(text: string): boolean {
  const words = tokensOf(text).map(({ word }) => word)
  return words.every((word) => DESCRIPTIONS.has(word) || /^\d/.test(word) || !isContentWord(word))
}

export function isPersonAdjective(word: string): boolean {
  return DESCRIPTIONS.has(word)
}

/** Whether a text continues with the people named in the one before it. */
export function continues(text: string, before: string): boolean {
  const [first, second] = tokensOf(text).map(({ word }) => word)
  if (first === undefined || CONTINUING.has(first)) return true
  if (!isVerb(first)) return false
  return second === undefined ? /\bwho (?!love|like|enjoy)/i.test(before) : !isPeople(second)
}

export function isVerb(word: string): boolean {
  return VERBS.has(word)
}

const listed = (words: string) => new Set(words.split(' '))

const PEOPLE_ENDING = /(?:ers|ors|ists|ians|eers|enthusiasts|aholics|heads|bies|moms|mums|dads)$/

const THINGS = listed(
  'computers sneakers trailers flowers burgers diapers scooters printers speakers trainers papers ' +
    'cruisers numbers offers orders others careers dinners beers chargers routers tractors motors doors ' +
    'colors floors outdoors indoors errors monitors sensors sweaters stickers posters hampers strollers ' +
    'campers boosters filters mixers blenders freezers coolers headers footers rivers covers towers ' +
    'vouchers letters leaders newsletters centers centres theaters matters winters summers fillers blockers',
)

const PEOPLE = listed(
  'people adults women men families parents couples households moms mums dads mothers fathers kids teens ' +
    'children students seniors retirees fans owners lovers millennials boomers folks singles grandparents ' +
    'residents citizens patients individuals expats graduates grads newlyweds guys girls boys ladies ' +
    'professionals executives entrepreneurs employees veterans nurses clients audiences audience athletes ' +
    'vegans nerds geeks addicts junkies bros mamas toddlers teenagers immigrants tourists gamers foodies ' +
    'nesters nomads smokers snowbirds prospects lookalikes influencers creators intenders leads migrants ' +
    'natives guests members savvies types homeowners newcomers attendees applicants participants parent',
)

const BEHIND_HEAD = listed(
  'who that which with without in on at of from for aged over under between living interested looking ' +
    'shopping planning considering earning working about into whose near to and or',
)

const DESCRIPTIONS = listed(
  'affluent wealthy rich young younger older old senior female male urban rural suburban millennial ' +
    'educated busy working single married professional frugal thrifty healthy active sporty fit ' +
    'environmentally conscious eco green ethical conservative liberal hispanic latino black asian white ' +
    'college retired upscale trendy stylish tech savvy outdoorsy adventurous frequent avid keen casual ' +
    'serious passionate high low income net worth middle class aged mature modern digital loyal hardcore ' +
    'social curious ambitious successful independent creative budget price value minded spending',
)

const CONTINUING = listed(
  'who that which with without aged living especially particularly including such like between earning ' +
    'in on at from under over their either also even mostly mainly preferably ideally typically often ' +
    'usually maybe perhaps plus then up above below older younger everything anything so where whose to ' +
    'because when while if as both',
)

const VERBS = listed(
  'love like enjoy buy own drive live have are is cook travel read watch play eat drink use shop work ' +
    'want need care spend prefer value follow visit go do get make take earn save invest study exercise ' +
    'bake hike bike run train listen subscribe plan look consider think hate avoid feel seek try keep ' +
    'struggle suffer speak belong stay order pay donate vote rent share stream commute recently just ' +
    'regularly frequently rarely never always actively currently already looking planning considering ' +
    'thinking wanting hoping interested shopping searching researching comparing trying willing likely',
)
