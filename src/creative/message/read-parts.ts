// Splits a message into parts by what the model says about its words: copy clause by clause, and between it text
// addressed to the creator of the ad. Only what the model considers copy becomes copy; rules merely classify what is
// not printed: what people should be encouraged to do, what to avoid, how it should look.

import { readClause, sectionOf } from './instructions.ts'
import { DETERMINERS } from './lexicon/small-words.ts'
import { folded, phrasesOf, type Span } from './phrases.ts'
import { isOnlyPreference } from './preferences.ts'
import { meanOf, printedTokens } from './printed-tokens.ts'
import type { GivenReading } from './reading/given-roles.ts'
import { type LabelledToken, labelledTokens } from './reading/labelled-tokens.ts'
import { sentencesOfTokens } from './reading/parts.ts'
import { PRINTED_ROLES, type ReadRole } from './reading/roles.ts'
import { endsSentence } from './reading/tokens.ts'
import type { ReadPart } from './said-copy.ts'
import { type Clause, clausesOf, sentencesOf } from './sentences.ts'

/** Below it, words that a rule recognises as an instruction are one. */
const SURE = 0.85

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
  if (!first || !second || !isOnlyPreference(first.text)) return [...clauses]
  return [{ text: `${first.text} ${second.text}`, mark: second.mark }, ...rest]
}

/** `For: couples` does more than introduce what follows. */
function isAbout(clause: string): boolean {
  return clause.split(/[:：]/).some((part) => sectionOf(part) === 'talk')
}
