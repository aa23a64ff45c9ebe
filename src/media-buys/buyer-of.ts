// The owner of a media buy: the tasks require a key, so there always is one.

import { ProtocolError } from '../protocol/errors.ts'
import type { CallContext } from '../protocol/task.ts'

export function buyerOf({ principal }: Pick<CallContext, 'principal'>): string {
  if (principal) return principal.principal_id
  throw new ProtocolError('AUTH_MISSING', 'media buys require a key: send Authorization: Bearer …')
}
