// How much detail an error response has: enough to fix the request, and never so much that a refusal costs more than
// the work would have. Names and texts in it come from the caller and may be megabytes.

import { defined } from '../lib/defined.ts'
import { defineLimits } from '../lib/limit.ts'
import type { Issue, TaskError } from './errors.ts'

export const FAULT_LIMITS = defineLimits({
  errors: {
    what: 'errors of one answer, and issues of one error',
    value: 100,
    unit: '',
    beyond: 'the last one has the number of the rest',
  },
  errorText: {
    what: 'characters of one text in an error; of a pointer a quarter',
    value: 2_000,
    unit: '',
    beyond: 'the text is cut, and ends with …',
  },
  misspelt: {
    what: 'notes on one request: members that nothing reads, contradictions, unknown ids and countries',
    value: 10,
    unit: '',
    beyond: 'the others are not reported',
  },
  walked: {
    what: 'values of one request that are searched for contradictions and unknown countries',
    value: 5_000,
    unit: '',
    beyond: 'the others are read without a warning',
  },
  compared: {
    what: 'unknown members of one request that are compared with the known ones',
    value: 200,
    unit: '',
    beyond: 'the others are ignored, as unknown members are',
  },
})

const MAX_REPORTED = FAULT_LIMITS.errors.value
const MAX_TEXT_CHARS = FAULT_LIMITS.errorText.value
const MAX_POINTER_CHARS = MAX_TEXT_CHARS / 4

/** The reported issues, if `more` others exist. */
export function boundedIssues(issues: readonly Issue[], more = 0): Issue[] {
  return reported(issues.map(boundedIssue), more, (left) => ({
    pointer: '',
    message: `${left} more errors not shown.`,
    keyword: 'maxIssues',
  }))
}

export function boundedErrors(
  errors: readonly [TaskError, ...TaskError[]],
): readonly [TaskError, ...TaskError[]] {
  const [first] = errors
  return reported(
    errors.slice(0, MAX_REPORTED + 1).map(boundedError),
    errors.length - MAX_REPORTED - 1,
    (left) => ({
      code: first.code,
      message: `${left} more errors not shown.`,
      suggestion: 'Fix these errors and retry to see the rest.',
      recovery: first.recovery,
    }),
  ) as [TaskError, ...TaskError[]]
}

/** The issues as one sentence each, in one text. */
export function sentenceOf(issues: readonly Issue[]): string {
  let text = ''
  for (const { pointer, message } of issues) {
    text += `${text === '' ? '' : '; '}${pointer ? `${pointer}: ` : ''}${message}`
    if (text.length > MAX_TEXT_CHARS) break
  }
  return cut(text, MAX_TEXT_CHARS)
}

function reported<T>(all: readonly T[], more: number, summary: (left: number) => T): T[] {
  const count = all.length + Math.max(0, more)
  if (count <= MAX_REPORTED) return [...all]
  return [...all.slice(0, MAX_REPORTED - 1), summary(count - MAX_REPORTED + 1)]
}

function boundedIssue({ pointer, message, keyword }: Issue): Issue {
  return {
    pointer: cut(pointer, MAX_POINTER_CHARS),
    message: cut(message, MAX_TEXT_CHARS),
    keyword,
  }
}

function boundedError(error: TaskError): TaskError {
  const { message, field, suggestion, issues } = error
  return {
    ...error,
    message: cut(message, MAX_TEXT_CHARS),
    ...defined({
      field: field === undefined ? undefined : cut(field, MAX_POINTER_CHARS),
      suggestion: suggestion === undefined ? undefined : cut(suggestion, MAX_TEXT_CHARS),
      issues: issues === undefined ? undefined : boundedIssues(issues),
    }),
  }
}

/** Does not split a surrogate pair, which would leave half a character. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text
  const end = chars - 1
  const isPair = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return `${text.slice(0, isPair ? end - 1 : end)}…`
}
