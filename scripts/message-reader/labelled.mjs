// The labelled messages of data/messages: an author each file. A message is its segments, joined without anything between.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { READ_ROLES } from '../../src/creative/message/reading/roles.ts'
import { tokensOf } from '../../src/creative/message/reading/tokens.ts'

export { READ_ROLES } from '../../src/creative/message/reading/roles.ts'

export function readAuthors(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => ({
      author: file.slice(0, -'.jsonl'.length),
      messages: readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line)),
    }))
}

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

/** A generator of numbers between 0 and 1 that gives the same ones in every run (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** In place (Fisher and Yates). */
export function shuffle(list, random) {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    ;[list[index], list[other]] = [list[other], list[index]]
  }
}
