// Errors in the format of all 3.x releases (spec 7.2, 9): `field` is a path such as packages[0].budget. Callers that
// name no version get the pointers of the specification.

import type { TaskError } from '../errors.ts'
import type { Members } from './release.ts'

export function withPath(error: TaskError): TaskError {
  const { field } = error
  return field === undefined ? error : { ...error, field: pathOf(field) }
}

/** The same for the violations of a manifest. */
export function withPaths(row: Members): Members {
  const { violations } = row
  if (!Array.isArray(violations)) return row
  return { ...row, violations: violations.map((one) => ({ ...one, field: pathOf(one.field) })) }
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
