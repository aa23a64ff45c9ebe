// Sessions of the console: opened with a key, identified by a cookie of 256 random bits that is stored hashed. The
// user and their permissions are looked up again on every request, so that revoking a key ends its sessions
// immediately.

import { createHmac, randomBytes } from 'node:crypto'
import { authenticatePrincipal, type Principal, type PrincipalStore } from '../agent/principals.ts'
import { hashApiKey } from '../lib/api-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { Transact } from '../lib/transaction.ts'
import type { Role } from './api/session.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { AuditStore, SessionStore } from './store.ts'

export interface SessionPorts {
  transact: Transact
  sessions: SessionStore
  audit: Pick<AuditStore, 'add'>
  /** Principals that may sign in here: without the demo's principals if there is no demo. */
  principals: Pick<PrincipalStore, 'byKeyHash'>
  /** The current or former owner of the key, for the audit log. */
  keyOwner: (keyHash: string) => Promise<KeyOwner | undefined>
  clock: Clock
  /** The key of the demo; undefined if there is none. */
  demoKey: () => string | undefined
}

export interface KeyOwner {
  principal_id: string
  name: string
  key_id: string
}

/** A request's session. */
export interface Visitor {
  sessionHash: string
  /** Of the key that opened the session. */
  keyHash: string
  principal: Principal
  role: Role
  /** To be sent with every request that changes something. */
  csrf: string
  expiresAt: number
}

export type SignIn =
  /** `cookie` is returned only here. */
  | { ok: true; cookie: string; visitor: Visitor }
  /** `by`: the current or former owner of the key; undefined for a key that was never created here. */
  | { ok: false; why: 'key' | 'scope' | 'demo'; by?: KeyOwner | undefined }

export interface Sessions {
  signIn(wanted: { key: string } | { demo: true }, address: string): Promise<SignIn>
  /**
   * The visitor whose session the cookie belongs to; undefined when it is no longer valid. `isUse`: whether this
   * counts as use of the session; default true.
   */
  visitorOf(cookie: string, options?: { isUse?: boolean }): Promise<Visitor | undefined>
  signOut(visitor: Visitor): Promise<void>
}

const SESSION_MS = CONSOLE_LIMITS.sessionSeconds.value * 1_000
const IDLE_MS = CONSOLE_LIMITS.idleSeconds.value * 1_000
/** Requests in quick succession cause a single write. */
const TOUCH_MS = 60_000
const COOKIE = /^[A-Za-z0-9_-]{43}$/

export function createSessions(ports: SessionPorts): Sessions {
  const { transact, sessions, audit, principals, keyOwner, clock, demoKey } = ports
  return {
    signIn: async (wanted, address) => {
      const key = 'demo' in wanted ? demoKey() : wanted.key
      if (key === undefined) return { ok: false, why: 'demo' }
      const principal = await authenticatePrincipal(principals, key)
      const keyHash = hashApiKey(key)
      const by = await keyOwner(keyHash)
      if (!principal) return { ok: false, why: 'key', by }
      const role = roleOf(principal)
      if (!role) return { ok: false, why: 'scope', by }
      const { principal_id, name: principal_name } = principal
      // Always a new one: a cookie planted by an attacker is useless.
      const cookie = randomBytes(32).toString('base64url')
      const sessionHash = hashApiKey(cookie)
      const expiresAt = await transact(async (tx) => {
        const now = await tx.now()
        const times = { created_at: now, seen_at: now, expires_at: now + SESSION_MS }
        const session = { session_hash: sessionHash, key_hash: keyHash, principal_id }
        await sessions.add(tx, { ...session, ...times }, CONSOLE_LIMITS.sessionsOfOne.value)
        const entry = { principal_id, principal_name, action: 'session.sign_in' }
        const from = { address, key_id: by?.key_id }
        await audit.add(tx, { ...entry, ...from, target: undefined, outcome: 'done', detail: role })
        return times.expires_at
      })
      const visitor = { sessionHash, keyHash, principal, role, csrf: csrfOf(cookie), expiresAt }
      return { ok: true, cookie, visitor }
    },
    visitorOf: async (cookie, { isUse = true } = {}) => {
      if (!COOKIE.test(cookie)) return undefined
      const sessionHash = hashApiKey(cookie)
      const session = await sessions.get(sessionHash)
      const now = clock.now()
      if (!session || session.expires_at <= now || session.seen_at + IDLE_MS <= now) {
        return undefined
      }
      const principal = await principals.byKeyHash(session.key_hash)
      const role = principal && roleOf(principal)
      if (!principal || !role) return undefined
      if (isUse && session.seen_at + TOUCH_MS <= now) {
        await transact((tx) => sessions.touch(tx, sessionHash, now))
      }
      const { expires_at: expiresAt, key_hash: keyHash } = session
      return { sessionHash, keyHash, principal, role, csrf: csrfOf(cookie), expiresAt }
    },
    signOut: async ({ sessionHash, principal: { principal_id, name: principal_name } }) => {
      await transact(async (tx) => {
        if (!(await sessions.end(tx, sessionHash))) return
        const entry = { principal_id, principal_name, action: 'session.sign_out' }
        await audit.add(tx, { ...entry, target: undefined, outcome: 'done', detail: undefined })
      })
    },
  }
}

/** The role that a principal's scopes allow here; undefined: none. */
function roleOf({ scopes }: Pick<Principal, 'scopes'>): Role | undefined {
  if (scopes.includes('operator')) return 'operator'
  return scopes.includes('viewer') ? 'viewer' : undefined
}

/**
 * Known to clients that read a response of this session, but not to a page that can only make the browser send its
 * cookie.
 */
function csrfOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}
