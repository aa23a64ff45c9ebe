// The parts of a message as a language model read them (spec 4.2), checked before use: they must match the message,
// and text that the built-in reader is sure is not copy is not printed just because a model says it is.

import type { ReadSegment } from '../model/generator.ts'
import type { GivenReading, RoleSpan } from './reading/given-roles.ts'
import { labelledTokens } from './reading/labelled-tokens.ts'
import { sentencesOfTokens } from './reading/parts.ts'
import { PRINTED_ROLES, READ_ROLES, type ReadRole } from './reading/roles.ts'

export interface ToCheck {
  message: string
  segments: readonly ReadSegment[]
}

export type CheckedReading =
  | {
      ok: true
      reading: GivenReading
      /** Whether the message contains its own headline or text. */
      hasCopy: boolean
    }
  | { ok: false; reason: string }

const ROLES: ReadonlyMap<string, ReadRole> = new Map(READ_ROLES.map((role) => [role, role]))
/** No message that is read is longer or has more parts. */
const MAX_SEGMENTS = 4_000
/** Below it, the built-in reader is sure that words are not copy. */
const SURELY_NO_COPY = 0.05

export function checkReading({ message, segments }: ToCheck): CheckedReading {
  if (segments.length > MAX_SEGMENTS) return { ok: false, reason: 'it has too many parts' }
  const roles: ReadRole[] = []
  for (const { role } of segments) {
    const known = ROLES.get(role)
    if (known === undefined) return { ok: false, reason: 'it has a part with an unknown role' }
    roles.push(known)
  }
  const places = placesOf(message, segments)
  if (!places) return { ok: false, reason: 'its parts are not the words of the message' }
  const said = spansAt(message, places, roles)
  const spans = withoutDoubtful(message, said)
  return { ok: true, reading: { text: message, spans }, hasCopy: hasCopySpans(message, spans) }
}

export function hasCopySpans(message: string, spans: readonly RoleSpan[]): boolean {
  return spans.some(
    ({ start, end, role }) =>
      (role === 'headline' || role === 'body') && /\p{L}/u.test(message.slice(start, end)),
  )
}

interface Sign {
  /** Normalised for comparison: letters without case, decomposed. */
  sign: string
  /** Where its letter is in the text. */
  start: number
  end: number
}

function signsIn(text: string): Sign[] {
  const signs: Sign[] = []
  let start = 0
  for (const letter of text) {
    const end = start + letter.length
    for (const sign of letter.normalize('NFKD').toLowerCase()) signs.push({ sign, start, end })
    start = end
  }
  return signs
}

/** Allowed differences: models drop quotation marks and spaces, or write them differently. */
const LOOSE = /^[\s\p{C}\p{M}]$|^(?![%@#&*‰])\p{P}$/u

/** The segment index of each UTF-16 unit of the message, or -1; undefined if the words read differ. */
function placesOf(message: string, segments: readonly ReadSegment[]): Int32Array | undefined {
  const places = new Int32Array(message.length).fill(-1)
  const given = segments.flatMap(({ text }, number) =>
    signsIn(text).map(({ sign }) => ({ sign, number })),
  )
  let next = 0
  for (const { sign, start, end } of signsIn(message)) {
    if (given[next]?.sign !== sign && LOOSE.test(sign)) continue
    while (given[next]?.sign !== sign && LOOSE.test(given[next]?.sign ?? '')) next++
    const found = given[next++]
    if (found?.sign !== sign) return undefined
    places.fill(found.number, start, end)
  }
  return given.slice(next).every(({ sign }) => LOOSE.test(sign)) ? places : undefined
}

/** Text in no segment, such as spaces, belongs to the side that is not printed. */
function spansAt(message: string, places: Int32Array, roles: readonly ReadRole[]): RoleSpan[] {
  const spans: RoleSpan[] = []
  let [at, last] = [0, -1]
  while (at < message.length) {
    let end = at
    while (end < message.length && places[end] === -1) end++
    const next = end < message.length ? (places[end] as number) : -1
    const role = betweenRole(roles[last], roles[next])
    if (end > at && role) addSpan(spans, { start: at, end, role })
    at = end
    while (end < message.length && places[end] === next && next >= 0) end++
    if (end > at) addSpan(spans, { start: at, end, role: roles[next] as ReadRole })
    last = next
    at = end
  }
  return spans
}

function betweenRole(before: ReadRole | undefined, after: ReadRole | undefined): ReadRole {
  if (before === undefined || after === undefined) return before ?? after ?? 'chat'
  return before !== after && PRINTED_ROLES.has(before) ? after : before
}

function addSpan(spans: RoleSpan[], span: RoleSpan): void {
  const last = spans.at(-1)
  if (last?.role === span.role) last.end = span.end
  else spans.push(span)
}

/** Sentence by sentence: an instruction to the model is not copy, even if the model says so. */
function withoutDoubtful(message: string, spans: readonly RoleSpan[]): RoleSpan[] {
  const tokens = labelledTokens(message)
  const kept: RoleSpan[] = []
  for (const span of spans) {
    if (!PRINTED_ROLES.has(span.role)) {
      addSpan(kept, { ...span })
      continue
    }
    const own = tokens.filter(({ start, end }) => start >= span.start && end <= span.end)
    for (const part of partsWithin(span, sentencesOfTokens(own), own)) {
      const words = own.filter(
        ({ isWord, start, end }) => isWord && start >= part.start && end <= part.end,
      )
      const mean = words.reduce((sum, { printable }) => sum + printable, 0) / words.length
      const isDoubtful = words.length > 0 && mean < SURELY_NO_COPY
      addSpan(kept, isDoubtful ? { ...part, role: 'instruction' } : part)
    }
  }
  return kept
}

function partsWithin(
  span: RoleSpan,
  sentences: readonly { from: number; to: number }[],
  tokens: readonly { start: number }[],
): RoleSpan[] {
  const starts = sentences.map(({ from }, index) =>
    index === 0 ? span.start : (tokens[from]?.start ?? span.end),
  )
  if (starts.length === 0) return [{ ...span }]
  return starts.map((start, index) => ({ ...span, start, end: starts[index + 1] ?? span.end }))
}
