// The audiences that a text requests, one by one: "families with toddlers and also luxury travellers" are two, "mums
// and dads" one, and of "affluent skiers and golfers" both are affluent.

import { isContentWord } from '../stop-words.ts'
import { tokensOf } from '../words.ts'
import {
  continues,
  headOf,
  isAudience,
  isDescription,
  isPersonAdjective,
  namesPeople,
} from './audience-words.ts'
import { withPairsKept } from './split-list.ts'
import { tidy } from './tidy.ts'

/** These separate audiences in any context. */
const STRONG =
  /\s*(?:[;\n•]|\s(?:and also|as well as|along with|together with|in addition to|and then|but also|not to mention|followed by)\s|\splus\s|\s\+\s)\s*/i
/** These also join words of one audience; captured, so that what belongs together can be rejoined. */
const WEAK = /(\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|&|and\/or|\/)\s+)/i
/** What follows are examples of what was named before. */
const EXAMPLES = /\b(?:such as|including|e\.g\.|for example|for instance|like (?=\w+,))/i
/** Words that the items of a list share: the people who want them, and how. */
const LEAD =
  /^(.*\b(?:interested in(?: buying| getting)?|(?:who|that) (?:love|like|enjoy|play|buy|own|drive|watch|drink|eat|use|read|follow|bought|have)|(?:fans|lovers|owners|buyers|users|readers|players|drinkers|students|viewers|followers) of|into|looking (?:for|to buy)|shopping for|in[- ](?:the )?market for|considering|researching|planning|passionate about|keen on|care about|enthusiastic about)\s+(?:an?\s+|the\s+|their\s+)?)(\S.*)$/i

const MAX_ITEM = 300
/** More than any text requests; limits the time for a text full of commas. */
const MAX_ITEMS = 24

export function splitIntents(text: string): string[] {
  const parts = withPairsKept(text, (kept) =>
    kept.split(STRONG).flatMap((part) => splitWeakly(part)),
  )
  const tidied = parts.map((part) => tidy(part.replace(/^(?:and|or|but|also|both|either)\s+/i, '')))
  return tidied.filter((part) => part !== '').map((part) => part.slice(0, MAX_ITEM))
}

function splitWeakly(text: string): string[] {
  const examples = text.search(EXAMPLES)
  const free = examples < 0 ? text : text.slice(0, examples)
  const items = belongingTogether(free.split(WEAK).slice(0, 2 * MAX_ITEMS - 1))
  if (examples >= 0) items.push(`${items.pop() ?? ''}${text.slice(examples)}`)
  if (items.length < 2) return [text]
  return shareEnd(shareLead(shareAdjectives(items.map(tidy)))) ?? [text]
}

/** Rejoins parts that only continue the one before: "people who cook and bake", "parents, aged 30 to 40". */
function belongingTogether(pieces: readonly string[]): string[] {
  const items: string[] = []
  for (let at = 0; at < pieces.length; at += 2) {
    const item = pieces[at] as string
    const last = items.at(-1)
    const isLoose =
      last !== undefined &&
      (continues(item, last) || isDescription(item) || isOneThing(last, pieces[at - 1]!, item))
    if (isLoose) items[items.length - 1] = `${last}${pieces[at - 1]}${item}`
    // "young and affluent travellers": a part that only describes belongs to the next one.
    else if (last !== undefined && isDescription(last))
      items[items.length - 1] = `${last}${pieces[at - 1]}${item}`
    else items.push(item)
  }
  return items.filter((item) => tidy(item) !== '')
}

/**
 * "buying and selling shares" is one activity, and "on a laptop or tablet" or "hand it back or sign again" are
 * choices within one: audiences joined with "or" are in the plural.
 */
function isOneThing(last: string, parting: string, item: string): boolean {
  if (namesPeople(item) || isAudience(item)) return false
  const before = tokensOf(last)
  const after = tokensOf(item)
  if (/\bor\b/i.test(parting)) {
    return before.length > 2 && !after.some(({ word }) => /[^s]s$/.test(word))
  }
  const isDoing = (word: string | undefined) => word !== undefined && /\w{2}ing$/.test(word)
  return (
    before.length === 1 && after.length > 1 && isDoing(before[0]?.word) && isDoing(after[0]?.word)
  )
}

function shareAdjectives(items: string[]): string[] {
  const words = tokensOf(items[0] ?? '')
  const head = headOf(items[0] ?? '')
  const adjectives = words.slice(0, Math.max(0, head))
  if (adjectives.length === 0 || !adjectives.every(({ word }) => isPersonAdjective(word)))
    return items
  const shared = (items[0] ?? '').slice(0, adjectives.at(-1)?.end ?? 0)
  const takes = (item: string) => headOf(item) === 0 && tokensOf(item)[0]?.word !== 'people'
  return items.map((item, at) => (at > 0 && takes(item) ? `${shared} ${item}` : item))
}

/** "people interested in golf and tennis": both are people's interests. */
function shareLead(items: string[]): string[] {
  let lead: string | undefined
  return items.map((item) => {
    const own = LEAD.exec(item)
    if (own !== null) lead = own[1]
    else if (namesPeople(item)) lead = undefined
    else if (lead !== undefined) return `${lead}${item.replace(/^(?:an?|the|their)\s+/i, '')}`
    return item
  })
}

/** "golf and tennis fans": both are fans. Undefined if the items turn out not to be a list. */
function shareEnd(items: string[]): string[] | undefined {
  const last = items.at(-1) as string
  const head = headOf(last)
  const tokens = tokensOf(last)
  const end = head > 0 ? last.slice(tokens[head]?.start ?? 0) : undefined
  const shared = items.map((item, at) => {
    if (end === undefined || at === items.length - 1 || tokensOf(item).length > 2) return item
    const isWhole = namesPeople(item) || (item.endsWith('s') && isAudience(item))
    return isWhole || LEAD.test(item) ? item : `${item} ${end}`
  })
  return shared.every((item) => tokensOf(item).some(({ word }) => isContentWord(word)))
    ? shared
    : undefined
}
