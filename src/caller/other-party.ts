// Text from another agent, prepared before it is passed on: the key it was called with is removed, in case the agent
// echoes it, and sentences become one line of plain text.

import { stringifyPaced } from '../lib/paced-json.ts'
import { createPacer, type Pacer } from '../lib/pacer.ts'

const HIDDEN = '[auth_token]'

/** The value without the token, wherever it appears in a text or in the name of a member. For small values. */
export function withoutToken<T>(value: T, token: string | undefined): T {
  return token === undefined ? value : (hide(value, token) as T)
}

function hide(value: unknown, token: string): unknown {
  if (typeof value === 'string') return value.replaceAll(token, HIDDEN)
  if (typeof value !== 'object' || value === null) return value
  return rebuilt(
    value,
    Object.values(value).map((member) => hide(member, token)),
    token,
  )
}

/** The same for a value that may be large, in slices. It is copied only if it contains the token, which is rare. */
export async function largeWithoutToken<T>(value: T, token: string | undefined): Promise<T> {
  if (token === undefined) return value
  const text = await stringifyPaced(value, Number.POSITIVE_INFINITY)
  const isThere = text?.includes(JSON.stringify(token).slice(1, -1)) ?? false
  return isThere ? ((await hidePaced(value, token, createPacer())) as T) : value
}

async function hidePaced(value: unknown, token: string, pacer: Pacer): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return hide(value, token)
  if (pacer.isDue()) await pacer.pause()
  const members: unknown[] = []
  for (const member of Object.values(value)) {
    const isLarge = typeof member === 'object' && member !== null
    members.push(isLarge ? await hidePaced(member, token, pacer) : hide(member, token))
  }
  return rebuilt(value, members, token)
}

function rebuilt(value: object, members: unknown[], token: string): unknown {
  if (Array.isArray(value)) return members
  const names = Object.keys(value).map((name) => name.replaceAll(token, HIDDEN))
  return Object.fromEntries(names.map((name, index) => [name, members[index]]))
}

/**
 * One line of limited length: no control characters, none that change the direction of text, and no invisible ones.
 */
export function plainLine(text: string, maxChars: number): string {
  const line = text.replace(UNSEEN, ' ').trim()
  if (line.length <= maxChars) return line
  return `${line.slice(0, maxChars - 1).replace(/\p{Surrogate}$/u, '')}…`
}

/** Control and format characters, line separators, private-use characters and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu
