// Whether words of a message say how the advertisement should look or sound: they are never copy.

import { factsIn, hasOffer } from './facts.ts'
import { MAKE } from './lexicon/asking.ts'
import { AVOID, NOT } from './lexicon/avoiding.ts'
import { COLOUR, COLOURS } from './lexicon/colours.ts'
import { MANNER, SURELY_MANNER, TONE_NOUNS, TONE_WORDS } from './lexicon/manner.ts'
import { STOP_WORDS } from './lexicon/small-words.ts'
import { type FoldedText, folded, phrasesOf } from './phrases.ts'
import { quotedIn } from './quotes.ts'

const words = {
  avoid: phrasesOf(AVOID),
  colour: phrasesOf(COLOUR),
  colours: phrasesOf(COLOURS),
  not: phrasesOf(NOT),
  make: phrasesOf(MAKE),
  manner: phrasesOf(MANNER),
  stop: phrasesOf(STOP_WORDS),
  surely: phrasesOf(SURELY_MANNER),
  toneNouns: phrasesOf(TONE_NOUNS),
  tones: phrasesOf(TONE_WORDS),
}

/** `No red`, `žádnou červenou`: only an unwanted colour, next to other instructions. */
export function isColourBan(
  text: FoldedText,
  { isInstructed }: { isInstructed: boolean },
): boolean {
  if (!isInstructed || !words.colours.find(text)) return false
  const parts = [words.not, words.avoid]
  if (!parts.some((part) => part.find(text)) || factsIn(text.text).length > 0) return false
  if (text.isUnspaced) return text.text.trim().length <= MAX_UNSPACED
  const known = [...parts, words.colours, words.colour, words.stop, FILLERS, words.make, DIRECTIVES]
  const spans = known.flatMap((part) => part.all(text))
  return text.words.every(({ start, end }) =>
    spans.some((span) => span.start <= start && span.end >= end),
  )
}

const MAX_UNSPACED = 20

const DIRECTIVES = phrasesOf(
  'use|please use|put|place|add our logo|make the|set the|verwende|verwendet|nutze|nutzt|setze|utilise|utilisez|mets|mettez|usa|usá|usen|utiliza|pon|use|usem|utilize|coloque|usate|utilizza|metti|gebruik|zet|użyj|użyjcie|umieść|kullan|kullanın|koyun|dùng|sử dụng|đặt|χρησιμοποίησε|χρησιμοποιήστε|βάλτε|используй|используйте|поставь|поставьте|разместите|використай|використайте|поставте|розмістіть|استخدم|استخدموا|ضعوا|ضع|השתמשו|תשתמשו|שימו|ใช้|วาง|使用|用|請用|请用',
)

/** Words used only in instructions. */
export function isSurelyManner(text: FoldedText): boolean {
  if (quotedIn(text.text).length > 0 || hasOffer(text.text)) return false
  const isReported = DIRECTIVES.atStart(text) !== undefined && words.manner.find(text) !== undefined
  return isReported || words.surely.find(text) !== undefined
}

export function isManner(text: FoldedText, { isInstructed }: { isInstructed: boolean }): boolean {
  if (isTones(text, isInstructed)) return true
  if (quotedIn(text.text).length > 0 || hasOffer(text.text)) return false
  if (words.surely.find(text)) return true
  return isInstructed && words.manner.find(text) !== undefined
}

/**
 * Only adjectives of tone, and small words. Those that also describe goods count only next to another
 * instruction.
 */
function isTones(text: FoldedText, isInstructed: boolean): boolean {
  if (text.words.length > MAX_TONE_WORDS || text.text.length > MAX_TONE_CHARS) return false
  let tones = 0
  for (let at = 0; at < text.text.length; ) {
    const rest = folded(text.text.slice(at))
    const tone = words.tones.atStart(rest)
    const small = tone
      ? undefined
      : (words.stop.atStart(rest) ?? FILLERS.atStart(rest) ?? words.make.atStart(rest))
    const end = tone?.end ?? small?.end
    if (end === undefined) return rest.words.length === 0 && tones > 0
    if (tone && (isInstructed || !OF_GOODS.atStart(rest))) tones++
    at += end
  }
  return tones > 0
}

const MAX_TONE_WORDS = 12
/** Without spaces, many words look like one. */
const MAX_TONE_CHARS = 200
const OF_GOODS = phrasesOf(
  'soft|gentle|warm|warme*|cosy|cozy|simple|honest|clean|light|natural|fresh|dry|plain|modern*|elegant*|young|premium|bold|calm|short|clear|cool|happy|crisp|einfach|leicht*|ruhig*|ehrlich|klar|edel|jung|léger|légère|frais|naturel|calme|honnête|clair|sencill*|fresc*|cálid*|claro|tranquilo|honesto|semplice|legger*|cald*|calmo|onesto|chiaro|simples|leve|rustig*|eerlijk*|simpel|eenvoudig|lekk*|ciepł*|prost*|varm*|enkel*|lugn*|ärlig*|sıcak|sakin|sade|ấm áp|nhẹ nhàng|ζεστ*|απλ*|ήρεμ*|лёгк*|легк*|тёпл*|тепл*|спокойн*|спокійн*|честно|чесно',
)
const FILLERS = phrasesOf(
  'it|es|het|formulieren|schreiben|halten|write|written|keep|bit|very|quite|rather|little|a|something|etwas|sehr|eher|ein bisschen|bisschen|plutôt|très|un peu|muy|algo|un poco|molto|un po|piuttosto|muito|um pouco|bem|een beetje|heel|erg|bardzo|trochę|çok|biraz|rất|một chút|πολύ|λίγο|очень|немного|дуже|трохи|थोड़ा|बहुत|please|bitte',
)
