// Which words of a message are printed, by what the model says about them: clause by clause, and more readily where the
// rest of the message is copy too than between instructions.

import { joinedWords } from './reading/joined-words.ts'
import type { LabelledToken } from './reading/labelled-tokens.ts'
import { readerModel } from './reading/models.ts'
import { clausesOfTokens, type TokenRange } from './reading/parts.ts'
import { PRINTED_ROLES } from './reading/roles.ts'
import { endsSentence } from './reading/tokens.ts'

/** Words in a clause with copy that are less likely to be copy than the rest of it. */
const LEAST_WITHIN = 0.5
/** A word before copy that is written together with what leads to it: `لعيادة`, “for a clinic”. */
const LEAST_PREFIXED = 0.4
const PREFIXED = /^[לבلب]\p{L}{3}/u
/** Few words between words that are copy. */
const LEAST_BETWEEN = 0.1
const FEW = 4
/** How many times likelier copy is where something introduces it, and within an ad. */
const LIKELIER = { introduced: 2, withinAd: 9 }
/** If the other words of a message are copy with this probability, it is an ad and gives hardly any instructions. */
const MOSTLY = 0.8
const QUOTE = /^["“”„«»「」『』《》‘’'‹›]$/u
const LEADING_MARK = /^["“”„«»「」『』《》‘’'‹›:：=]$/u

/**
 * Clause by clause, by the likelihood of all its words, so that one odd word does not split copy. Text that is not
 * likely enough to be copy is omitted: printing an instruction costs ten times as much.
 */
export function printedTokens(tokens: readonly LabelledToken[]): boolean[] {
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
    for (const run of alikeIn(printed, clause)) {
      if (printed[run.from] && !isLikely(tokens, run, leastFor(tokens, run, all)))
        printed.fill(false, run.from, run.to)
    }
  }
  return hasOnlyButton(tokens, printed) ? withSubject(tokens, printed) : printed
}

function hasOnlyButton(tokens: readonly LabelledToken[], printed: readonly boolean[]): boolean {
  const words = tokens.filter(({ isWord }, index) => isWord && printed[index])
  return words.length > 0 && words.every(({ role }) => role === 'cta' || role === 'legal')
}

/** An ad with nothing but a button says too little, so the subject of its request needs less to be printed. */
function withSubject(tokens: readonly LabelledToken[], printed: readonly boolean[]): boolean[] {
  const all = [...printed]
  for (const clause of clausesOfTokens(tokens)) {
    const mayBe = tokens
      .slice(clause.from, clause.to)
      .map(({ role }) => role === 'fact' || role === 'headline' || role === 'body')
    const isRequest = tokens
      .slice(clause.from, clause.to)
      .some(({ role, isWord }) => isWord && role === 'scaffold')
    if (!isRequest) continue
    for (const run of alike(mayBe)) {
      const [from, to] = [clause.from + run.from, clause.from + run.to]
      if (mayBe[run.from] && meanOf(tokens, from, to) > LEAST_SUBJECT) all.fill(true, from, to)
    }
  }
  return all
}

const LEAST_SUBJECT = 0.5

/** `all` is the sum of the whole message, so that a message of many clauses takes no longer for each. */
function leastFor(tokens: readonly LabelledToken[], run: TokenRange, all: Probabilities): number {
  const { least } = readerModel()
  // The odds that are enough are as many times lower.
  const lower = (times: number) => least / (least + times * (1 - least))
  if (isWithinAd(sumOf(tokens, run.from, run.to), all)) return lower(LIKELIER.withinAd)
  return isIntroduced(tokens, run) ? lower(LIKELIER.introduced) : least
}

function isWithinAd(own: Probabilities, all: Probabilities): boolean {
  const others = all.words - own.words
  return others === 0 || (all.sum - own.sum) / others > MOSTLY
}

/** After a label, a quotation mark or a request for the ad. */
function isIntroduced(tokens: readonly LabelledToken[], { from }: TokenRange): boolean {
  const before = tokens[from - 1]
  if (LEADING_MARK.test(before?.text ?? '') || QUOTE.test(tokens[from]?.text ?? '')) return true
  if (before?.role === 'scaffold' && !endsSentence(before)) return true
  // `bis 30. April` is one date, despite its full stop.
  return before?.text === '.' && /^\p{N}/u.test(tokens[from - 2]?.text ?? '')
}

function fillGaps(printed: boolean[], tokens: readonly LabelledToken[], clause: TokenRange): void {
  const hasPrinted = tokens
    .slice(clause.from, clause.to)
    .some(({ isWord }, at) => isWord && printed[clause.from + at])
  if (!hasPrinted) return
  for (let index = clause.to - 2; index >= clause.from; index--) {
    const { text, printable } = tokens[index] as LabelledToken
    if (printed[index + 1] && PREFIXED.test(text) && printable > LEAST_PREFIXED)
      printed[index] = true
  }
  for (const { from, to } of alikeIn(printed, clause)) {
    const isBetween = isShort(tokens, from, to) && from > clause.from && to < clause.to
    const least = isBetween ? LEAST_BETWEEN : LEAST_WITHIN
    if (meanOf(tokens, from, to) > least) printed.fill(true, from, to)
  }
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
export function meanOf(tokens: readonly LabelledToken[], from: number, to: number): number {
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
