// What another agent wrote, before it is handed on: without the key it was called with, in case it sends that back, and
// of its sentences one line of plain text.

const HIDDEN = '[auth_token]'

/** The value without the token, wherever it stands in a text or the name of a member. */
export function withoutToken<T>(value: T, token: string | undefined): T {
  return token === undefined ? value : (hide(value, token) as T)
}

function hide(value: unknown, token: string): unknown {
  if (typeof value === 'string') return value.replaceAll(token, HIDDEN)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => hide(element, token))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(token, HIDDEN),
      hide(member, token),
    ]),
  )
}

/** One line: no control characters, none that turn the direction of text or cannot be seen, and so long at most. */
export function plainLine(text: string, maxChars: number): string {
  const line = text.replace(UNSEEN, ' ').trim()
  if (line.length <= maxChars) return line
  return `${line.slice(0, maxChars - 1).replace(/\p{Surrogate}$/u, '')}…`
}

/** Controls, formats, separators of lines, what is for private use, and half characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu
