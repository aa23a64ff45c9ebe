// What a message says about motion: that a banner should or should not be animated. A sentence that says nothing else
// is removed from the message, so that it is not printed.

export type MotionRequest = 'animated' | 'still'

export interface ReadMotion {
  /** The last preference counts; undefined when there is none. */
  preference: MotionRequest | undefined
  /** The message without the sentences that are only about motion. */
  rest: string
}

export function readMotionRequest(message: string): ReadMotion {
  let preference: MotionRequest | undefined
  let rest = ''
  for (const [sentence] of message.matchAll(SENTENCE)) {
    const words = wordsOf(sentence)
    const alone = words.length <= MOST_WORDS ? wholePreference(words) : undefined
    const said = alone ?? namedPreference(words)
    if (said) preference = said
    if (!alone) rest += sentence
  }
  return { preference, rest: preference === undefined ? message : rest.trim() }
}

/** With the mark that ends it. Nothing in quotes is a preference, since quotes hold it together with other words. */
const SENTENCE = /[^.!?;\n]+[.!?;\n]*|[.!?;\n]+/g

/** A longer sentence also says something else. */
const MOST_WORDS = 8

function wordsOf(sentence: string): string[] {
  return sentence.toLowerCase().match(/[\p{L}\p{M}]+|["“”„«»:]/gu) ?? []
}

/** Whether nothing else is said: “Please animate it”, “No animation”, “Bitte mit Animation”. */
function wholePreference(words: readonly string[]): MotionRequest | undefined {
  if (!words.some((word) => MOTION.has(word) || STILL.has(word))) return undefined
  if (!words.every((word) => MOTION.has(word) || STILL.has(word) || AROUND.has(word))) {
    return undefined
  }
  const isStill = words.some((word) => STILL.has(word)) || words.some((word) => NOT.has(word))
  return isStill ? 'still' : 'animated'
}

/** Within a sentence about something else: “an animated banner for …”, “ein animiertes Banner für …”. */
function namedPreference(words: readonly string[]): MotionRequest | undefined {
  for (const [index, word] of words.entries()) {
    const isMotion = MOTION.has(word)
    if (!isMotion && !STILL.has(word)) continue
    const beside = [words[index + 1], words[index + 2], words[index - 1], words[index - 2]]
    if (beside.some((other) => other !== undefined && MADE.has(other))) {
      return isMotion && !NOT.has(words[index - 1] ?? '') ? 'animated' : 'still'
    }
  }
  return undefined
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const MOTION = setOf(
  'animated animate animation animations animiert animierte animierter animiertes animierten animieren ' +
    'bewegt bewegte bewegter bewegtes animé animée animés animer animado animada animados animar animación ' +
    'animato animata animare animazione animação geanimeerd geanimeerde animatie animeer animowany animowana animacja animacją',
)
const STILL = setOf(
  'static statisch statisches statische statischer statique estático estática statico statica estática ' +
    'statyczny statyczna unanimated unanimiert',
)
const NOT = setOf(
  'no not without don dont ohne keine kein nicht sans pas sin nada senza sem zonder geen bez',
)
/** Words around a preference that add nothing to it. */
const AROUND = setOf(
  'no not without don dont t do ohne keine kein nicht sans pas d sin senza sem não zonder geen bez ' +
    'please pls make it be should must with use add some a an the and gentle subtle nice little banner banners ad ads ' +
    'bitte mit sein soll es soll das ein eine einer etwas sanfte sanfter dezent dezente banner anzeige ' +
    's il vous plaît avec une un la le por favor con una un per favore com uma met een graag z',
)
/** The thing that is made: a preference next to it is about it. */
const MADE = setOf(
  'banner banners ad ads advert advertisement creative html display leaderboard skyscraper ' +
    'anzeige werbung werbebanner werbemittel bannière annonce pub publicité anuncio annuncio anúncio advertentie baner reklama',
)
