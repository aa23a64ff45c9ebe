// Whether words of a message are talk between the people who make the advertisement: greetings, thanks, who it is
// for, what it may cost, when it is due.

import { factsIn, hasOffer } from './facts.ts'
import { MAKE } from './lexicon/asking.ts'
import { STOP_WORDS } from './lexicon/small-words.ts'
import { ANYTHING, BRIEFING, GREETED, GREETINGS, SIGN_OFFS, TALK } from './lexicon/talk.ts'
import { type FoldedText, folded, phrasesOf } from './phrases.ts'

const words = {
  anything: phrasesOf(ANYTHING),
  briefing: phrasesOf(BRIEFING),
  greeted: phrasesOf(GREETED),
  greetings: phrasesOf(GREETINGS),
  make: phrasesOf(MAKE),
  signOffs: phrasesOf(SIGN_OFFS),
  stop: phrasesOf(STOP_WORDS),
  talk: phrasesOf(TALK),
}

/** “Whatever you like”: a message that says only this has no content. */
export function isAnything(text: FoldedText): boolean {
  return words.anything.find(text) !== undefined && factsIn(text.text).length === 0
}

export interface Around {
  /** Whether the message holds any instruction: then others are likely. */
  isInstructed: boolean
  /** Whether the message begins here. */
  isFirst?: boolean
}

/** The reason why something should be omitted, or look a certain way, is addressed to the creator of the ad. */
export function isReason(text: FoldedText, before: string | undefined): boolean {
  const isReported = before === 'avoid' || before === 'manner' || before === 'talk'
  return isReported && BECAUSE.atStart(text) !== undefined && !hasOffer(text.text)
}

const BECAUSE = phrasesOf(
  'since|because|as it|as they|as we|so that|da|weil|denn|damit|car|parce que|puisque|porque|ya que|pues|perché|poiché|dato che|pois|já que|omdat|want|aangezien|ponieważ|bo|gdyż|eftersom|för att|protože|jelikož|karena|soalnya|çünkü|vì|bởi vì|γιατί|επειδή|διότι|потому что|так как|поскольку|бо|тому що|оскільки|क्योंकि|لأن|لأنه|כי|מכיוון ש|เพราะ|因为|因為|由于|由於',
)

export function isTalk(text: FoldedText, around: Around): boolean {
  const { isInstructed } = around
  if (isGreeting(text, around)) return true
  const talk = words.talk.find(text)
  const isAbout = talk ?? words.briefing.find(text)
  if (isAbout && isInstructed && !hasOffer(text.text)) return true
  if (talk && talk.start <= (text.words[0]?.start ?? 0)) return true
  if (isInstructed && isOnlyMaking(text)) return true
  if (REQUESTS.find(text) && !hasOffer(text.text)) return true
  return NOTHING.has(text.lower.trim()) || /^test(?:ing)?[\s\d.!]{0,20}$/.test(text.lower)
}

/** Requests to the creator of the ad, never to its readers. */
const REQUESTS = phrasesOf(
  '부탁드려요|부탁드립니다|부탁해요|お願いします|お願いいたします|お願い致します',
)

/** `Зробіть`, `please`: what is to be made is in another clause. */
function isOnlyMaking(text: FoldedText): boolean {
  return (
    (text.words.length > 0 &&
      text.words.length <= 3 &&
      text.words.every(
        ({ exact }) => words.make.find(folded(exact)) || words.stop.find(folded(exact)),
      )) ||
    POLITE.has(text.lower.trim())
  )
}

const POLITE = new Set([
  'будь ласка',
  's’il vous plaît',
  "s'il vous plaît",
  'por favor',
  'per favore',
])

const NOTHING = new Set(
  'test|testing|test test|asdf|xxx|tbd|todo|lorem ipsum|prueba|essai|prova|teste|тест|テスト|测试|測試|테스트|ทดสอบ|اختبار|בדיקה|टेस्ट|hello world|n/a|none|-'.split(
    '|',
  ),
)

const MAX_SIGN_OFF = 6

/** Greetings, thanks, and the request itself: nothing to follow. */
export function isPleasantry(clause: string): boolean {
  const text = folded(clause)
  if (isSignOff(clause) || isOnlyMaking(text)) return true
  const greeting = words.greetings.atStart(text)
  return greeting !== undefined && text.words.length <= MAX_SIGN_OFF && !hasOffer(clause)
}

function isGreeting(text: FoldedText, { isInstructed, isFirst }: Around): boolean {
  const greeting = words.greetings.atStart(text)
  if (!greeting || greeting.start > (text.words[0]?.start ?? 0)) return false
  const rest = folded(text.text.slice(greeting.end))
  if (rest.words.length === 0) return !DEAR.test(text.text)
  const greeted = words.greeted.find(rest)
  if (greeted && rest.words.length <= 4) return true
  // Before instructions, the first name is the person addressed.
  if (isInstructed && isFirst && rest.words.length <= 4 && !hasOffer(text.text)) return true
  return rest.words.length <= 2 && (DEAR.test(text.text) || /^(?:hi|hey)\b/i.test(text.text))
}

/** Used before a name, and never alone. */
const DEAR =
  /^(?:dear|liebe|lieber|liebes|cher|chère|estimad|querid|gentil|prezad|beste|szanown|sayın|уважаем|шановн)/i

/** Whether a letter ends here: the few words that follow are the signature. */
function isSignOff(clause: string): boolean {
  const text = folded(clause)
  return text.words.length <= MAX_SIGN_OFF && words.signOffs.find(text) !== undefined
}
