// The `WWW-Authenticate` header of the response to a rejected caller (spec 5): what was wrong with its signature, or
// that a key is required.

import type { Failed } from '../agent/answer.ts'
import { isObject } from '../protocol/schemas/checks.ts'

export function challengeOf({ body }: Pick<Failed, 'body'>, bearer = 'Bearer'): string {
  const [first] = Array.isArray(body.errors) ? (body.errors as unknown[]) : []
  const details = isObject(first) && isObject(first.details) ? first.details : {}
  const { signature_error: code } = details
  return typeof code === 'string' ? `Signature error="${code}"` : bearer
}
