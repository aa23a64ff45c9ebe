// How the registry says no: a value that every HTTP route turns into an answer in the same way
// (spec 7.4). What is thrown instead is a fault of ours or of the database.

import { defined } from '../lib/defined.ts'

export interface Refusal {
  ok: false
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 502 | 503 | 504
  /** What was wrong and what would be right, or a word that clients compare. Holds no secret. */
  error: string
  /** Further members of the answer's body. */
  details?: Record<string, unknown>
}

export function refuse(
  status: Refusal['status'],
  error: string,
  details?: Record<string, unknown>,
): Refusal {
  return { ok: false, status, error, ...defined({ details }) }
}
