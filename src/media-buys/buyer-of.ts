// Whose a media buy is: the tasks need a key, so there is somebody.

import { ProtocolError } from '../protocol/errors.ts'
import type { CallContext } from '../protocol/task.ts'

export function buyerOf({ principal }: Pick<CallContext, 'principal'>): string {
  if (principal) return principal.principal_id
  throw new ProtocolError('AUTH_MISSING', 'media buys require a key: send Authorization: Bearer …')
}
