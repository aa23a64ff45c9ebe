// The outcome of each instruction (spec 4.2), based only on what was actually drawn and written. An instruction is
// followed when everything it requests is, in everything that was made.

import type { DirectionResult } from './compose-directed.ts'
import { detailOf } from './details.ts'
import { ANYWHERE, type Direction, OF_WORDS } from './direction.ts'
import type { DrawnState } from './drawn.ts'
import type { InstructionOutcome, Outcome } from './instruction.ts'
import { isDrawn } from './is-drawn.ts'
import type { ReadInstruction } from './read-instructions.ts'

export interface DrawnResults {
  /** The outcome of every direction, for each advertisement that was drawn. */
  ads: readonly (readonly DirectionResult[])[]
  /** The texts beside the pictures, and the same without directions; undefined if there are none. */
  words?: { now: DrawnState; before: DrawnState; has: ReadonlySet<string> } | undefined
  /** Whether pictures of the request are passed through and none is drawn. */
  isCarried: boolean
  /** Whether a logo has its own slot. */
  hasLogoSlot: boolean
}

/** Instructions that request nothing are omitted. */
export function outcomesOf(
  instructions: readonly ReadInstruction[],
  drawn: DrawnResults,
): InstructionOutcome[] {
  return instructions.flatMap(({ instruction, directions }) => {
    if (directions.length === 0) return []
    const verdicts = directions.map((direction) => verdictOn(direction, drawn))
    const worst = verdicts.find(({ outcome }) => outcome !== 'followed')
    const detail = [...new Set(verdicts.map((one) => one.detail))].join(' ')
    return [{ instruction, outcome: worst?.outcome ?? 'followed', detail }]
  })
}

interface Verdict {
  outcome: Outcome
  detail: string
}

function verdictOn(direction: Direction, drawn: DrawnResults): Verdict {
  if (direction.kind === 'not_supported') {
    return { outcome: 'not_supported', detail: direction.reason }
  }
  if (direction.kind === 'advertisement') {
    return { outcome: 'followed', detail: 'An advertisement was built.' }
  }
  if (direction.kind === 'logo' && !direction.isWanted && drawn.hasLogoSlot) {
    return { outcome: 'not_possible', detail: 'This format requires a logo.' }
  }
  const verdicts: Verdict[] = drawn.ads.flatMap((results) =>
    results.filter((result) => result.direction === direction),
  )
  const words = inWords(direction, drawn)
  if (words) verdicts.push(words)
  const [first] = verdicts
  if (!first) return { outcome: 'not_possible', detail: nothingDrawn(drawn) }
  const followed = verdicts.find(({ outcome }) => outcome === 'followed')
  const missed = verdicts.find(({ outcome }) => outcome !== 'followed')
  if (isAnywhere(direction)) return followed ?? first
  return missed ?? first
}

function isAnywhere(direction: Direction): boolean {
  if (direction.kind === 'price') return direction.isWanted
  return ANYWHERE.has(direction.kind)
}

/** Undefined where the texts of the format cannot decide. */
function inWords(direction: Direction, { words }: DrawnResults): Verdict | undefined {
  const positive = direction.kind === 'not' ? direction.of : direction
  if (!words || positive.kind === 'not_supported') return undefined
  const isReported = OF_WORDS.has(positive.kind) || positive.kind === 'mention'
  if (!isReported || !hasText(positive.kind, words.has)) return undefined
  const wanted = words.now.texts.call_to_action
  const { now: returned, before } = words
  const isFollowed = isDrawn(direction, { returned, before }, wanted)
  if (isFollowed) {
    const detail =
      direction.kind === 'tone' ? detailOf(direction, returned, before) : 'The texts follow it.'
    return { outcome: 'followed', detail }
  }
  if (positive.kind === 'mention') {
    return { outcome: 'not_supported', detail: 'To print words, send them in copy.' }
  }
  return { outcome: 'not_possible', detail: 'The texts of this format do not allow it.' }
}

function hasText(kind: string, has: ReadonlySet<string>): boolean {
  if (kind.startsWith('button_')) return has.has('call_to_action')
  return kind === 'text_length' ? has.has('description') : true
}

function nothingDrawn({ isCarried }: DrawnResults): string {
  return isCarried
    ? 'A picture that was given is only brought to its size.'
    : 'No picture is drawn in this format.'
}
