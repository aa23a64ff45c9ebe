// The signed-in user. Undefined until the server has answered; null if nobody is signed in.

import { signal } from '@preact/signals'
import type { Role } from '../../src/console/api/role-names.ts'
import type { Session } from '../../src/console/api/session.ts'

export const session = signal<Session | null | undefined>(undefined)
/** Why the sign-in page is displayed, if it is not the first page a person sees. */
export const endedBecause = signal<'ended' | 'signed-out' | undefined>(undefined)

/** Whether one click opens the demo. */
export const hasDemo = signal(false)

/** Whether people sign in at an identity provider. */
export const hasProvider = signal(false)

/** May this person do what requires the role? A viewer sees no actions at all. */
export function mayAct(role: Role = 'operator'): boolean {
  return session.value?.roles.includes(role) === true
}

/** Without those that the others include. */
export function mainRoles(): string {
  const roles = session.value?.roles ?? []
  if (roles.includes('admin')) return 'admin'
  const acting = roles.filter((role) => role !== 'viewer')
  return acting.length > 0 ? acting.join(', ') : 'viewer'
}

export function sessionEnded(): void {
  endedBecause.value = 'ended'
  session.value = null
}
