// Whether a wish of the message is known to be followed (spec 4.2): by the words of the button, by the tone of what is
// drawn, or by the logo in it.

import type { Judged } from './account.ts'
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

/** Undefined for what nothing is known of. */
export function judgeWish(wish: string, drawn: DrawnFor): Judged | undefined {
  return judgeButton(wish, drawn) ?? judgeLook(wish, drawn)
}

function judgeButton(wish: string, { read, printed }: DrawnFor): Judged | undefined {
  const isAction =
    read.actions.some((action) => wish.toLowerCase().includes(action.toLowerCase())) ||
    readClause(wish, { isInstructed: true }).kind === 'action'
  const button = isAction ? buttonFor(read.actions, read.language ?? 'en') : undefined
  if (button === undefined) return undefined
  const isThere = printed.some((text) => text === button || text.startsWith(`${button} · `))
  return isThere
    ? { outcome: 'followed' }
    : { outcome: 'not_possible', detail: 'no button of the creative says so' }
}

/** Says where a logo shall stand, or how large it shall be. */
const PLACED =
  /\b(?:left|right|top|bottom|corner|cent(?:er|re)|big|bigger|large|larger|small|smaller|blue|white|black|red|green)\b/i

function judgeLook(wish: string, { read, hasLogo }: DrawnFor): Judged | undefined {
  const tone = toneOf(wish)
  if (tone !== undefined && tone === read.tone) return { outcome: 'followed' }
  const isShown = hasLogo && /logo/i.test(wish) && !PLACED.test(wish)
  return isShown ? { outcome: 'followed' } : undefined
}
