// Texts cut to the limits of a slot, at word boundaries (spec 4.2): the rest reads as if it had been written that
// way. Pure.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { fitWords } from '../layout-engine/fit-words.ts'

export type ShortenedText =
  | { ok: true; text: string; isCut: boolean }
  | { ok: false; reason: string }

/** The longest prefix that fits, or why none does. */
export function shortenText(text: string, requirements: AssetRequirements = {}): ShortenedText {
  const { min_length = 0, max_length = Number.POSITIVE_INFINITY, allowed_values } = requirements
  const given = text.trim().replace(/[^\S\n]+/g, ' ')
  if (allowed_values) {
    const meant = allowed_values.find((value) => value.toLowerCase() === given.toLowerCase())
    if (meant === undefined) return refuse(`it must be one of ${allowed_values.join(', ')}`)
    return { ok: true, text: meant, isCut: false }
  }
  const lines = linesOf(given, requirements)
  const fitted = lines.length <= max_length ? lines : fitWords(lines, max_length)
  if (fitted.length < min_length) return refuse(`it must have at least ${min_length} characters`)
  return { ok: true, text: fitted, isCut: fitted !== given }
}

function linesOf(text: string, { max_lines }: AssetRequirements): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (max_lines === undefined || lines.length <= max_lines) return lines.join('\n')
  const kept = lines.slice(0, max_lines - 1)
  return [...kept, lines.slice(max_lines - 1).join(' ')].join('\n')
}

function refuse(reason: string): ShortenedText {
  return { ok: false, reason }
}
