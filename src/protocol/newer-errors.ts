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
