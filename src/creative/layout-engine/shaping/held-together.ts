// Spaces at which no line should end: a number stays with its unit or currency, in every script.

import type { Break } from './breaks.ts'

/** These breaks without those that would separate a number from its unit or its currency. */
export function withoutHyphenation(breaks: readonly Break[], text: string): Break[] {
  return breaks.filter(({ to, next, mark }) => mark !== undefined || !isHeld(text, to, next))
}

function isHeld(text: string, to: number, next: number): boolean {
  if (next !== to + 1 || next >= text.length) return false
  const [before, after] = [text.slice(Math.max(0, to - LOOK), to), text.slice(next, next + LOOK)]
  return DIGIT_LAST.test(before) ? COUNTED.test(after) : COSTS.test(before) && DIGIT.test(after)
}

/** The number of characters examined on either side. */
const LOOK = 6
const DIGIT = /^\p{Nd}/u
const DIGIT_LAST = /\p{Nd}$/u
/** A sign, up to three letters with or without points (ml, zł, a.m., ر.س), a full currency name, or more digits. */
const COUNTED =
  /^(?:[\p{Sc}%‰٪°]|\p{L}\.?(?:\p{L}\.?){0,2}(?![\p{L}\p{M}\p{N}])|[Ee]uros?(?!\p{L})|\p{Nd}{2,4}(?!\p{Nd}))/u
const COSTS = /(?:^|[ (])(?:\p{Sc}|[A-Z]{2,3}|Rs\.?|No\.|Nr\.|№)$/u
