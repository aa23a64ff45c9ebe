// Words that follow directions, for the texts of a format that are separate from its picture (spec 4.2).

import type { AdInput } from '../layout-engine/ad-input.ts'
import { type WrittenTexts, writeTexts } from '../layout-engine/texts.ts'
import { attemptsFor, buttonIn } from './attempts.ts'
import type { Means } from './compose-directed.ts'
import { type Direction, OF_WORDS } from './direction.ts'
import { isDrawn } from './is-drawn.ts'
import { withAttempt } from './with-attempt.ts'

export function directedWords(
  input: AdInput,
  directions: readonly Direction[],
  { price }: Means = {},
): WrittenTexts {
  let state = input
  let written = writeTexts(state)
  for (const direction of directions) {
    const { kind } = direction
    if (kind === 'not' || kind === 'not_supported' || !OF_WORDS.has(kind)) continue
    const [attempt] = attemptsFor(direction, {
      input: state,
      layouts: ['aurora'],
      ground: undefined,
      price,
    }).filter((one) => Object.keys(one).length > 0)
    if (!attempt) continue
    const next = withAttempt(state, attempt)
    const tried = writeTexts(next)
    const words = kind === 'button_language' ? buttonIn(direction.language, state) : ''
    const compared = { returned: { texts: tried.texts }, before: { texts: written.texts } }
    if (!isDrawn(direction, compared, words)) continue
    state = next
    written = tried
  }
  return written
}
