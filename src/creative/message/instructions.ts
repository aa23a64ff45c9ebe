// The purpose of each clause of a message: copy, or one of the things people say around it. An instruction must never
// be printed (spec 4.2), and what it asks to say or to be about is copy without its verb.

import { factsIn, hasOffer } from './facts.ts'
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
import { AVOID, NOT, SAYING, TOPICS } from './lexicon/avoiding.ts'
import { AVOID_SECTIONS, COPY_SECTIONS, MANNER_SECTIONS, TALK_SECTIONS } from './lexicon/labels.ts'
import { DETERMINERS } from './lexicon/small-words.ts'
import { TALK } from './lexicon/talk.ts'
import { isColourBan, isManner, isSurelyManner } from './manner.ts'
import { type FoldedText, folded, phrasesOf, type Span } from './phrases.ts'
import { preferenceIn } from './preferences.ts'
import { type Around, isAnything, isReason, isTalk } from './talk.ts'
import { theyShall } from './they-shall.ts'

export type ClauseKind =
  | 'copy'
  /** What the advertisement is about, or should mention. */
  | 'subject'
  | 'mention'
  /** What people are to be encouraged to do. */
  | 'action'
  | 'avoid'
  | 'manner'
  | 'talk'

export interface Read {
  kind: ClauseKind
  /** The part that is copy, an action, or to be avoided. */
  text: string
  /** The object of the action, if the message states it as a preference. */
  about?: string
}

const words = {
  about: phrasesOf(ABOUT),
  artefacts: phrasesOf(ARTEFACTS),
  askAfter: phrasesOf(ASK_AFTER),
  askBefore: phrasesOf(ASK_BEFORE),
  avoid: phrasesOf(AVOID),
  avoidSections: phrasesOf(AVOID_SECTIONS),
  copySections: phrasesOf(COPY_SECTIONS),
  ctaAfter: phrasesOf(CTA_ASK_AFTER),
  ctaAsk: phrasesOf(CTA_ASK),
  determiners: phrasesOf(DETERMINERS),
  make: phrasesOf(MAKE),
  mannerSections: phrasesOf(MANNER_SECTIONS),
  mention: phrasesOf(MENTION),
  mentionAfter: phrasesOf(MENTION_AFTER),
  not: phrasesOf(NOT),
  saying: phrasesOf(SAYING),
  talk: phrasesOf(TALK),
  talkSections: phrasesOf(TALK_SECTIONS),
  topics: phrasesOf(...Object.values(TOPICS)),
}

/** The part of a brief that is named by the clause before a colon. */
export function sectionOf(clause: string): 'copy' | 'talk' | 'manner' | 'avoid' | undefined {
  const text = folded(clause)
  const isWhole = (found: { start: number; end: number } | undefined) =>
    found !== undefined &&
    found.start === (text.words[0]?.start ?? 0) &&
    found.end === text.words.at(-1)?.end
  if (isWhole(words.avoidSections.atStart(text))) return 'avoid'
  if (isWhole(words.mannerSections.atStart(text))) return 'manner'
  if (isWhole(words.copySections.atStart(text))) return 'copy'
  return isWhole(words.talkSections.atStart(text)) ? 'talk' : undefined
}

export interface Before extends Around {
  /** Of the previous clause in the same sentence. */
  kind?: ClauseKind | undefined
}

export function readClause(clause: string, before: Before): Read {
  const text = folded(clause)
  if (text.words.length === 0 && !/\p{L}|\p{N}/u.test(clause)) return { kind: 'copy', text: clause }
  if (isAnything(text)) return { kind: 'talk', text: clause }
  if (isColourBan(text, before)) return { kind: 'manner', text: clause }
  if (isAvoiding(text, before)) return { kind: 'avoid', text: clause }
  if (isReason(text, before.kind)) return { kind: 'talk', text: clause }
  if (ADDRESS.test(clause)) {
    return { kind: LINKING.find(text) ? 'talk' : 'mention', text: clause }
  }
  if (isSurelyManner(text) && !artefactIn(text)) return { kind: 'manner', text: clause }
  const preference = preferenceIn(text)
  if (preference?.kind === 'action' || (preference?.kind === 'talk' && !artefactIn(text)))
    return preference
  const action = actionIn(text)
  if (action !== undefined) return { kind: 'action', text: action }
  if (preference !== undefined && !artefactIn(text)) return preference
  const requested = requestedIn(text, before)
  if (requested !== undefined) {
    const isSaid = requested !== '' && !isTalk(folded(requested), { isInstructed: true })
    return isSaid ? { kind: 'subject', text: requested } : { kind: 'talk', text: '' }
  }
  const ours = before.isInstructed ? OF_OURS.atStart(text) : undefined
  if (ours && !hasOffer(clause)) return { kind: 'subject', text: clause.slice(ours.end).trim() }
  const isReturned = words.mention.atStart(withoutSmall(text)) !== undefined
  if (!isReturned && isManner(text, before)) return { kind: 'manner', text: clause }
  const mentioned = mentionedIn(text)
  if (mentioned !== undefined)
    return { kind: mentioned === '' ? 'talk' : 'mention', text: mentioned }
  if (isTalk(text, before)) return { kind: 'talk', text: clause }
  return { kind: 'copy', text: clause }
}

/** The remainder of `"…" about our tea` says what it is about. */
const OF_OURS = phrasesOf(
  'about our|about the|über unser|über unsere|über unseren|à propos de notre|à propos de nos|au sujet de notre|sobre nuestro|sobre nuestra|sobre nuestros|sul nostro|sulla nostra|sobre o nosso|sobre a nossa|over onze|over ons|o naszej|o naszym|om vår|om vårt|om våra|o naší|o našem|tentang|για το|για τη|про нашу|про наш|о нашем|о нашей',
)

const ADDRESS = /https?:\/\//i
/** Where a click leads is no copy. */
const LINKING = phrasesOf(
  'link to|links to|linking to|link|leads to|lead to|landing page|click goes to|clicks go to|point to|verlinke*|verlinkung|führt zu|zielseite|lien vers|renvoie vers|redirige|enlace a|enlaza*|lleva a|link a|porta a|rimanda a|link para|leva a|verwijs naar|linkt naar|link do|prowadzi do|bağlantı*|yönlendir*|dẫn đến|liên kết|σύνδεσμος|οδηγεί|ссылка на|ведёт на|посилання на|веде на|लिंक|رابط|الرابط|קישור|לינק|ลิงก์|リンク|링크|链接|鏈接|連結',
)

function isAvoiding(text: FoldedText, { kind, isInstructed }: Before): boolean {
  const found = words.avoid.find(text)
  if (found && !isCopyNegation(text, found.start)) return true
  const not = words.not.find(text)
  if (!not) return false
  const isFirst = not.start <= (text.words[2]?.start ?? 0)
  if (kind === 'avoid' && isFirst) return true
  if (isInstructed && isNear(not, words.saying.find(text), text)) return true
  // `no prices`, `keine Preise`: everything except small words.
  const topic = words.topics.find(text, not.end)
  if (topic === undefined || !isFirst || FEES.find(text, not.end)) return false
  return text.words.length <= 5 && !factsIn(text.text).length
}

/** `No fees` is addressed to the reader of the ad. */
const FEES = phrasesOf(
  'fee|fees|cost|costs|charges|kosten|gebühr*|frais|coût*|comisi*|coste*|costos|commission*|spese|costi|taxa*|custos|koszt*|opłat*|prowizj*|avgift*|kostnad*|poplat*|biaya|ücret*|komisyon*|chi phí|phí|χρεώσεις|κόστος|комисси*|плат*|коміс*|शुल्क|फीस|رسوم|الرسوم|עמלה|עמלות|דמי|ค่าธรรมเนียม|ค่าใช้จ่าย|手数料|費用|수수료|费用|手续费|手續費',
)

/** `don't ever compare us`, `zeg niets over`: a negation and a verb of saying close together. */
function isNear(not: Span, verb: Span | undefined, { text }: FoldedText): boolean {
  if (!verb) return false
  const [first, second] = not.start < verb.start ? [not, verb] : [verb, not]
  return folded(text.slice(first.end, second.start)).words.length <= 2
}

/** `слова` and `the word` alone are also used for other things: they require a negation. */
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
  'slovo slova kata hindari слово слова słowa शब्द كلمة كلمات המילה המילים niente evita kelimesi avoid avoiding omit éviter tránh избегать'.split(
    ' ',
  ),
)

function actionIn(text: FoldedText): string | undefined {
  const shall = theyShall(text)
  if (shall !== undefined) return shall
  const ask = words.ctaAsk.find(text)
  const isRequested =
    ask && (ask.start <= (text.words[3]?.start ?? 0) || artefactIn(text) !== undefined)
  if (ask && isRequested) return text.text.slice(ask.end).trim()
  const after = words.ctaAfter.find(text, 1)
  return after ? text.text.slice(0, after.start).trim() : undefined
}

/** The requested subject of an advertisement; '' if one is requested without a subject. */
function requestedIn(text: FoldedText, { isInstructed }: Before): string | undefined {
  const { text: clause } = text
  const prefix = words.askBefore.find(text)
  const isReaders = prefix && YOURS.atStart(folded(clause.slice(prefix.end))) !== undefined
  if (prefix && !isReaders && isEarly(text, prefix.start)) {
    const rest = withArticle(clause.slice(0, prefix.end), clause.slice(prefix.end))
    const after = words.askAfter.find(folded(rest))
    return subjectIn(
      after ? rest.slice(0, after.start) : rest.replace(/(?:海报|海報|横幅|橫幅|广告|廣告)$/u, ''),
    )
  }
  const suffix = words.askAfter.find(text, 1)
  if (suffix) return subjectIn(clause.slice(0, suffix.start))
  const artefact = artefactIn(text)
  if (!artefact) return undefined
  const before = subjectBefore(text, artefact, isInstructed)
  if (before !== undefined) return before
  const make = words.make.find(text)
  const isMade = make !== undefined && make.start < artefact.start
  const isFirst = artefact.start <= (text.words[2]?.start ?? 0)
  const rest = clause.slice(artefact.end)
  const about = words.about.find(folded(rest))
  const most = isGenitive(artefact.word) ? 0 : 2
  const isNext = about !== undefined && folded(rest.slice(0, about.start)).words.length <= most
  if (!isMade && !(isFirst && (isNext || isShortAsk(text) || isGenitive(artefact.word))))
    return undefined
  if (about && isNext && !(SOMETHING.has(artefact.word) && /^\s*(?:de|di|of)\s/i.test(rest))) {
    return subjectIn(rest.slice(about.end))
  }
  if (isGenitive(artefact.word)) return subjectIn(rest)
  const said = folded(rest)
  const isMore = isMade && said.words.length > 1 && !isManner(said, { isInstructed: true })
  if (isMore) return subjectIn(rest)
  return rest.trim() === '' || isInstructed || isMade || isShortAsk(text) ? '' : undefined
}

/** In Arabic `for the hotel` is one word, `للفندق`, in which the article has lost its first letter. */
function withArticle(before: string, rest: string): string {
  return before.endsWith('ل') && rest.startsWith('ل') ? `ا${rest}` : rest
}

/** The subject, if it comes first: `Mattress ad`, `Anneler Günü için bir görsel hazırla`. */
function subjectBefore(
  text: FoldedText,
  artefact: Span,
  isInstructed: boolean,
): string | undefined {
  const { text: clause } = text
  const named = clause.slice(0, artefact.start)
  const count = folded(named).words.length
  if (clause.slice(artefact.end).trim() === '') {
    const isNamed = isInstructed && count > 0 && count <= 4 && !hasOffer(clause)
    return isNamed && !words.make.find(folded(named)) ? subjectIn(named) : undefined
  }
  const make = words.make.find(text, artefact.end)
  const about = ABOUT_LAST.find(folded(named), 1)
  const isRequested =
    make !== undefined && about !== undefined && !hasOffer(clause.slice(about.end))
  return isRequested ? subjectIn(named.slice(0, about.start)) : undefined
}

const ABOUT_LAST = phrasesOf('için|hakkında|के लिए|के बारे में')

/** `Promote your shop` is copy: it addresses the reader of the ad. */
const YOURS = phrasesOf(
  'your|yours|yourself|dich|euch|dir|sich|sie sich|tes|ton|toi|vous|ti|själv|jezelf|zich|się|deine*|ihre*|eure*|votre|vos|tu|tus|su|sus|tuo|tua|il tuo|la tua|seu|sua|o seu|a sua|je|jouw|uw|swój|swoją|twój|twoją|ваш*|свой|свою|своє|твой',
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

/** Where the subject follows, in its own grammatical case. */
function isGenitive(word: string): boolean {
  return /^(?:reklam[aęy]|реклам[ауы]|баннер|банер|ogłoszeni|оголошен|объявлен)/.test(word)
}

const SIZE = /(?<!\d)\d{2,4} ?[x×] ?\d{2,4}(?!\d)/

function artefactIn(text: FoldedText): { start: number; end: number; word: string } | undefined {
  const found = words.artefacts.find(text)
  const size = SIZE.exec(text.text)
  if (!found)
    return size ? { start: size.index, end: size.index + size[0].length, word: '' } : undefined
  // The last one in `display ad` and `ad copy`.
  let end = found.end
  for (let next = words.artefacts.find(text, end); next && next.start - end <= 1; ) {
    end = next.end
    next = words.artefacts.find(text, end)
  }
  return { start: found.start, end, word: text.text.slice(found.start, found.end).toLowerCase() }
}

/** Only small words and who requests it come before. */
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

/** Where it begins after the few small words that introduce it. */
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

/** A noun phrase that can come first, without the words that only introduce it. */
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
