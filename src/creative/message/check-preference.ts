// Whether a preference of the message is known to be followed (spec 4.2): by the words of the button, by the tone of
// what is drawn, or by the logo in it.

import type { Checked } from './account.ts'
import { buttonFor } from './call-to-action.ts'
import { readClause } from './instructions.ts'
import type { ReadMessage } from './read-message.ts'
import { toneOf } from './tone.ts'

export interface DrawnFor {
  read: Pick<ReadMessage, 'actions' | 'language' | 'tone'>
  /** What the creative shows. */
  printed: readonly string[]
  hasLogo: boolean
}

/** Undefined if nothing is known about it. */
export function checkPreference(preference: string, drawn: DrawnFor): Checked | undefined {
  return checkButton(preference, drawn) ?? checkLook(preference, drawn)
}

function checkButton(preference: string, { read, printed }: DrawnFor): Checked | undefined {
  const isAction =
    read.actions.some((action) => preference.toLowerCase().includes(action.toLowerCase())) ||
    readClause(preference, { isInstructed: true }).kind === 'action'
  const button = isAction ? buttonFor(read.actions, read.language ?? 'en') : undefined
  if (button === undefined) return undefined
  const isThere = printed.some((text) => text === button || text.startsWith(`${button} · `))
  return isThere
    ? { outcome: 'followed' }
    : { outcome: 'not_possible', detail: 'no button of the creative says so' }
}

/** Says where a logo should be, or how large. */
const PLACED =
  /\b(?:left|right|top|bottom|corner|cent(?:er|re)|big|bigger|large|larger|small|smaller|blue|white|black|red|green)\b/i

function checkLook(preference: string, { read, hasLogo }: DrawnFor): Checked | undefined {
  const tone = toneOf(preference)
  if (tone !== undefined && tone === read.tone) return { outcome: 'followed' }
  const isReturned = hasLogo && /logo/i.test(preference) && !PLACED.test(preference)
  return isReturned ? { outcome: 'followed' } : undefined
}
