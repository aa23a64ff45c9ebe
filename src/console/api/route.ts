// One operation of the console's API. A view's file of routes gives its own, and `routes.ts` puts them together.

import type { z } from 'zod'
import type { Role } from './session.ts'

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
