// On whose behalf the workshop works: principals are served in turn, and whoever has no key as one.

import type { CallContext } from '../protocol/task.ts'

export function callerOf(
  principal: Pick<NonNullable<CallContext['principal']>, 'principal_id'> | undefined,
): string {
  return principal ? `principal ${principal.principal_id}` : 'nobody'
}

/** The same for work that goes on after its call. */
export function ownerOf(principalId: string): string {
  return callerOf({ principal_id: principalId })
}
