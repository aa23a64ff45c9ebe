// What a request says outside its message (spec 4.2): words to print, words that must not appear, and instructions.
// Combined with the instructions of the message, so that all of them are followed in one way. Pure.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { Instruction } from '../directions/instruction.ts'
import type { AdStyle, AdTexts } from '../layout-engine/ad-input.ts'
import { styleNamed } from '../layout-engine/style.ts'
import { type Avoided, avoidedIn } from '../message/avoid.ts'
import type { MessageSpan } from '../message/reading/spans.ts'
import { isAvoidedIn } from '../message/unsaid.ts'

export interface StructuredWords {
  /** Printed verbatim. */
  texts: Partial<AdTexts>
  /** Printed where disclaimers are. */
  legal: string | undefined
  /** What must not appear; empty if the request has no `avoid`. */
  avoided: Avoided
  /** The requested look. Default: none of it is requested. */
  style?: Partial<AdStyle>
}

export type StructuredRequest = Pick<
  BuildCreativeRequest,
  'copy' | 'avoid' | 'instructions' | 'style'
>

/** Throws a ProtocolError for copy that contains what must not appear, and for a style that has no such name. */
export function structuredWords({
  copy = {},
  avoid = [],
  style,
}: StructuredRequest): StructuredWords {
  const avoided = avoidedIn(avoid.map(quoted))
  const { headline, body, cta, legal } = copy
  for (const [member, words] of Object.entries(copy)) {
    if (words !== undefined && isAvoidedIn(words, avoided)) throw contradiction(member)
  }
  return {
    texts: defined({ headline, description: body, call_to_action: cta }),
    legal,
    avoided,
    ...(style !== undefined && { style: requestedStyle(style) }),
  }
}

function requestedStyle(style: NonNullable<StructuredRequest['style']>): Partial<AdStyle> {
  if (typeof style !== 'string') return defined(style)
  const named = styleNamed(style)
  if (named) return named
  const message =
    'style has no such name: send the name that ext.style of an earlier response has, or an object with layout, photo, ground and scale'
  throw new ProtocolError('VALIDATION_ERROR', message, { field: '/style' })
}

/** As one phrase, however many words it has. */
function quoted(phrase: string): string {
  return `“${phrase.replace(/[“”"„«»]/g, ' ').trim()}”`
}

function contradiction(member: string): ProtocolError {
  const field = `/copy/${member}`
  const message = `copy.${member} contains words that avoid excludes: change one of them`
  return new ProtocolError('VALIDATION_ERROR', message, {
    field,
    issues: [{ pointer: field, message, keyword: 'not' }],
  })
}

const INSTRUCTING: ReadonlySet<MessageSpan['role']> = new Set(['instruction', 'avoid', 'style'])
/** Maximum number of instructions that are read from one message or list. */
const MAX_READ = 40

/** `spans` refer to `read`, which is the message as it was sent, or most of it. */
export function instructionsOf(
  { message = '', instructions = [] }: Pick<BuildCreativeRequest, 'message' | 'instructions'>,
  { read, spans }: { read: string; spans: readonly MessageSpan[] },
): Instruction[] {
  const given = instructions.map((text, index): Instruction => ({ text, origin: { index } }))
  const said: Instruction[] = []
  let from = 0
  for (const { start, end, role } of spans) {
    if (!INSTRUCTING.has(role)) continue
    const text = read.slice(start, end).trim()
    if (!/\p{L}/u.test(text)) continue
    const found = message.indexOf(text, from)
    const at = found >= 0 ? found : start
    if (found >= 0) from = found + text.length
    said.push({ text, origin: { start: at, end: at + text.length } })
  }
  return [...given, ...said].slice(0, MAX_READ)
}
