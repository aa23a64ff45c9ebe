// What a message asks for and its creative does not do (spec 4.2), for `ext.build_notes`: nobody shall believe
// that a wish was followed which was not, nor miss words that were taken as said to who makes it.

import { buttonFor } from './call-to-action.ts'
import type { ReadMessage } from './read-message.ts'
import { toneOf } from './tone.ts'

export interface Written {
  headline: string
  description: string
  call_to_action: string
  /** What there was no room for. */
  leftOut: readonly string[]
  hasLogo: boolean
}

export function unfollowedIn(read: ReadMessage, written: Written): string[] {
  const { manners, doubtful, unclear, asides, actions, language } = read
  const isButton = actions.length === 0 || buttonFor(actions, language ?? 'en') !== undefined
  return [
    ...manners.filter((manner) => !isFollowed(manner, written)).map((one) => notFollowed(one)),
    ...doubtful
      .filter((text) => !isFollowed(text, written))
      .map(
        (text) => `${notFollowed(text)} (read as an instruction; to print it, put it in quotes)`,
      ),
    ...(isButton ? [] : actions.map((action) => notFollowed(action))),
    ...unclear.map((one) => `not clear what to leave out: “${one}”`),
    ...changedIn(read, written),
    ...written.leftOut.map((text) => `left out for want of room: “${text}”`),
    ...asides.map((one) => `read as said to who makes it, and not printed: “${one}”`),
  ]
}

function notFollowed(wish: string): string {
  return `not followed: “${wish}”`
}

function isFollowed(manner: string, { hasLogo }: Written): boolean {
  return toneOf(manner) !== undefined || (hasLogo && /logo/i.test(manner) && !PLACED.test(manner))
}

/** Texts that were given word by word and are not printed so. */
function changedIn({ texts }: ReadMessage, written: Written): string[] {
  return (['headline', 'description', 'call_to_action'] as const).flatMap((role) => {
    const text = texts[role]?.replace(/\s+/g, ' ').trim()
    const isThere = text === undefined || text === '' || written[role] === text
    return isThere ? [] : [`${role} shortened or replaced for want of room: “${text}”`]
  })
}

/** Says where a logo shall stand, or how large it shall be. */
const PLACED =
  /\b(?:left|right|top|bottom|corner|cent(?:er|re)|big|bigger|large|larger|small|smaller|blue|white|black|red|green)\b/i
