// Texts that are given word for word: those that a rule finds by their quotation marks and labels, then a headline
// and a button that the model finds, if words that are not printed introduce them.

import { sentenceCase } from './copy.ts'
import { dictatedIn } from './dictated.ts'
import type { Span } from './phrases.ts'
import type { FurtherText, Texts } from './quoted-texts.ts'
import { runsOf, type TokenRun } from './read-parts.ts'
import type { GivenReading } from './reading/given-roles.ts'
import { labelledTokens } from './reading/labelled-tokens.ts'

export interface DictatedTexts {
  texts: Texts
  /** A second headline, a second button. */
  further: readonly FurtherText[]
  /** Their positions in the message; for additional texts only buttons, which are printed nowhere else. */
  taken: readonly Span[]
}

export function dictatedTexts(text: string, given?: GivenReading): DictatedTexts {
  const { texts, further } = dictatedIn(text)
  const taken: Span[] = []
  const buttonsLeft = further.filter(({ role }) => role === 'call_to_action')
  for (const value of [...Object.values(texts), ...buttonsLeft.map((one) => one.text)]) {
    const start = text.indexOf(value)
    if (start >= 0) taken.push({ start, end: start + value.length })
  }
  const runs = runsOf(labelledTokens(text, given), taken)
  const take = (run: TokenRun, role: keyof Texts) => {
    const value = sentenceCase(bare(text.slice(run.start, run.end)))
    if (value === '' || texts[role] !== undefined) return
    texts[role] = value
    taken.push({ start: run.start, end: run.end })
  }
  const buttons = runs.filter(
    ({ isPrinted, role, isTorn }) => isPrinted && role === 'cta' && !isTorn,
  )
  const [button] = buttons
  if (button && button.end - button.start <= LONGEST_BUTTON) take(button, 'call_to_action')
  return { texts, further, taken }
}

const LONGEST_BUTTON = 40

/** Without quotation marks and the text after them. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^["“„«「『‘‹'[(\s]{1,4}|["”“»」』’›'\])\s.,;]{1,4}$/gu, '')
    .trim()
}
