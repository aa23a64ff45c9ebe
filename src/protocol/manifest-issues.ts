// Decides how an error in a manifest is reported to its publisher: a JSON pointer (RFC 6901) to the location and a
// sentence that says what would be valid there (spec 3.1).

import type { z } from 'zod'
import { amount, articled, nounOf } from './schemas/issue-words.ts'

export interface ManifestIssue {
  pointer: string
  message: string
}

/** Maximum number of errors reported for one document; a publisher fixes these first. */
export const MAX_MANIFEST_ISSUES = 20

/** The errors of a document, in its order, at most 20. */
export function manifestIssuesOf(error: z.ZodError, document: unknown): ManifestIssue[] {
  return error.issues.slice(0, MAX_MANIFEST_ISSUES).map((issue) => ({
    pointer: pointerTo(issue.path),
    message: sentence(issue, valueAt(document, issue.path)),
  }))
}

export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function sentence(issue: z.core.$ZodIssue, found: unknown): string {
  const isMissing = found === undefined
  switch (issue.code) {
    case 'invalid_type': {
      const expected = articled(issue.expected)
      return isMissing
        ? `This field is required: give ${expected}.`
        : `This must be ${expected}, not ${nounOf(found)}.`
    }
    case 'invalid_value': {
      const values = issue.values.map(String).join(', ')
      return isMissing
        ? `This field is required: give one of ${values}.`
        : `This must be one of ${values}.`
    }
    case 'too_small':
      return issue.inclusive === false
        ? `This must be more than ${issue.minimum}.`
        : `This must have at least ${amount(issue.minimum, issue.origin)}.`
    case 'too_big':
      return `This must have at most ${amount(issue.maximum, issue.origin)}.`
    default:
      return isMissing ? `This field is required. ${issue.message}` : issue.message
  }
}

function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  let value = document
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}
