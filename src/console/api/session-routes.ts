// The routes of sessions: who is signed in.

import { noBody } from './common.ts'
import type { ConsoleRoute } from './route.ts'
import { sessionParams, sessionsPage, sessionsQuery } from './sessions.ts'

export const SESSION_ROUTES = {
  listSessions: {
    method: 'GET',
    path: '/console/api/sessions',
    role: 'admin',
    query: sessionsQuery,
    response: sessionsPage,
  },
  endSession: {
    method: 'POST',
    path: '/console/api/sessions/:session_id/end',
    role: 'admin',
    params: sessionParams,
    body: noBody,
    response: sessionsPage,
  },
} as const satisfies Readonly<Record<string, ConsoleRoute>>
