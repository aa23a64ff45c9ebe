// Who is signed in to the console, since when, and from where.

import { z } from 'zod'
import { ownId, pageOf, pageQuery, time } from './common.ts'
import { ROLES } from './role-names.ts'

const sessionItem = z.strictObject({
  session_id: z.string(),
  principal_id: z.string(),
  principal_name: z.string(),
  /** How it was opened: with a key of this server, or at the identity provider. */
  how: z.enum(['key', 'provider']),
  key_id: z.string().optional(),
  /** Of a person. The roles of a key are those of its principal. */
  roles: z.array(z.enum(ROLES)).optional(),
  address: z.string().optional(),
  created_at: time,
  seen_at: time,
  expires_at: time,
  /** Whether it is the one that asks. */
  is_own: z.boolean(),
})
export type SessionItem = z.infer<typeof sessionItem>

export const sessionsQuery = z.strictObject(pageQuery)
export type SessionsQuery = z.infer<typeof sessionsQuery>

export const sessionsPage = pageOf(sessionItem)
export type SessionsPage = z.infer<typeof sessionsPage>

export const sessionParams = z.strictObject({ session_id: ownId })
