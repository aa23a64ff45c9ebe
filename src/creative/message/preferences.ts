// What the authors of a message hope for: `we want people to book`, `wir möchten mehr Anmeldungen für …`. The
// sentence itself is not copy; what people should do, or what it is about, is.

import { defined } from '../../lib/defined.ts'
import {
  MORE,
  MORE_FOR,
  PEOPLE,
  PUSH_AFTER,
  PUSH_BEFORE,
  REACH,
  THAT,
  TO,
  WANT_AFTER,
  WE_WANT,
} from './lexicon/requests.ts'
import { DETERMINERS } from './lexicon/small-words.ts'
import { type FoldedText, folded, phrasesOf } from './phrases.ts'

export interface Preference {
  /** What people should do, what it is about, or only who should be reached. */
  kind: 'action' | 'subject' | 'talk'
  text: string
  /** The object of the action, if it is worth saying. */
  about?: string
}

const words = {
  determiners: phrasesOf(DETERMINERS),
  more: phrasesOf(MORE),
  moreFor: phrasesOf(MORE_FOR),
  people: phrasesOf(PEOPLE),
  pushAfter: phrasesOf(PUSH_AFTER),
  pushBefore: phrasesOf(PUSH_BEFORE),
  reach: phrasesOf(REACH),
  that: phrasesOf(THAT),
  to: phrasesOf(TO),
  want: phrasesOf(WE_WANT),
  wantAfter: phrasesOf(WANT_AFTER),
}

/** A preference is at the beginning, after at most this number of words. */
const MAX_BEFORE = 6

/** Undefined if no preference is expressed, or if it is unclear which one. */
export function preferenceIn(text: FoldedText): Preference | undefined {
  const requested = preferredIn(text)
  if (requested === undefined) return undefined
  const whole = folded(requested.trim())
  const reported = words.people.atStart(whole)
  if (reported) return action(whole.text.slice(reported.end))
  const rest = folded(without(words.that, whole.text))
  const people = words.people.find(rest)
  const isEarly = people && people.start <= (rest.words[1]?.start ?? 0)
  // Where the verb comes first, its subject follows.
  if (isEarly && !words.more.find(folded(rest.text.slice(0, people.start))))
    return action(rest.text.slice(0, people.start) + rest.text.slice(people.end).trimStart())
  if (isEarly) return action(rest.text.slice(people.end))
  const pushed = words.pushBefore.atStart(rest)
  if (pushed) return subject(rest.text.slice(pushed.end))
  const more = words.more.atStart(rest)
  if (more) return forMore(rest.text.slice(more.end))
  const reach = words.reach.find(rest)
  // The verb comes first, or last in languages that put it there.
  const isVerb =
    reach && (reach.start <= (rest.words[2]?.start ?? 0) || reach.end >= rest.text.length - 1)
  if (isVerb) return { kind: 'talk', text: text.text }
  const after = words.pushAfter.find(rest)
  if (after && after.start > 0) return subject(rest.text.slice(0, after.start))
  return OURS.atStart(rest) ? subject(rest.text) : undefined
}

/** `We would like, that …`: in many languages a comma precedes the preference itself. */
export function isOnlyPreference(clause: string): boolean {
  const text = folded(clause)
  const want = words.want.find(text)
  return want !== undefined && want.end >= text.text.trimEnd().length && text.words.length <= 5
}

/** The author's own thing, if it comes first, is the subject. */
const OURS = phrasesOf(
  'unser|unsere|unseren|unserem|unserer|notre|nos|nuestro|nuestra|nuestros|nuestras|nosso|nossa|nossos|nossas|onze|ons|nasz|naszą|nasze|vår|vårt|våra|наш|нашу|наши|нашу|наше|наші',
)

/** The text after the words of wishing, or before them where they come last. */
function preferredIn(text: FoldedText): string | undefined {
  const want = words.want.find(text)
  const before = want ? text.words.filter(({ end }) => end <= want.start).length : 0
  if (want && before <= MAX_BEFORE && want.end < text.text.length) return text.text.slice(want.end)
  const after = words.wantAfter.find(text, 1)
  const isLast = after !== undefined && /^[\s.!。]{0,4}$/u.test(text.text.slice(after.end))
  return after && isLast ? text.text.slice(0, after.start) : undefined
}

function action(phrase: string): Preference | undefined {
  const text = without(words.to, phrase)
  return text === '' ? undefined : { kind: 'action', text, ...defined({ about: aboutOf(text) }) }
}

/** Without the verb, if it comes first; otherwise all of it. */
function aboutOf(action: string): string | undefined {
  if (VERB_LAST.test(action)) return undefined
  const [first, second] = folded(action).words
  if (!first || !second) return undefined
  const isNounFirst = words.determiners.atStart(folded(action)) !== undefined
  const { text = '' } =
    subject(isNounFirst ? action : action.slice(first.end).replace(REFLEXIVE, '')) ?? {}
  return folded(text).words.length > 1 ? text : undefined
}

const REFLEXIVE = /^ (?:się|sich|se|si|sig|zich)(?= )/
const VERB_LAST = /[ğışİ]|[\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Han}]/u

function subject(phrase: string): Preference | undefined {
  let text = phrase.trim()
  for (let round = 0; round < 2; round++) text = without(words.determiners, text)
  return text === '' ? undefined : { kind: 'subject', text }
}

/** `more people to book our sauna` asks to book it; `more bookings for our sauna` is about the sauna. */
function forMore(phrase: string): Preference | undefined {
  const rest = folded(phrase)
  const joint = words.moreFor.find(rest)
  if (!joint) return undefined
  const before = rest.words.filter(({ end }) => end <= joint.start).length
  return before <= 3 ? subject(phrase.slice(joint.end)) : undefined
}

function without(phrases: typeof words.to, phrase: string): string {
  const text = phrase.trim()
  const found = phrases.atStart(folded(text))
  return found && found.start === 0 && found.end < text.length ? text.slice(found.end).trim() : text
}
