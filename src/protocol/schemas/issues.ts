// How validation errors of a request are reported to its caller (spec 7): a JSON pointer (RFC 6901), a sentence that
// says what would be valid there, and the rule that was broken. All of them, up to 100.

import type { z } from 'zod'
import { boundedIssues, FAULT_LIMITS } from '../error-limits.ts'
import type { Issue } from '../errors.ts'
import { pointerTo } from '../manifest-issues.ts'
import { amount, articled, listed, nounOf } from './issue-words.ts'

/** Maximum number of errors reported for one request: the last entry states how many were left out. */
export const MAX_ISSUES = FAULT_LIMITS.errors.value

/** The errors in the order of the schema. With the input, a missing member is reported as such. */
export function issuesOf(error: z.ZodError, input?: unknown): Issue[] {
  const { issues, more } = countedIssuesOf(error, input)
  return boundedIssues(issues, more)
}

/** The first errors, and the number of the others: messages are only created for those that are reported. */
export function countedIssuesOf(
  error: z.ZodError,
  input?: unknown,
): { issues: Issue[]; more: number } {
  const found = new Map<string, Issue>()
  let more = 0
  for (const raw of error.issues) {
    for (const { issue, path } of flatten(raw, [])) {
      if (found.size >= MAX_ISSUES) {
        more += issue.code === 'unrecognized_keys' ? issue.keys.length : 1
        continue
      }
      for (const reported of report(issue, path, input)) {
        const known = `${reported.keyword} ${reported.pointer}`
        if (!found.has(known)) found.set(known, reported)
      }
    }
  }
  return { issues: [...found.values()], more }
}

export type RequestCheck<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

/** Validates a value against a schema. Never throws for JSON values. */
export function checkShape<T>(schema: z.ZodType<T>, value: unknown): RequestCheck<T> {
  const parsed = schema.safeParse(value)
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, issues: issuesOf(parsed.error, value) }
}

interface Placed {
  issue: z.core.$ZodIssue
  path: PropertyKey[]
}

/** Zod's message for a union that has no message of its own. */
const UNTOLD = 'Invalid input'

/** A failed union is reported with its own message, else with the errors of the branch that was most likely meant. */
function flatten(issue: z.core.$ZodIssue, base: readonly PropertyKey[]): Placed[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_union' && issue.message !== UNTOLD && issue.errors.length > 0) {
    return [{ issue: { ...issue, code: 'custom', params: { keyword: 'type' } }, path }]
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branches = issue.errors.map((branch) => branch.flatMap((inner) => flatten(inner, path)))
    return branches.reduce((best, next) => (isNearer(next, best, path.length) ? next : best))
  }
  if (issue.code === 'invalid_element' || issue.code === 'invalid_key') {
    return issue.issues.flatMap((inner) => flatten(inner, path))
  }
  return [{ issue, path }]
}

/** The nearer branch fails deeper inside the value, not in the discriminating members. */
function isNearer(next: readonly Placed[], best: readonly Placed[], depth: number): boolean {
  const difference = distance(next, depth) - distance(best, depth)
  return difference < 0 || (difference === 0 && next.length < best.length)
}

function distance(branch: readonly Placed[], depth: number): number {
  const isOther = ({ issue, path }: Placed) =>
    path.length === depth && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  if (branch.some(isOther)) return 2
  const isLiteral = ({ issue }: Placed) => issue.code === 'invalid_value'
  return branch.some(isLiteral) ? 1 : 0
}

function report(issue: z.core.$ZodIssue, path: readonly PropertyKey[], input: unknown): Issue[] {
  const pointer = pointerTo(path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointerTo([...path, key]),
      message: `${key} is not a member of this object; remove it.`,
      keyword: 'additionalProperties',
    }))
  }
  const isMissing = input === undefined ? saysUndefined(issue) : valueAt(input, path) === undefined
  if (isMissing && issue.code !== 'custom') {
    return [{ pointer, message: `This field is required: ${wanted(issue)}.`, keyword: 'required' }]
  }
  return [{ pointer, message: sentence(issue, valueAt(input, path)), keyword: keywordOf(issue) }]
}

function saysUndefined({ code, message }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && message.endsWith('received undefined')
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return articled(issue.expected)
  if (issue.code === 'invalid_value') return listed(issue.values)
  const { options } = issue as { options?: unknown }
  return Array.isArray(options) ? listed(options) : 'one of the forms it can have'
}

function sentence(issue: z.core.$ZodIssue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const not = found === undefined ? '' : `, not ${nounOf(found)}`
      return `This must be ${articled(issue.expected)}${not}.`
    }
    case 'invalid_value':
      return `This must be ${listed(issue.values)}.`
    case 'invalid_union':
      return `This must be ${wanted(issue)}.`
    case 'too_small':
      return issue.inclusive === false
        ? `This must be more than ${issue.minimum}.`
        : bound(issue.exact ? 'exactly' : 'at least', issue.minimum, issue.origin)
    case 'too_big':
      return issue.inclusive === false
        ? `This must be less than ${issue.maximum}.`
        : bound(issue.exact ? 'exactly' : 'at most', issue.maximum, issue.origin)
    default:
      return issue.message
  }
}

function bound(word: string, limit: number | bigint, origin: string): string {
  const verb = origin === 'string' || origin === 'array' || origin === 'set' ? 'have' : 'be'
  return `This must ${verb} ${word} ${amount(limit, origin)}.`
}

const SIZE_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'Length'],
  ['array', 'Items'],
  ['set', 'Items'],
])

function keywordOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return 'type'
    case 'invalid_value':
      return issue.values.length === 1 ? 'const' : 'enum'
    case 'invalid_format':
      return issue.format === 'regex' ? 'pattern' : 'format'
    case 'too_small':
      return sizeKeyword('min', 'Minimum', issue)
    case 'too_big':
      return sizeKeyword('max', 'Maximum', issue)
    case 'not_multiple_of':
      return 'multipleOf'
    case 'invalid_union':
      return 'options' in issue ? 'enum' : 'anyOf'
    case 'custom':
      return typeof issue.params?.keyword === 'string' ? issue.params.keyword : 'custom'
    default:
      return issue.code
  }
}

function sizeKeyword(
  short: 'min' | 'max',
  long: 'Minimum' | 'Maximum',
  { origin, inclusive }: { origin: string; inclusive?: boolean | undefined },
): string {
  const size = SIZE_KEYWORDS.get(origin)
  if (size) return `${short}${size}`
  return inclusive === false ? `exclusive${long}` : long.toLowerCase()
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}
