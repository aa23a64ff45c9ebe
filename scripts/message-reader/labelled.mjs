// The labelled messages of data/messages: an author each file. A message is its segments, joined without anything between.
import { READ_ROLES } from '../../src/creative/message/reading/roles.ts'
import { tokensOf } from '../../src/creative/message/reading/tokens.ts'

export { READ_ROLES } from '../../src/creative/message/reading/roles.ts'
export { randomFrom, readAuthors, shuffle, trainingMessages } from './authors.mjs'

/** The text of a message, its tokens and the role of each: of the segment in which the token begins. */
export function tokenised({ s: segments }) {
  const text = segments.map(([, part]) => part).join('')
  const tokens = tokensOf(text)
  const roles = new Uint8Array(tokens.length)
  let end = 0
  let at = 0
  for (const [role, part, kind] of segments) {
    end += part.length
    const label = READ_ROLES.indexOf(
      role === 'instruction' && SCAFFOLD.has(kind) ? 'scaffold' : role,
    )
    while (at < tokens.length && tokens[at].start < end) roles[at++] = label
  }
  return { text, tokens, roles }
}

/** Kinds of instructions that only lead to copy. */
const SCAFFOLD = new Set(['label', 'make'])
