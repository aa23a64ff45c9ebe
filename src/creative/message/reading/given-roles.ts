// The parts of a message as somebody else read them, for the tokens of a text that was made from it: without markup,
// hashtags, or what speaks of motion.

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

/** Words that were left out of the text in a row, at most. */
const MOST_SKIPPED = 200

/** Of each token its role. `whole` are the tokens of the message. */
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

/** A mark is everywhere, and so is looked for only where it should be. */
function indexOfToken({ text }: Token, whole: readonly Token[], from: number): number | undefined {
  const isWord = /[\p{L}\p{N}]/u.test(text)
  const last = Math.min(whole.length, from + (isWord ? MOST_SKIPPED : 2))
  for (let index = from; index < last; index++) {
    if (whole[index]?.text.normalize('NFC') === text.normalize('NFC')) return index
  }
  return undefined
}
