// What each clause of a message is for: copy, or one of the things people say around it. An instruction
// must never be printed (spec 4.2), and what it asks to say or to be about is copy without its verb.

import { factsIn } from './facts.ts'
import {
  ABOUT,
  ARTEFACTS,
  ASK_AFTER,
  ASK_BEFORE,
  CTA_ASK,
  CTA_ASK_AFTER,
  MAKE,
  MENTION,
  MENTION_AFTER,
} from './lexicon/asking.ts'
import { AVOID, NOT, TOPICS } from './lexicon/avoiding.ts'
import { COPY_SECTIONS, TALK_SECTIONS } from './lexicon/labels.ts'
import { MANNER, SURELY_MANNER, TONE_WORDS } from './lexicon/manner.ts'
import { DETERMINERS, STOP_WORDS } from './lexicon/small-words.ts'
import { ANYTHING, BRIEFING, GREETED, GREETINGS, TALK } from './lexicon/talk.ts'
import { type FoldedText, folded, phrasesOf } from './phrases.ts'
import { quotedIn } from './quotes.ts'

export type ClauseKind =
  | 'copy'
  /** What the advertisement is about, or shall mention. */
  | 'subject'
  | 'mention'
  /** What people shall be asked to do. */
  | 'action'
  | 'avoid'
  | 'manner'
  | 'talk'

export interface Read {
  kind: ClauseKind
  /** What of it is copy, an action, or to be avoided. */
  text: string
}

const words = {
  anything: phrasesOf(ANYTHING),
  about: phrasesOf(ABOUT),
  artefacts: phrasesOf(ARTEFACTS),
  askAfter: phrasesOf(ASK_AFTER),
  askBefore: phrasesOf(ASK_BEFORE),
  avoid: phrasesOf(AVOID),
  briefing: phrasesOf(BRIEFING),
  copySections: phrasesOf(COPY_SECTIONS),
  ctaAfter: phrasesOf(CTA_ASK_AFTER),
  ctaAsk: phrasesOf(CTA_ASK),
  determiners: phrasesOf(DETERMINERS),
  greeted: phrasesOf(GREETED),
  greetings: phrasesOf(GREETINGS),
  make: phrasesOf(MAKE),
  manner: phrasesOf(MANNER),
  mention: phrasesOf(MENTION),
  mentionAfter: phrasesOf(MENTION_AFTER),
  not: phrasesOf(NOT),
  stop: phrasesOf(STOP_WORDS),
  surely: phrasesOf(SURELY_MANNER),
  talk: phrasesOf(TALK),
  talkSections: phrasesOf(TALK_SECTIONS),
  tones: phrasesOf(TONE_WORDS),
  topics: phrasesOf(...Object.values(TOPICS)),
}

/** Whether the whole sentence is about the work: who it is for, what it may cost, when it is due. */
export function isBriefing(sentence: string): boolean {
  return words.briefing.find(folded(sentence)) !== undefined
}

/** The part of a brief that the clause before a colon names. */
export function sectionOf(clause: string): 'copy' | 'talk' | undefined {
  const text = folded(clause)
  const isWhole = (found: { start: number; end: number } | undefined) =>
    found !== undefined &&
    found.start === (text.words[0]?.start ?? 0) &&
    found.end === text.words.at(-1)?.end
  if (isWhole(words.copySections.atStart(text))) return 'copy'
  return isWhole(words.talkSections.atStart(text)) ? 'talk' : undefined
}

export interface Before {
  /** Of the clause before in the same sentence. */
  kind?: ClauseKind | undefined
  /** Whether the message holds any instruction: then others are likely. */
  isInstructed: boolean
}

export function readClause(clause: string, before: Before): Read {
  const text = folded(clause)
  if (text.words.length === 0 && !/\p{L}|\p{N}/u.test(clause)) return { kind: 'copy', text: clause }
  if (words.anything.find(text) && factsIn(clause).length === 0)
    return { kind: 'talk', text: clause }
  if (isAvoiding(text, before)) return { kind: 'avoid', text: clause }
  if (ADDRESS.test(clause)) {
    return { kind: LINKING.find(text) ? 'talk' : 'mention', text: clause }
  }
  if (isSurelyManner(text)) return { kind: 'manner', text: clause }
  const action = actionIn(text)
  if (action !== undefined) return { kind: 'action', text: action }
  const asked = askedIn(text, before)
  if (asked !== undefined) {
    const isSaid = asked !== '' && !isTalk(folded(asked), { isInstructed: true })
    return isSaid ? { kind: 'subject', text: asked } : { kind: 'talk', text: '' }
  }
  const isShown = words.mention.atStart(withoutSmall(text)) !== undefined
  if (!isShown && isManner(text, before)) return { kind: 'manner', text: clause }
  const mentioned = mentionedIn(text)
  if (mentioned !== undefined)
    return { kind: mentioned === '' ? 'talk' : 'mention', text: mentioned }
  if (isTalk(text, before)) return { kind: 'talk', text: clause }
  return { kind: 'copy', text: clause }
}

const ADDRESS = /https?:\/\//i
/** Where a click leads is no copy. */
const LINKING = phrasesOf(
  'link to|links to|linking to|link|leads to|lead to|landing page|click goes to|clicks go to|point to|verlinke*|verlinkung|führt zu|zielseite|lien vers|renvoie vers|redirige|enlace a|enlaza*|lleva a|link a|porta a|rimanda a|link para|leva a|verwijs naar|linkt naar|link do|prowadzi do|bağlantı*|yönlendir*|dẫn đến|liên kết|σύνδεσμος|οδηγεί|ссылка на|ведёт на|посилання на|веде на|लिंक|رابط|الرابط|קישור|לינק|ลิงก์|リンク|링크|链接|鏈接|連結',
)

/** Whether it tells a price, a percentage, a code, or how to get in touch: then it is hardly talk. */
export function hasOffer(text: string): boolean {
  return factsIn(text).some(({ kind }) => kind !== 'number' && kind !== 'date')
}

/** Whether an instruction begins here, after a word that joins clauses. */
export function beginsInstruction(part: string, before: Before): boolean {
  const text = folded(part)
  if (words.ctaAsk.atStart(text) || words.mention.atStart(text)) return true
  if (words.askBefore.atStart(text)) return true
  if (words.avoid.atStart(text) || words.talk.atStart(text)) return true
  if (isAvoiding(text, before)) return true
  return (
    !hasOffer(part) &&
    (isManner(text, before) ||
      words.ctaAfter.find(text) !== undefined ||
      words.mentionAfter.find(text) !== undefined)
  )
}

function isAvoiding(text: FoldedText, { kind }: Before): boolean {
  const found = words.avoid.find(text)
  if (found && !isCopyNegation(text, found.start)) return true
  const not = words.not.find(text)
  if (!not) return false
  const isFirst = not.start <= (text.words[2]?.start ?? 0)
  if (kind === 'avoid' && isFirst) return true
  // `no prices`, `keine Preise`: all of it but small words.
  const topic = words.topics.find(text, not.end)
  return topic !== undefined && isFirst && text.words.length <= 5 && !factsIn(text.text).length
}

/** `слова` and `the word` alone are said of other things too: a negation goes with them. */
function isCopyNegation(text: FoldedText, start: number): boolean {
  const found = words.avoid.find(text, start)
  const isShort = found !== undefined && !text.text.slice(found.start, found.end).includes(' ')
  return (
    isShort &&
    WEAK.has(text.text.slice(found.start, found.end).toLowerCase()) &&
    words.not.find(text) === undefined &&
    !META.find(text)
  )
}

/** Words about words. */
const META = phrasesOf(
  'words|word|terms|jargon|cliché*|superlativ*|anglicism*|claims|wörter|worte|begriffe|anglizism*|mots|termes|palabras|términos|parole|termini|palavras|termos|woorden|słów|wyrazów|kelime*|từ ngữ|từ|λέξεις|слов|терминов|термінів|शब्दों|كلمات|מילים',
)
const WEAK = new Set(
  'слово слова słowa शब्द كلمة كلمات המילה המילים niente evita kelimesi avoid avoiding omit éviter tránh избегать'.split(
    ' ',
  ),
)

function actionIn(text: FoldedText): string | undefined {
  const ask = words.ctaAsk.find(text)
  const isAsked =
    ask && (ask.start <= (text.words[3]?.start ?? 0) || artefactIn(text) !== undefined)
  if (ask && isAsked) return text.text.slice(ask.end).trim()
  const after = words.ctaAfter.find(text, 1)
  return after ? text.text.slice(0, after.start).trim() : undefined
}

/** What an advertisement is asked for about; '' when it is asked for and nothing more is said. */
function askedIn(text: FoldedText, { isInstructed }: Before): string | undefined {
  const { text: clause } = text
  const prefix = words.askBefore.find(text)
  const isReaders = prefix && YOURS.atStart(folded(clause.slice(prefix.end))) !== undefined
  if (prefix && !isReaders && isEarly(text, prefix.start)) {
    const rest = clause.slice(prefix.end)
    const after = words.askAfter.find(folded(rest))
    return subjectIn(after ? rest.slice(0, after.start) : rest)
  }
  const suffix = words.askAfter.find(text, 1)
  if (suffix) return subjectIn(clause.slice(0, suffix.start))
  const artefact = artefactIn(text)
  if (!artefact) return undefined
  const make = words.make.find(text)
  const isMade = make !== undefined && make.start < artefact.start
  const isFirst = artefact.start <= (text.words[2]?.start ?? 0)
  const rest = clause.slice(artefact.end)
  const about = words.about.find(folded(rest))
  const isNext = about !== undefined && folded(rest.slice(0, about.start)).words.length <= 2
  if (!isMade && !(isFirst && (isNext || isShortAsk(text) || isGenitive(artefact.word))))
    return undefined
  if (about && isNext && !(SOMETHING.has(artefact.word) && /^\s*(?:de|di|of)\s/i.test(rest))) {
    return subjectIn(rest.slice(about.end))
  }
  if (isGenitive(artefact.word)) return subjectIn(rest)
  return rest.trim() === '' || isInstructed || isMade || isShortAsk(text) ? '' : undefined
}

/** `Promote your shop` is copy: it speaks to who reads it. */
const YOURS = phrasesOf(
  'your|yours|yourself|deine*|ihre*|eure*|votre|vos|tu|tus|su|sus|tuo|tua|il tuo|la tua|seu|sua|o seu|a sua|je|jouw|uw|swój|swoją|twój|twoją|ваш*|свой|свою|своє|твой',
)

const SOMETHING = new Set([
  'something',
  'quelque chose',
  'algo',
  'qualcosa',
  'iets',
  'etwas',
  'was',
])

/** `a playful ad`, `banner please`. */
function isShortAsk(text: FoldedText): boolean {
  return text.words.length <= 3 && !hasOffer(text.text)
}

/** Where what it is about follows in a case of its own. */
function isGenitive(word: string): boolean {
  return /^(?:reklam[aęy]|реклам[ауы]|баннер|банер|ogłoszeni|оголошен|объявлен)/.test(word)
}

const SIZE = /(?<!\d)\d{2,4} ?[x×] ?\d{2,4}(?!\d)/

function artefactIn(text: FoldedText): { start: number; end: number; word: string } | undefined {
  const found = words.artefacts.find(text)
  const size = SIZE.exec(text.text)
  if (!found)
    return size ? { start: size.index, end: size.index + size[0].length, word: '' } : undefined
  // Of `display ad` and `ad copy` the last.
  let end = found.end
  for (let next = words.artefacts.find(text, end); next && next.start - end <= 1; ) {
    end = next.end
    next = words.artefacts.find(text, end)
  }
  return { start: found.start, end, word: text.text.slice(found.start, found.end).toLowerCase() }
}

/** Only small words and who wants it stand before. */
function isEarly(text: FoldedText, start: number): boolean {
  const before = text.words.filter((word) => word.end <= start)
  return before.length <= 4 && !hasOffer(text.text.slice(0, start))
}

function mentionedIn(text: FoldedText): string | undefined {
  const start = words.mention.atStart(withoutSmall(text))
  if (start) return subjectIn(text.text.slice(offsetOf(text) + start.end))
  const after = words.mentionAfter.find(text, 1)
  return after ? subjectIn(text.text.slice(0, after.start)) : undefined
}

const SMALL = phrasesOf(
  'and|und|et|y|e|en|i|ve|và|και|и|і|та|please|bitte|also|auch|aussi|también|anche|também|ook|też|lütfen|παρακαλώ|пожалуйста|будь ласка|कृपया|but|then|s il vous plaît|por favor|per favore|proszę|graag|و|ו|请|請|并|並|也|还要|還要',
)

/** Where it begins after the small words that lead to it, of which there are few. */
function offsetOf(text: FoldedText): number {
  let rest = text
  let offset = 0
  for (let round = 0; round < 3; round++) {
    const small = SMALL.atStart(rest)
    if (!small || small.start > 0) break
    const after = rest.text.slice(small.end)
    offset += rest.text.length - after.trimStart().length
    rest = folded(after.trimStart())
  }
  return offset
}

function withoutSmall(text: FoldedText): FoldedText {
  const offset = offsetOf(text)
  return offset === 0 ? text : folded(text.text.slice(offset))
}

/** A noun phrase that can stand first: without what only leads to it. */
function subjectIn(phrase: string): string {
  let rest = phrase.trim().replace(/^[:：\s]{1,4}/, '')
  for (let round = 0; round < 3; round++) {
    const text = folded(rest)
    const first = words.determiners.atStart(text)
    if (!first || first.start > 0 || first.end === rest.length) break
    rest = rest.slice(first.end).replace(/^['’\s]{1,3}/, '')
  }
  const isEmpty = !/\p{L}|\p{N}/u.test(rest) || /^(?:そ|この|その|이런|그)/u.test(rest)
  return isEmpty ? '' : rest
}

const DIRECTIVES = phrasesOf(
  'use|please use|put|place|add our logo|make the|set the|verwende|verwendet|nutze|nutzt|setze|utilise|utilisez|mets|mettez|usa|usá|usen|utiliza|pon|use|usem|utilize|coloque|usate|utilizza|metti|gebruik|zet|użyj|użyjcie|umieść|kullan|kullanın|koyun|dùng|sử dụng|đặt|χρησιμοποίησε|χρησιμοποιήστε|βάλτε|используй|используйте|поставь|поставьте|разместите|використай|використайте|поставте|розмістіть|استخدم|استخدموا|ضعوا|ضع|השתמשו|תשתמשו|שימו|ใช้|วาง|使用|用|請用|请用',
)

/** Only where nothing is to be said beside it: `a banner for our sale with the logo` is more than manner. */
function isSurelyManner(text: FoldedText): boolean {
  if (quotedIn(text.text).length > 0 || hasOffer(text.text)) return false
  const isTold = DIRECTIVES.atStart(text) !== undefined && words.manner.find(text) !== undefined
  return (isTold || words.surely.find(text) !== undefined) && !artefactIn(text)
}

function isManner(text: FoldedText, { isInstructed }: Before): boolean {
  if (isTones(text)) return true
  if (quotedIn(text.text).length > 0 || hasOffer(text.text)) return false
  if (words.surely.find(text)) return true
  return isInstructed && words.manner.find(text) !== undefined
}

/** Nothing but adjectives of tone, and small words. */
function isTones(text: FoldedText): boolean {
  if (text.words.length > MAX_TONE_WORDS) return false
  let tones = 0
  for (let at = 0; at < text.text.length; ) {
    const rest = folded(text.text.slice(at))
    const tone = words.tones.atStart(rest)
    const small = tone
      ? undefined
      : (words.stop.atStart(rest) ?? FILLERS.atStart(rest) ?? words.make.atStart(rest))
    const end = tone?.end ?? small?.end
    if (end === undefined) return rest.words.length === 0 && tones > 0
    if (tone) tones++
    at += end
  }
  return tones > 0
}

const MAX_TONE_WORDS = 12
const FILLERS = phrasesOf(
  'it|es|het|bit|very|quite|rather|little|a|something|etwas|sehr|eher|ein bisschen|bisschen|plutôt|très|un peu|muy|algo|un poco|molto|un po|piuttosto|muito|um pouco|bem|een beetje|heel|erg|bardzo|trochę|çok|biraz|rất|một chút|πολύ|λίγο|очень|немного|дуже|трохи|थोड़ा|बहुत|please|bitte',
)

function isTalk(text: FoldedText, { isInstructed }: Before): boolean {
  if (isGreeting(text)) return true
  const talk = words.talk.find(text)
  const isAbout = talk ?? words.briefing.find(text)
  if (isAbout && isInstructed && !hasOffer(text.text)) return true
  if (talk && talk.start <= (text.words[0]?.start ?? 0)) return true
  if (isInstructed && isOnlyMaking(text)) return true
  if (REQUESTS.find(text) && !hasOffer(text.text)) return true
  return NOTHING.has(text.lower.trim())
}

/** Requests to whoever makes it, never to whoever reads it. */
const REQUESTS = phrasesOf(
  '부탁드려요|부탁드립니다|부탁해요|お願いします|お願いいたします|お願い致します',
)

/** `Зробіть`, `please`: what is to be made stands in another clause. */
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

function isGreeting(text: FoldedText): boolean {
  const greeting = words.greetings.atStart(text)
  if (!greeting || greeting.start > (text.words[0]?.start ?? 0)) return false
  const rest = folded(text.text.slice(greeting.end))
  if (rest.words.length === 0) return !DEAR.test(text.text)
  const greeted = words.greeted.find(rest)
  if (greeted && rest.words.length <= 4) return true
  return rest.words.length <= 2 && (DEAR.test(text.text) || /^(?:hi|hey)\b/i.test(text.text))
}

/** Said before a name, and never alone. */
const DEAR =
  /^(?:dear|liebe|lieber|liebes|cher|chère|estimad|querid|gentil|prezad|beste|szanown|sayın|уважаем|шановн)/i
