// Splits a message into parts by what the model says about its words: copy clause by clause, and between it text
// addressed to the creator of the ad. Only what the model considers copy becomes copy; rules merely classify what is
// not printed: what people should be encouraged to do, what to avoid, how it should look.

import { readClause, sectionOf } from './instructions.ts'
import { DETERMINERS } from './lexicon/small-words.ts'
import { folded, phrasesOf, type Span } from './phrases.ts'
import { isOnlyWishing } from './preferences.ts'
import type { GivenReading } from './reading/given-roles.ts'
import { joinedWords } from './reading/joined-words.ts'
import { type LabelledToken, labelledTokens } from './reading/labelled-tokens.ts'
import { readerModel } from './reading/models.ts'
import { clausesOfTokens, sentencesOfTokens, type TokenRange } from './reading/parts.ts'
import { PRINTED_ROLES, type ReadRole } from './reading/roles.ts'
import { endsSentence } from './reading/tokens.ts'
import type { ReadPart } from './said-copy.ts'
import { type Clause, clausesOf, sentencesOf } from './sentences.ts'

/** Below it, words that a rule recognises as an instruction are one. */
const SURE = 0.9
/** Words in a clause with copy that are less likely to be copy than the rest of it. */
const LEAST_WITHIN = 0.5
/** Few words between words that are copy. */
const LEAST_BETWEEN = 0.1
const FEW = 4
/** How many times likelier copy is where it is expected. */
const EXPECTED = 2
/** At this probability, all of a message except one clause is copy. */
const MOSTLY = 0.9
const QUOTE = /^["“”„«»「」『』《》‘’'‹›]$/u
const LEADING_MARK = /^["“”„«»「」『』《》‘’'‹›:：=]$/u

/** Consecutive tokens that are printed, or that have one role. */
export interface TokenRun extends Span {
  role: ReadRole
  isPrinted: boolean
  sentence: number
  /** Whether words that request the ad precede it in its sentence. */
  isLed: boolean
  /** Whether printed words of another kind are directly before it in its clause. */
  isTorn: boolean
}

/** `taken` are texts that are given word for word, which are printed in their own places. */
export function partsOfMessage(
  text: string,
  taken: readonly Span[],
  given?: GivenReading,
): ReadPart[] {
  const tokens = labelledTokens(text, given)
  const runs = runsOf(tokens, taken)
  const isInstructed = runs.some(
    (run) => !run.isPrinted && /\p{L}/u.test(text.slice(run.start, run.end)),
  )
  const parts = runs.flatMap((run, index) => {
    if (!run.isPrinted) return otherParts(text, run)
    const requested = requestOf(text, run, runs[index - 1])
    return requested ? [requested] : copyParts(text, run, { tokens, isInstructed })
  })
  const isSaying = parts.some(({ role }) => role !== undefined && PRINTED_ROLES.has(role))
  return isSaying ? parts : parts.map(withSubject)
}

/** `Tell people to call us`: after such words the copy is what people should do. */
function requestOf(text: string, run: TokenRun, lead: TokenRun | undefined): ReadPart | undefined {
  const { start, end, sentence, role } = run
  if (!lead || lead.isPrinted || lead.sentence !== sentence || lead.end > start) return undefined
  const whole = text.slice(start, end).trim()
  if (end - lead.start > MAX_ASKING || clausesOf(whole).length > 1) return undefined
  const read = readClause(text.slice(lead.start, end).trim(), { isInstructed: true })
  if (read.kind !== 'action' || !whole.endsWith(read.text) || whole === read.text) return undefined
  return { ...read, whole, mark: '', sentence, role }
}

/** Characters: a call to action in a message is short. */
const MAX_ASKING = 80

/** If nothing else is said: the subject that a rule finds in the request for an ad. */
function withSubject(part: ReadPart): ReadPart {
  if (part.role !== 'scaffold') return part
  const read = readClause(part.whole, { isInstructed: false })
  return read.kind === 'subject' ? { ...part, ...read, isLabel: false } : part
}

export function runsOf(tokens: readonly LabelledToken[], taken: readonly Span[]): TokenRun[] {
  const printed = printedTokens(tokens)
  const runs: TokenRun[] = []
  for (const [sentence, { from, to }] of sentencesOfTokens(tokens).entries()) {
    let isLed = false
    for (let index = from; index < to; index++) {
      const { start, end, role, isWord } = tokens[index] as LabelledToken
      if (taken.some((span) => start >= span.start && end <= span.end)) continue
      const run = runs.at(-1)
      // The mark at the end of a printed sentence is printed with it.
      const isEnd = run?.isPrinted === true && run.sentence === sentence && run.end === start
      const isPrinted =
        printed[index] === true || (isEnd && endsSentence(tokens[index] as LabelledToken))
      const isSame =
        run?.sentence === sentence &&
        run.isPrinted === isPrinted &&
        (isPrinted ? !isWord || isSameSort(run.role, role) : run.role === role || !isWord) &&
        !taken.some((span) => span.start >= run.end && span.end <= start)
      if (isSame) run.end = end
      else {
        const isTorn =
          index > from && printed[index - 1] === true && tokens[index - 1]?.isWord === true
        runs.push({ start, end, role, isPrinted, sentence, isLed, isTorn })
      }
      if (!isPrinted && isWord) isLed = true
    }
  }
  return runs
}

/** A button is a text of its own, and so is small print. */
function isSameSort(one: ReadRole, other: ReadRole): boolean {
  return one === other || (!ALONE.has(one) && !ALONE.has(other))
}

const ALONE: ReadonlySet<ReadRole> = new Set(['cta', 'legal'])

/**
 * Clause by clause, by the likelihood of all its words, so that one odd word does not split copy. Text that is not
 * likely enough to be copy is omitted: printing an instruction costs ten times as much.
 */
function printedTokens(tokens: readonly LabelledToken[]): boolean[] {
  const { least } = readerModel()
  const all = sumOf(tokens)
  const printed = tokens.map(({ role, printable, isWord }) =>
    isWord ? printable > 0.5 : PRINTED_ROLES.has(role),
  )
  for (const { from, to } of joinedWords(tokens)) {
    const isPrinted = printed.slice(from, to).includes(true) && meanOf(tokens, from, to) > 0.5
    printed.fill(isPrinted, from, to)
  }
  for (const clause of clausesOfTokens(tokens)) {
    fillGaps(printed, tokens, clause)
    for (const { from, to } of alikeIn(printed, clause)) {
      if (!printed[from]) continue
      const own = isExpected(tokens, { from, to }, all) ? leastExpected(least) : least
      if (!isLikely(tokens, { from, to }, own)) printed.fill(false, from, to)
    }
  }
  return printed
}

function fillGaps(printed: boolean[], tokens: readonly LabelledToken[], clause: TokenRange): void {
  const hasPrinted = tokens
    .slice(clause.from, clause.to)
    .some(({ isWord }, at) => isWord && printed[clause.from + at])
  if (!hasPrinted) return
  for (const { from, to } of alikeIn(printed, clause)) {
    const isBetween = isShort(tokens, from, to) && from > clause.from && to < clause.to
    const least = isBetween ? LEAST_BETWEEN : LEAST_WITHIN
    if (meanOf(tokens, from, to) > least) printed.fill(true, from, to)
  }
}

/** With odds this many times lower than elsewhere. */
function leastExpected(least: number): number {
  return least / (least + EXPECTED * (1 - least))
}

/**
 * After words that introduce copy, a colon or a quotation mark, and where nearly everything else is copy. `all` is
 * the sum of the whole message, so that a message of many clauses takes no longer for each.
 */
function isExpected(
  tokens: readonly LabelledToken[],
  { from, to }: TokenRange,
  all: Probabilities,
): boolean {
  const before = tokens[from - 1]
  if (LEADING_MARK.test(before?.text ?? '') || QUOTE.test(tokens[from]?.text ?? '')) return true
  if (before?.role === 'scaffold' && !endsSentence(before)) return true
  // `bis 30. April` is one date, despite its full stop.
  if (before?.text === '.' && /^\p{N}/u.test(tokens[from - 2]?.text ?? '')) return true
  const own = sumOf(tokens, from, to)
  const others = all.words - own.words
  return others === 0 || (all.sum - own.sum) / others > MOSTLY
}

/** A single letter of an unspaced script is a remainder of other words. */
function isLikely(
  tokens: readonly LabelledToken[],
  { from, to }: TokenRange,
  least: number,
): boolean {
  const words = tokens.slice(from, to).filter(({ isWord }) => isWord)
  const isLetter = words.length === 1 && /^\p{sc=Hira}$/u.test(words[0]?.text ?? '')
  return !isLetter && meanOf(tokens, from, to) >= least
}

function alikeIn(printed: readonly boolean[], { from: start, to: end }: TokenRange): TokenRange[] {
  return alike(printed.slice(start, end)).map(({ from, to }) => ({
    from: start + from,
    to: start + to,
  }))
}

/** Stretches of equal values. */
function alike(values: readonly boolean[]): TokenRange[] {
  const parts: TokenRange[] = []
  for (const [index, value] of values.entries()) {
    const last = parts.at(-1)
    if (last && values[last.from] === value) last.to = index + 1
    else parts.push({ from: index, to: index + 1 })
  }
  return parts
}

function isShort(tokens: readonly LabelledToken[], from: number, to: number): boolean {
  return tokens.slice(from, to).filter(({ isWord }) => isWord).length <= FEW
}

/** The average probability that the words are copy; NaN if there are none. */
function meanOf(tokens: readonly LabelledToken[], from: number, to: number): number {
  const { sum, words } = sumOf(tokens, from, to)
  return sum / words
}

/** The probabilities of words that they are copy, added up. */
interface Probabilities {
  sum: number
  words: number
}

function sumOf(tokens: readonly LabelledToken[], from = 0, to = tokens.length): Probabilities {
  let [sum, words] = [0, 0]
  for (let index = from; index < to; index++) {
    const { isWord, printable } = tokens[index] as LabelledToken
    if (!isWord) continue
    sum += printable
    words++
  }
  return { sum, words }
}

function copyParts(text: string, run: TokenRun, { tokens, isInstructed }: Message): ReadPart[] {
  const said = trimmed(text.slice(run.start, run.end))
  let at = run.start
  let next = firstFrom(tokens, run.start)
  return sentencesOf(said).flatMap((one, index) =>
    clausesOf(one).map((clause, number) => {
      const start = Math.max(at, text.indexOf(clause.text, at))
      at = start + clause.text.length
      const end = at
      while ((tokens[next]?.start ?? end) < start) next++
      const first = next
      while ((tokens[next]?.end ?? Number.POSITIVE_INFINITY) <= end) next++
      const isFirst = index === 0 && number === 0
      return {
        ...copyPart(clause.text, meanOf(tokens, first, next), { run, isFirst, isInstructed }),
        whole: clause.text,
        mark: clause.mark === '' ? ', ' : clause.mark,
        sentence: run.sentence + index / 100,
        role: run.role,
      }
    }),
  )
}

/** The index of the first token at or after a position. */
function firstFrom(tokens: readonly LabelledToken[], position: number): number {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens[middle] as LabelledToken).start < position) low = middle + 1
    else high = middle
  }
  return low
}

interface Message {
  tokens: readonly LabelledToken[]
  /** Whether any of it is not printed. */
  isInstructed: boolean
}

/** What a rule recognizes as a request is not printed, unless the model is sure that it is copy. */
function copyPart(
  clause: string,
  printable: number,
  {
    run: { isLed, role },
    isFirst,
    isInstructed,
  }: { run: TokenRun; isFirst: boolean; isInstructed: boolean },
): Pick<ReadPart, 'kind' | 'text'> {
  const read = readClause(clause, { isInstructed })
  const isSaid = read.kind === 'copy' || read.kind === 'subject'
  if (read.kind === 'action' || read.kind === 'mention') return read
  if (!isSaid && printable < SURE) return { kind: read.kind, text: clause }
  const isSubject = isLed && role === 'fact'
  if (!isSubject) return { kind: 'copy', text: clause }
  return { kind: 'subject', text: isFirst ? withoutDeterminer(clause) : clause }
}

/** Without marks that only separate it from what is not printed. */
function trimmed(text: string): string {
  return text.replace(
    /^[\s,;:.)\]}"”»」』|/–—-]{1,20}(?=[\s\p{L}\p{N}"“„«「『¿¡#@(\p{Sc}])/u,
    (marks) => (/[-–—]$/.test(marks) && /\d/.test(text.charAt(marks.length)) ? '-' : ''),
  )
}

const LEADING = phrasesOf(DETERMINERS)

function withoutDeterminer(clause: string): string {
  // In Arabic “for the hotel” is one word, in which the article has lost its first letter.
  if (/^لل\p{L}{2}/u.test(clause)) return `ال${clause.slice(2)}`
  if (/^ل\p{L}{3}/u.test(clause)) return clause.slice(1)
  const found = LEADING.atStart(folded(clause))
  const rest = found?.start === 0 ? clause.slice(found.end).replace(/^['’\s]{1,3}/, '') : ''
  return /[\p{L}\p{N}]/u.test(rest) ? rest : clause
}

/** Clause by clause, since one may say several things: `No prices, no red, make it funny`. */
function otherParts(text: string, { start, end, role, sentence }: TokenRun): ReadPart[] {
  const said = text.slice(start, end).trim()
  const clauses = sentencesOf(said).flatMap((one) => wholePreferences(clausesOf(one)))
  return clauses
    .filter(({ text: clause }) => /[\p{L}\p{N}]/u.test(clause))
    .map(({ text: clause, mark }) => {
      const part = { text: clause, whole: clause, mark, sentence, role }
      return { ...part, ...kindOf(clause, role) }
    })
}

function kindOf(clause: string, role: ReadRole): Partial<ReadPart> & Pick<ReadPart, 'kind'> {
  if (role === 'scaffold') return { kind: 'talk', isLabel: !isAbout(clause) }
  const read = readClause(clause, { isInstructed: true })
  if (role === 'chat') return read.kind === 'action' ? read : { kind: 'talk' }
  if (role === 'avoid') return { kind: read.kind === 'manner' ? 'manner' : 'avoid' }
  if (read.kind === 'action' || read.kind === 'avoid') return read
  if (read.kind === 'manner' || role === 'style') return { kind: 'manner' }
  return { kind: 'manner', isDoubtful: true }
}

/** Joins the marker of a preference with the preference itself where a comma separates them. */
function wholePreferences(clauses: readonly Clause[]): Clause[] {
  const [first, second, ...rest] = clauses
  if (!first || !second || !isOnlyWishing(first.text)) return [...clauses]
  return [{ text: `${first.text} ${second.text}`, mark: second.mark }, ...rest]
}

/** `For: couples` does more than introduce what follows. */
function isAbout(clause: string): boolean {
  return clause.split(/[:：]/).some((part) => sectionOf(part) === 'talk')
}
