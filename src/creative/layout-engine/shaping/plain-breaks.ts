// Where a text in Latin, Greek or Cyrillic may continue on the next line: at spaces, and if a word is too long for a
// line, also after its hyphens and slashes.

import type { Break } from './breaks.ts'
import { withoutHyphenation } from './held-together.ts'

/** The last is the end of the text. */
export function plainBreaks(text: string): Break[] {
  const breaks: Break[] = []
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1))
    breaks.push({ to: at, next: at + 1 })
  breaks.push({ to: text.length, next: text.length })
  return withoutHyphenation(breaks, text)
}

export function plainLooseBreaks(text: string): Break[] {
  const breaks: Break[] = []
  for (const { index, 0: sign } of text.matchAll(/ |[-–—/](?=\p{L}\p{L})/gu))
    breaks.push(sign === ' ' ? { to: index, next: index + 1 } : { to: index + 1, next: index + 1 })
  breaks.push({ to: text.length, next: text.length })
  return breaks
}
