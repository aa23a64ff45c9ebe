// Signing in and out of the console.

import { z } from 'zod'
import { time } from './common.ts'
import { ROLES } from './role-names.ts'

export const signInBody = z.union([
  z.strictObject({ key: z.string().min(1).max(512) }),
  z.strictObject({ demo: z.literal(true) }),
])
export type SignInBody = z.infer<typeof signInBody>

export const session = z.strictObject({
  principal: z.strictObject({ principal_id: z.string(), name: z.string() }),
  /** Every role that the session has; all include `viewer`. */
  roles: z.array(z.enum(ROLES)),
  /** To be sent as `x-adwire-csrf` with every request except GET. */
  csrf: z.string(),
  /** Whether this server runs the demo. */
  demo: z.boolean(),
  expires_at: time,
})
export type Session = z.infer<typeof session>
