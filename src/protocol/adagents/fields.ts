// Reads members of untrusted objects and reports the errors. Invalid values become undefined.

import { normaliseDomain } from '../../lib/host-name.ts'
import { isStorable } from '../../lib/storable-text.ts'
import { type Faults, quoted } from './faults.ts'

export type FileMembers = Record<string, unknown>

/** The location of a value, and where to report its errors. */
export interface Place {
  pointer: string
  faults: Faults
}

export function membersOf(value: unknown, { pointer, faults }: Place): FileMembers | undefined {
  if (isMembers(value)) return value
  faults.error(pointer, `must be an object (got ${kindOf(value)})`)
  return undefined
}

/** Only what the object itself has. */
function memberOf(members: FileMembers, name: string): unknown {
  return Object.hasOwn(members, name) ? Reflect.get(members, name) : undefined
}

export function isMembers(value: unknown): value is FileMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function below({ pointer, faults }: Place, step: string | number): Place {
  return {
    pointer: `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    faults,
  }
}

/** A non-empty text; `''` is reported. */
export function textAt(
  members: FileMembers,
  name: string,
  { place, max = 255, isRequired = true }: { place: Place; max?: number; isRequired?: boolean },
): string | undefined {
  const value = memberOf(members, name)
  const { pointer, faults } = below(place, name)
  if (value === undefined || value === null) {
    if (isRequired) faults.error(pointer, `is required: give a text of 1 to ${max} characters`)
    return undefined
  }
  if (typeof value !== 'string') {
    faults.error(pointer, `must be a text (got ${kindOf(value)})`)
    return undefined
  }
  const text = value.trim()
  if (text === '' || text.length > max || !isStorable(text)) {
    faults.error(pointer, `must be 1 to ${max} printable characters (got ${quoted(value)})`)
    return undefined
  }
  return text
}

/** The elements of a list; empty if it is missing or not a list. */
export function listAt(members: FileMembers, name: string, place: Place): unknown[] {
  const value = memberOf(members, name)
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  below(place, name).faults.error(
    below(place, name).pointer,
    `must be a list (got ${kindOf(value)})`,
  )
  return []
}

/** A list of texts; undefined if it is missing, empty, or contains anything else. */
export function textsAt(
  members: FileMembers,
  name: string,
  { place, isRequired = false, pattern }: { place: Place; isRequired?: boolean; pattern?: RegExp },
): string[] | undefined {
  const value = memberOf(members, name)
  const { pointer, faults } = below(place, name)
  if (value === undefined || value === null) {
    if (isRequired) faults.error(pointer, 'is required: give a list of at least one text')
    return undefined
  }
  if (!Array.isArray(value) || value.length === 0) {
    faults.error(pointer, 'must be a list of at least one text')
    return undefined
  }
  const texts: string[] = []
  for (const [index, text] of value.entries()) {
    const isGood = typeof text === 'string' && text !== '' && text.length <= 255 && isStorable(text)
    if (isGood && (pattern === undefined || pattern.test(text))) texts.push(text)
    else {
      faults.error(`${pointer}/${index}`, `must be a text that fits here (got ${quoted(text)})`)
      return undefined
    }
  }
  return [...new Set(texts)]
}

/** A domain in its canonical spelling. Another spelling is reported but accepted. */
export function domainOf(value: unknown, { pointer, faults }: Place): string | undefined {
  if (typeof value !== 'string' || value.includes('/')) {
    faults.error(pointer, `must be a domain alone, such as example.com (got ${quoted(value)})`)
    return undefined
  }
  const named = normaliseDomain(value)
  if (!named.ok) {
    faults.error(pointer, `must be a domain alone, such as example.com (got ${quoted(value)})`)
    return undefined
  }
  if (named.domain !== value) {
    faults.warn(pointer, `is read as ${named.domain}: write it like this (got ${quoted(value)})`)
  }
  return named.domain
}

/** Milliseconds; null if it is missing, undefined if it is not a valid time. */
export function timeAt(
  members: FileMembers,
  name: string,
  place: Place,
): number | null | undefined {
  const value = memberOf(members, name)
  if (value === undefined || value === null) return null
  const time = typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isSafeInteger(time)) return time
  const { pointer, faults } = below(place, name)
  faults.error(
    pointer,
    `must be an ISO 8601 time such as 2026-01-31T12:00:00Z (got ${quoted(value)})`,
  )
  return undefined
}

const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
