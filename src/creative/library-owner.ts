// Whose library a call is about.

import { ProtocolError } from '../protocol/errors.ts'
import type { CallContext } from '../protocol/task.ts'

export function libraryOwner(principal: CallContext['principal']): string {
  if (principal) return principal.principal_id
  throw new ProtocolError('AUTH_MISSING', 'creatives require a key: send Authorization: Bearer …')
}
