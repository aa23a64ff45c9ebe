// Who is signed in, and ending a session of somebody else: it loses access with its next request, on every instance.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { SessionItem, SessionsPage, SessionsQuery } from './api/sessions.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { badCursor, notFound } from './refusal.ts'
import type { Visitor } from './sessions.ts'
import type { ListedSession, SessionStore } from './store.ts'

export interface SessionViewPorts extends ActionPorts {
  sessions: Pick<SessionStore, 'list' | 'endById'>
  clock: Clock
}

export function sessionHandlers(ports: SessionViewPorts): Handlers<'listSessions' | 'endSession'> {
  return {
    listSessions: ({ visitor, query }) => listSessions(ports, visitor, query),
    endSession: async ({ visitor, params: { session_id: target } }) => {
      await act(
        ports,
        { visitor, action: 'sessions.end', target, detail: (of: string) => of },
        async (tx) => {
          const principalId = await ports.sessions.endById(tx, target)
          if (principalId === undefined) throw notFound(`session ${target}`)
          return principalId
        },
      )
      return listSessions(ports, visitor, { limit: FIRST_PAGE })
    },
  }
}

const FIRST_PAGE = 50
const LIST = 'console.sessions'

async function listSessions(
  { sessions, clock }: SessionViewPorts,
  visitor: Visitor,
  { limit, cursor }: SessionsQuery,
): Promise<SessionsPage> {
  const place = cursor === undefined ? undefined : readCursor(LIST, cursor, ['integer', 'text'])
  if (cursor !== undefined && !place) throw badCursor()
  const after = place && { created_at: place[0], session_id: place[1] }
  const now = clock.now()
  const unseenSince = now - CONSOLE_LIMITS.idleSeconds.value * 1_000
  const found = await sessions.list({ now, unseenSince, limit: limit + 1, after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const isMore = found.length > limit && last !== undefined
  return {
    items: rows.map((row) => itemOf(row, visitor)),
    ...defined({
      next_cursor: isMore ? cursorOf(LIST, [last.created_at, last.session_id]) : undefined,
    }),
  }
}

function itemOf({ key_id, roles, address, ...row }: ListedSession, visitor: Visitor): SessionItem {
  return {
    ...row,
    how: roles === undefined ? 'key' : 'provider',
    created_at: iso(row.created_at),
    seen_at: iso(row.seen_at),
    expires_at: iso(row.expires_at),
    is_own: row.session_id === visitor.sessionId,
    ...defined({ key_id, address, roles: roles && [...roles] }),
  }
}
