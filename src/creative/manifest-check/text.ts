// Whether a text fits its slot (spec 2.3): length, lines, characters, words and values.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { MAX_MATCHED_CHARS } from '../limits.ts'
import { type Faults, quotedValue } from './fault.ts'

export function checkText(content: unknown, requirements: AssetRequirements, faults: Faults): void {
  if (typeof content !== 'string') return
  checkLength(content, requirements, faults)
  checkLines(content, requirements, faults)
  const { character_pattern: pattern, allowed_values: values } = requirements
  if (pattern !== undefined && matches(pattern, content) === false) {
    const message = `The text must match ${quotedValue(pattern)}.`
    faults.at('content').add('character_pattern', message, { expected: pattern })
  }
  if (values?.length && !values.includes(content)) {
    const message = `The text must be one of ${quotedValue(values.join(', '))}.`
    faults.at('content').add('allowed_values', message, {
      expected: values,
      actual: quotedValue(content),
    })
  }
  const prohibited = requirements.prohibited_terms ?? []
  const words = prohibited.length > 0 ? plain(content) : ''
  const terms = prohibited.filter((term) => holdsTerm(words, term))
  if (terms.length > 0) {
    const message = `The text must not contain ${quotedValue(terms.join(', '))}.`
    faults.at('content').add('prohibited_terms', message, {
      expected: requirements.prohibited_terms,
      actual: terms,
    })
  }
}

function checkLength(
  content: string,
  { min_length, max_length }: AssetRequirements,
  faults: Faults,
): void {
  const length = lengthOf(content)
  const least = min_length ?? 1
  if (least > 0 && content.trim() === '') {
    const message = 'The text must not be empty.'
    faults.at('content').add('min_length', message, { expected: least, actual: 0 })
  } else if (length < least) {
    const message = `The text must be at least ${least} characters long, not ${length}.`
    faults.at('content').add('min_length', message, { expected: least, actual: length })
  } else if (max_length !== undefined && length > max_length) {
    const message = `The text must be at most ${max_length} characters long, not ${length}.`
    faults.at('content').add('max_length', message, { expected: max_length, actual: length })
  }
}

/** The length a person would count: code points, not the halves of an emoji. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function checkLines(
  content: string,
  { min_lines, max_lines }: AssetRequirements,
  faults: Faults,
): void {
  if (min_lines === undefined && max_lines === undefined) return
  const lines = content.split(/\r\n|[\r\n]/).length
  if (min_lines !== undefined && lines < min_lines) {
    const message = `The text must have at least ${min_lines} lines, not ${lines}.`
    faults.at('content').add('min_lines', message, { expected: min_lines, actual: lines })
  } else if (max_lines !== undefined && lines > max_lines) {
    const message = `The text must have at most ${max_lines} lines, not ${lines}.`
    faults.at('content').add('max_lines', message, { expected: max_lines, actual: lines })
  }
}

/**
 * The pattern comes from the operator and may be a bad one with exponential time: so the text is limited, and its
 * process can be stopped. Undefined if the pattern is not a regular expression: that is not an error of the manifest.
 */
function matches(pattern: string, content: string): boolean | undefined {
  for (const flags of ['u', '']) {
    try {
      return content.length <= MAX_MATCHED_CHARS && new RegExp(pattern, flags).test(content)
    } catch {
      // It may be valid in the other regular expression syntax.
    }
  }
  return undefined
}

/** As whole words, in any case: "free" is not in "freedom". `content` is plain already. */
function holdsTerm(content: string, term: string): boolean {
  const word = plain(term).trim()
  if (word === '') return false
  for (let at = content.indexOf(word); at >= 0; at = content.indexOf(word, at + 1)) {
    const isWhole = !endsInLetter(content.slice(Math.max(at - 2, 0), at))
    if (isWhole && !beginsWithLetter(content.slice(at + word.length, at + word.length + 2)))
      return true
  }
  return false
}

function endsInLetter(text: string): boolean {
  return /[\p{L}\p{N}]$/u.test(text)
}

function beginsWithLetter(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text)
}

/** Normalises letters, case and spaces. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}
