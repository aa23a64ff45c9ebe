// Rewrites an intent in catalogue terms: slang and brands become their meaning, and people who want or have something
// become the thing itself.

import { isContentWord } from '../stop-words.ts'
import type { Stage } from '../understood.ts'
import { type Token, tenselessOf, tokensOf } from '../words.ts'
import { isPeople, isVerb, namesPeople } from './audience-words.ts'
import type { LexiconHit } from './lexicon.ts'
import { tidy } from './tidy.ts'

const MAX_REWRITES = 4
/** From this share of its content words on, a text consists only of what the lexicon covers. */
const ALL_KNOWN = 0.6

/** `phrases`: the lexicon phrases in it. Never includes the text itself, which is kept separately. */
export function rewriteIntent(
  text: string,
  stage: Stage | undefined,
  phrases: readonly LexiconHit[],
): string[] {
  const tokens = tokensOf(text)
  const hits = phrases.filter((hit) => saysMore(hit, tokens))
  const meant = [0, 1].map((choice) => withMeanings({ text, tokens }, hits, choice))
  const rewrites = [
    labelOf(meant[0] ?? text, stage) ?? labelOf(text, stage),
    ...meant,
    onlyMeanings(tokens, hits),
  ]
  const kept = new Map<string, string>()
  for (const rewrite of rewrites) {
    const key = rewrite === undefined ? '' : rewrite.toLowerCase()
    if (rewrite !== undefined && key !== '' && key !== text.toLowerCase() && !kept.has(key)) {
      kept.set(key, rewrite)
    }
  }
  return [...kept.values()].slice(0, MAX_REWRITES)
}

/** Whether the meaning has a word that is missing in the text. */
function saysMore(hit: LexiconHit, tokens: readonly Token[]): boolean {
  const said = new Set(tokens.map(({ word }) => tenselessOf(word)))
  return hit.entry.means.some((meaning) =>
    tokensOf(meaning).some(({ word }) => isContentWord(word) && !said.has(tenselessOf(word))),
  )
}

function withMeanings(
  { text, tokens }: { text: string; tokens: readonly Token[] },
  hits: readonly LexiconHit[],
  choice: number,
): string | undefined {
  if (hits.length === 0 || !hits.some(({ entry }) => entry.means[choice] !== undefined))
    return undefined
  let out = ''
  let copied = 0
  for (const { first, last, entry } of hits) {
    const meaning = entry.means[choice] ?? entry.means[0] ?? ''
    const isWho = namesPeople(meaning)
    const before = text.slice(copied, tokens[first]?.start)
    // "people who do not eat meat" are vegetarians, not "people who vegetarians".
    out += (isWho ? before.replace(BEFORE_PEOPLE, ' ') : before) + meaning
    const next = isWho && isPeople(tokens[last + 1]?.word ?? '') ? last + 1 : last
    copied = tokens[next]?.end ?? text.length
  }
  return tidy((out + text.slice(copied)).replace(/\ba (?=[aeiou])/g, 'an '))
}

const BEFORE_PEOPLE =
  /(?:^|\s)(?:people|folks|those|anyone|adults)?\s*(?:\b(?:who|that)\b)?(?:\s+(?:are|is|want to|would like to|have|has|love|like))?\s*$/i

function onlyMeanings(tokens: readonly Token[], hits: readonly LexiconHit[]): string | undefined {
  if (hits.length === 0) return undefined
  const isHit = (at: number) => hits.some(({ first, last }) => first <= at && at <= last)
  const content = tokens
    .map(({ word }, at) => ({ word, at }))
    .filter(({ word }) => isContentWord(word))
  const known = content.filter(({ at }) => isHit(at)).length
  if (content.length > 0 && known / content.length < ALL_KNOWN) return undefined
  return [...new Set(hits.map(({ entry }) => entry.means[0]))].join(', ')
}

/** The thing that is wanted or owned, if nothing more is said about the people. */
function labelOf(text: string, stage: Stage | undefined): string | undefined {
  const { patterns, label } = LABELS[stage ?? 'none']
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match === null || saysWho(text.slice(0, match.index))) continue
    const what = thingOf(match[1] ?? '')
    if (what !== '') return label(what)
  }
  return undefined
}

function saysWho(text: string): boolean {
  return tokensOf(text).some(({ word }) => isContentWord(word))
}

const BUY =
  '(?:buy(?:ing)?|purchas(?:e|ing)|get(?:ting)?|leas(?:e|ing)|book(?:ing)?|own(?:ing)?|try(?:ing)?)'

const WANTS = [
  /\b(?:swap|trad|ditch|exchang)\w*\b.*?\bfor\s+(.+)$/i,
  /\b(?:switch|mov|chang|upgrad|convert)(?:e|ing|es|s)?\b(?: over)?(?: .*?)? to\s+(.+)$/i,
  new RegExp(
    `\\b(?:in[- ](?:the )?market for|shop(?:ping)? (?:around )?for|look(?:ing)? (?:for|to ${BUY}|at(?: ${BUY})?)|plan(?:s|ning)? (?:(?:to|on) ${BUY}|for)|planning|considering(?: ${BUY})?|thinking (?:of|about)(?: ${BUY})?|about to ${BUY}|want(?:s|ing)? (?:to ${BUY}|an?)|(?:ready|hoping|hope) to ${BUY}|interested in ${BUY}|saving (?:up )?for|researching|comparing|hunting for|need(?:s|ing)?|due for|eyeing|seeking)\\s+(.+)$`,
    'i',
  ),
]
const HAS = [
  /\b(?:own|owns|drive|drives|bought|purchased|have bought|already have|have got|owners of|drivers of|subscribed to|subscribers to|customers of)\s+(.+)$/i,
]
const LIKES = [
  /\b(?:love|loves|like|likes|enjoy|enjoys|into|fans of|lovers of|interested in|passionate about|keen on|crazy about|mad about|obsessed with|can not get enough of|live for)\s+(?:to\s+)?(.+)$/i,
]

const LABELS: Readonly<
  Record<Stage | 'none', { patterns: readonly RegExp[]; label: (what: string) => string }>
> = {
  intender: { patterns: WANTS, label: (what) => `people in the market for ${what}` },
  owner: { patterns: HAS, label: (what) => `${what} owners` },
  none: { patterns: LIKES, label: (what) => `${what} enthusiasts` },
  lapsed: { patterns: [], label: (what) => what },
  lookalike: { patterns: [], label: (what) => what },
}

/** Without the meaningless words before it, and without what follows it. */
function thingOf(said: string): string {
  const [thing = ''] = said.split(
    /\s(?:because|so that|which|when|who|soon|right now|this year|next (?:month|year|week)|in the next|within|for (?:their|the first time))\b|[,.;]/i,
  )
  const bare = tidy(
    thing.replace(/^(?:(?:to|an?|the|their|some|brand|his|her|my|our|very|own|first)\s+)+/i, ''),
  )
  const words = tokensOf(bare)
  if (words.some(({ word }, at) => word === 'and' && isVerb(words[at + 1]?.word ?? ''))) return ''
  return words.length <= 8 && !namesPeople(bare) && words.some(({ word }) => isContentWord(word))
    ? bare
    : ''
}
