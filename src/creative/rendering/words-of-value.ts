// A JSON value in human-readable form: a line for each member, without braces and quotes.

import { isObject } from '../../protocol/schemas/checks.ts'
import { wordsOf } from './parts.ts'

/** Deeper values are displayed on one line, as JSON. */
const MAX_DEPTH = 3

export function wordsOfValue(value: unknown): string {
  return linesOf(value, 0).join('\n')
}

function linesOf(value: unknown, depth: number): string[] {
  if (!isObject(value) && !Array.isArray(value)) return [String(value)]
  if (depth >= MAX_DEPTH) return [JSON.stringify(value)]
  if (Array.isArray(value)) {
    return value.flatMap((one) => {
      const [first = '', ...others] = linesOf(one, depth + 1)
      return [`• ${first}`, ...others]
    })
  }
  return Object.entries(value).flatMap(([member, one]) => {
    const [first = '', ...others] = linesOf(one, depth + 1)
    const isSimple = !isObject(one) && !Array.isArray(one)
    return isSimple
      ? [`${wordsOf(member)}: ${first}`]
      : [`${wordsOf(member)}:`, first, ...others].filter((line) => line !== '')
  })
}
