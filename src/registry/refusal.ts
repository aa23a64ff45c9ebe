// How the registry refuses a request: a value that every HTTP route turns into a response in the same way (spec 7.4).
// Anything that is thrown instead is a bug or a database error.

import { defined } from '../lib/defined.ts'

export interface Refusal {
  ok: false
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 502 | 503 | 504
  /** What was wrong and what would be valid, or a code that clients compare. Contains no secret. */
  error: string
  /** Further members of the response body. */
  details?: Record<string, unknown>
}

export function refuse(
  status: Refusal['status'],
  error: string,
  details?: Record<string, unknown>,
): Refusal {
  return { ok: false, status, error, ...defined({ details }) }
}
