// The parts of a message as read by someone else, mapped to the tokens of a text derived from it: without markup,
// hashtags, or text about motion.

import type { ReadRole } from './roles.ts'
import type { Token } from './tokens.ts'

/** A stretch of a message, in UTF-16 units. */
export interface RoleSpan {
  start: number
  end: number
  role: ReadRole
}

export interface GivenReading {
  /** The message. */
  text: string
  /** All of it, in order and without gaps. */
  spans: readonly RoleSpan[]
}

/** The maximum number of consecutive words that were removed from the text. */
const MOST_SKIPPED = 200

/** The role of each token. `whole` are the tokens of the message. */
export function givenRoles(
  tokens: readonly Token[],
  { spans }: GivenReading,
  whole: readonly Token[],
): ReadRole[] {
  let [next, span] = [0, 0]
  let role: ReadRole = spans[0]?.role ?? 'chat'
  return tokens.map((token) => {
    const found = indexOfToken(token, whole, next)
    if (found === undefined) return role
    next = found + 1
    const { start } = whole[found] as Token
    while (span + 1 < spans.length && (spans[span]?.end ?? 0) <= start) span++
    role = spans[span]?.role ?? role
    return role
  })
}

/** Punctuation occurs everywhere, and so is matched only at its expected position. */
function indexOfToken({ text }: Token, whole: readonly Token[], from: number): number | undefined {
  const isWord = /[\p{L}\p{N}]/u.test(text)
  const last = Math.min(whole.length, from + (isWord ? MOST_SKIPPED : 2))
  for (let index = from; index < last; index++) {
    if (whole[index]?.text.normalize('NFC') === text.normalize('NFC')) return index
  }
  return undefined
}
