// Whether the words of a model may be printed (spec 4.2): they must claim nothing that no source said, say nothing
// that the message forbids, and not be longer than the words of an advertisement can be.

import type { GeneratedTexts, TextOptions } from '../model/generator.ts'
import { readOnce } from './read-once.ts'
import { isAvoidedIn, unsaidIn } from './unsaid.ts'

export interface WordsToGuard extends Pick<TextOptions, 'brand' | 'offering' | 'message'> {
  words: GeneratedTexts
}

/** Far more than any slot holds; anything longer is not copy. */
const MAX_LENGTH = 2_000
const MAX_NAMED = 5

/** What is wrong with the words, as the end of "the language model …"; undefined when nothing is. */
export function objectionTo(requested: WordsToGuard): string | undefined {
  const { words, brand, offering, message } = requested
  const texts = [words.headline, words.description, words.call_to_action]
  if (texts.some(({ length }) => length > MAX_LENGTH)) {
    return `wrote a text of more than ${MAX_LENGTH} characters`
  }
  const reported = [message, ...Object.values(brand), ...Object.values(offering ?? {})]
  const unsaid = unsaidIn(
    texts,
    reported.filter((text) => text !== undefined),
  )
  if (unsaid.length > 0) {
    const named = [...new Set(unsaid)].slice(0, MAX_NAMED).map((text) => `“${text}”`)
    return `contained ${named.join(', ')}, which is in no source`
  }
  const { avoided } = readOnce(message)
  const isForbidden = texts.some((text) => isAvoidedIn(text, avoided))
  return isForbidden ? 'said what the message forbids' : undefined
}
