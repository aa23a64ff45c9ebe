// The signed-in user. Undefined until the server has answered; null if nobody is signed in.

import { signal } from '@preact/signals'
import type { Session } from '../../src/console/api/session.ts'

export const session = signal<Session | null | undefined>(undefined)
/** Why the sign-in page is displayed, if it is not the first page a person sees. */
export const endedBecause = signal<'ended' | 'signed-out' | undefined>(undefined)

/** Whether one click opens the demo. */
export const hasDemo = signal(false)

/** May this person change anything? A viewer sees no actions at all. */
export function mayAct(): boolean {
  return session.value?.role === 'operator'
}

export function sessionEnded(): void {
  endedBecause.value = 'ended'
  session.value = null
}
