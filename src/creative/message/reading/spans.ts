// A message as spans that cover every character of it, each with its role (spec 4.2).

import type { GivenReading } from './given-roles.ts'
import { labelledTokens } from './labelled-tokens.ts'
import type { MessageRole, ReadRole } from './roles.ts'

/** A stretch of the message as it was sent, in UTF-16 units. */
export interface MessageSpan {
  start: number
  end: number
  role: MessageRole
  /** For an instruction: whether it only introduces copy, such as a label or a request for the ad. */
  isScaffold?: boolean
}

/** In order, without gaps: the first begins at 0, and the last ends with the message. */
export function spansOf(message: string, given?: GivenReading): MessageSpan[] {
  const spans: MessageSpan[] = []
  for (const { start, role: read } of labelledTokens(message, given)) {
    const role = publicRole(read)
    const isScaffold = read === 'scaffold'
    const last = spans.at(-1)
    if (last?.role === role && (last.isScaffold ?? false) === isScaffold) continue
    if (last) last.end = start
    const span = { start: last ? start : 0, end: message.length, role }
    spans.push(isScaffold ? { ...span, isScaffold } : span)
  }
  if (spans.length === 0 && message !== '') {
    spans.push({ start: 0, end: message.length, role: 'chat' })
  }
  return spans
}

function publicRole(role: ReadRole): MessageRole {
  return role === 'scaffold' ? 'instruction' : role
}
