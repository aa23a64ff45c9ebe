// One operation of the console's API. The file of each view defines its own, and `routes.ts` combines them.

import type { z } from 'zod'
import type { Role } from './role-names.ts'

export interface ConsoleRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: `/console/api/${string}`
  /** The required role: `anyone` needs no session, `link` is for clients that opened a buyer's link. */
  role: Role | 'anyone' | 'link'
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
}
