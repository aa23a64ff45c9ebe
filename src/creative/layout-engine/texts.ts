// The words of an advertisement: what the message dictates, else what the offering and the brand say
// of themselves. Nothing is claimed that none of them said.

import type { AdInput, AdTexts, TextLimits } from './ad-input.ts'
import { fitWords, tidy } from './fit-words.ts'
import { readMessage, sentenceCase, type Tone, type Wishes } from './read-wishes.ts'

const DEFAULT_LIMITS: Required<TextLimits> = { headline: 60, description: 140, call_to_action: 20 }

/** Each text fits its limit; a description may be empty. */
export function textsOf(
  input: Pick<AdInput, 'brand' | 'offering' | 'message' | 'texts' | 'limits'>,
): AdTexts {
  const wishes = { ...readMessage(input.message, input.brand.tone), ...givenTexts(input) }
  const limits = { ...DEFAULT_LIMITS, ...input.limits }
  const headline = fitWords(headlineOf(input, wishes, limits.headline), limits.headline)
  return {
    headline,
    description: fitWords(descriptionOf(input, wishes, headline), limits.description),
    call_to_action: callToAction(input, wishes, limits.call_to_action),
  }
}

/** On one line each; what is empty is not given. */
function givenTexts({ texts = {} }: Pick<AdInput, 'texts'>): Partial<AdTexts> {
  const tidied = Object.entries(texts).map(([role, text]) => [role, tidy(text)] as const)
  return Object.fromEntries(tidied.filter(([, text]) => text !== ''))
}

function headlineOf({ brand, offering }: Words, wishes: Wishes, limit: number): string {
  if (wishes.headline !== undefined) return wishes.headline
  const name = tidy(offering?.name ?? '')
  if (name.length > limit && SUBTITLE.test(name)) return name.split(SUBTITLE)[0] as string
  const isEnglish = ENGLISH.test(`${offering?.description ?? ''} ${name}`)
  if (name !== '') return isEnglish ? withTone(name, wishes.tone, limit) : name
  const others = [wishes.subject, wishes.mentions[0], brand.tagline, brand.name]
  return others.map((text) => tidy(text ?? '')).find((text) => text !== '') ?? 'Discover more'
}

/** What stands before it can stand alone. */
const SUBTITLE = /(?::| [–—-]) /
/** Words without which hardly a sentence of English does; another language keeps its name as it is. */
const ENGLISH = /\b(?:the|and|for|your|with|of|to|on|our|from|in)\b/i

type Words = Pick<AdInput, 'brand' | 'offering' | 'message'>

/** A short name becomes a sentence; a long one, or one that is a sentence already, stays. */
function withTone(name: string, tone: Tone | undefined, limit: number): string {
  const opening = {
    urgent: 'Don’t miss',
    playful: 'Say hello to',
    premium: 'Discover',
    friendly: 'Meet',
  }
  if (tone === undefined || name.split(' ').length > 4 || STARTS_AS_SENTENCE.test(name)) return name
  const sentence = `${opening[tone]} ${name}`
  return sentence.length <= Math.min(limit, 42) ? sentence : name
}

const STARTS_AS_SENTENCE =
  /^(?:get|buy|shop|save|try|discover|meet|say|don.?t|enjoy|find|join|start|make|your|our|up to|free|\d)|[!?.:]/i

function descriptionOf({ brand, offering }: Words, wishes: Wishes, headline: string): string {
  if (wishes.description !== undefined) return wishes.description
  const body = [offering?.description, brand.tagline].map((text) => tidy(text ?? ''))
  const said = body.find((text) => text !== '' && text !== headline) ?? ''
  const heard = `${headline} ${said}`.toLowerCase()
  const more = wishes.mentions.filter((phrase) => !heard.includes(phrase.toLowerCase()))
  // What the message wants mentioned comes first: the end is what a limit cuts off.
  return [...more.map(sentence), said].filter((text) => text !== '').join(' ')
}

function sentence(phrase: string): string {
  return /[.!?]$/.test(phrase) ? phrase : `${sentenceCase(phrase)}.`
}

function callToAction({ offering, message, brand }: Words, wishes: Wishes, limit: number): string {
  if (wishes.call_to_action !== undefined && wishes.call_to_action.length <= limit)
    return wishes.call_to_action
  const about = [offering?.name, offering?.description, message, brand.tagline].join(' ')
  const fitting = ACTIONS.find(([words]) => words.test(about))?.[1]
  const choices = [fitting, byTone(wishes.tone), 'Learn more', 'See more', 'More', 'Go']
  const choice = choices.find((text) => text !== undefined && text.length <= limit)
  return choice ?? fitWords(wishes.call_to_action ?? 'Go', limit)
}

function byTone(tone: Tone | undefined): string | undefined {
  return tone === undefined
    ? undefined
    : {
        urgent: 'Get it now',
        premium: 'Explore now',
        playful: 'Check it out',
        friendly: 'Take a look',
      }[tone]
}

/** The first whose words are said. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bfree trial\b/i, 'Start free trial'],
  [/\b(?:tickets?|concert|festival|show)\b/i, 'Get tickets'],
  [/\bcharity\b|\b(?:donat|fundrais)/i, 'Donate now'],
  [/\b(?:download|mobile app|the app|ios|android)\b/i, 'Get the app'],
  [/\b(?:hotels?|flights?|travel|holidays?|vacations?|resort|getaway|trips?)\b/i, 'Book now'],
  [/\b(?:restaurant|pizza|burger|delivery|menu|takeaway|meal kits?)\b/i, 'Order now'],
  [/\bsubscri|\b(?:newsletter|members?hip|webinar|sign[- ]?up)\b/i, 'Sign up'],
  [/\b(?:courses?|degree|class(?:es)?|bootcamp|training)\b/i, 'Enrol now'],
  [/\btest drive\b/i, 'Book a test drive'],
  [/\b(?:quote|insurance|mortgage|loan)\b/i, 'Get a quote'],
  [/\b(?:demo|platform|software|saas|api)\b/i, 'See how it works'],
  [
    /\b(?:sale|shop|stores?|shipping|off|discount|buy|collection|products?|food|shoes?|wear|coffee|gifts?|deals?|price|order)\b/i,
    'Shop now',
  ],
]
