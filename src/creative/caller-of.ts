// On whose behalf the worker pool works: principals are served in turn, and callers without a key are distinguished by
// address.

import type { CallContext } from '../protocol/task.ts'

export function callerOf({
  principal,
  account = 'nobody',
}: Pick<CallContext, 'principal' | 'account'>): string {
  return principal ? ownerOf(principal.principal_id) : account
}

/** The same for work that continues after its call. */
export function ownerOf(principalId: string): string {
  return `principal ${principalId}`
}
