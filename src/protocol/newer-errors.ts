// Errors in the words of 3.x (spec 7.2, 9): `field` is a path such as packages[0].budget, and a signal that is not there
// has the code of all references. What is said to callers of the unversioned generation stays the specification's.

import type { TaskError } from './errors.ts'

export function inNewerWords(error: TaskError): TaskError {
  const { code, field } = error
  return {
    ...error,
    ...(code === 'SIGNAL_AGENT_SEGMENT_NOT_FOUND' && { code: 'REFERENCE_NOT_FOUND' as const }),
    ...(field !== undefined && { field: pathOf(field) }),
  }
}

/**
 * The same of what is wrong with an answer that is none the less one: its own errors, those of the rows of its lists, and
 * the violations of a manifest. An `error` beside them tells its recovery too, since in 3.x every error does.
 */
export function partsInNewerWords<Response extends object>(response: Response): Response {
  const changed = Object.entries(response).flatMap(([member, value]) =>
    Array.isArray(value) && !LISTS.includes(member) && value.some(isFaulty)
      ? [[member, value.map(rowInNewerWords)]]
      : [],
  )
  return { ...(rowInNewerWords(response) as Response), ...Object.fromEntries(changed) }
}

const LISTS = ['errors', 'violations']

interface Faulty {
  errors?: TaskError[]
  violations?: { field: string }[]
  error?: unknown
}

function isFaulty(row: unknown): row is Faulty {
  return LISTS.some((list) => Array.isArray((row as Record<string, unknown> | null)?.[list]))
}

function rowInNewerWords(row: unknown): unknown {
  if (!isFaulty(row)) return row
  const errors = row.errors?.map(inNewerWords)
  const violations = row.violations?.map((one) => ({ ...one, field: pathOf(one.field) }))
  const error = errorOf(row.error, errors?.[0]?.recovery)
  return { ...row, ...(errors && { errors }), ...(violations && { violations }), ...error }
}

function errorOf(error: unknown, recovery: string | undefined): { error?: object } {
  if (typeof error !== 'object' || error === null || recovery === undefined) return {}
  return { error: { ...error, recovery } }
}

/** In 3.0 a key that was used before is told of with nothing that could be of the earlier request. */
export function inFirstWords(error: TaskError): TaskError {
  const { code, message } = error
  return code === 'IDEMPOTENCY_CONFLICT' ? ({ code, message } as TaskError) : error
}

/** A pointer (RFC 6901) as a path: numbers in brackets, names after dots. @internal */
export function pathOf(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer
  let path = ''
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^(?:0|[1-9][0-9]{0,9})$/.test(name) && path !== '') path += `[${name}]`
    else path += path === '' ? name : `.${name}`
  }
  return path
}
