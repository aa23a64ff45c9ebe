// Sessions of the console: opened with a key or at an identity provider, identified by a cookie of 256 random bits that is
// stored hashed. Everything is in the database that the instances share. The user and their permissions are looked up
// again on every request, so that revoking a key or a principal ends its sessions immediately; the groups of a person
// are requested again from the provider after a while (`recheck.ts`).

import { createHmac, randomBytes } from 'node:crypto'
import { authenticatePrincipal, type Principal, type PrincipalStore } from '../agent/principals.ts'
import { hashApiKey } from '../lib/api-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import type { Role } from './api/role-names.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { rolesOfScopes } from './roles.ts'
import type { AuditStore, PersonSession, SessionRecord, SessionStore } from './store.ts'

export interface SessionPorts {
  transact: Transact
  sessions: SessionStore
  audit: Pick<AuditStore, 'add'>
  /** Principals that may sign in here: without the demo's principals if there is no demo. */
  principals: Pick<PrincipalStore, 'byKeyHash' | 'get'>
  /** The current or former owner of the key, for the audit log. */
  keyOwner: (keyHash: string) => Promise<KeyOwner | undefined>
  clock: Clock
  /** The key of the demo; undefined if there is none. */
  demoKey: () => string | undefined
  /** Which keys may sign in: all, or only those of principals with the scope `break-glass`. Default all. */
  keys?: 'all' | 'break-glass'
  /** The roles that a person has now; undefined when the session has ended. Default: nobody signs in without a key. */
  rolesOfPerson?: (
    session: SessionRecord & { person: PersonSession },
  ) => Promise<readonly Role[] | undefined>
}

export interface KeyOwner {
  principal_id: string
  name: string
  key_id: string
}

/** A request's session. */
export interface Visitor {
  sessionHash: string
  sessionId: string
  /** Of the key that opened the session; empty for a person. */
  keyHash: string
  /** Whether a person signed in at the identity provider. */
  isPerson: boolean
  principal: Principal
  /** All of them; every session has `viewer`. */
  roles: readonly Role[]
  /** To be sent with every request that changes something. */
  csrf: string
  expiresAt: number
}

export interface SignedIn {
  ok: true
  /** Returned only here. */
  cookie: string
  visitor: Visitor
}

export type SignIn =
  | SignedIn
  /** `by`: the current or former owner of the key; undefined for a key that was never created here. */
  | {
      ok: false
      why: 'key' | 'scope' | 'demo' | 'emergency'
      by?: KeyOwner | undefined
    }

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
  const { transact, sessions, audit, clock } = ports
  return {
    signIn: (wanted, address) => signInWithKey(ports, wanted, address),
    visitorOf: async (cookie, { isUse = true } = {}) => {
      if (!COOKIE.test(cookie)) return undefined
      const sessionHash = hashApiKey(cookie)
      const session = await sessions.get(sessionHash)
      const now = clock.now()
      if (!session || session.expires_at <= now || session.seen_at + IDLE_MS <= now) {
        return undefined
      }
      const found = await holderOf(ports, session)
      if (!found || found.roles.length === 0) return undefined
      if (isUse && session.seen_at + TOUCH_MS <= now) {
        await transact((tx) => sessions.touch(tx, sessionHash, now))
      }
      return visitorOf(session, { ...found, cookie })
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

async function signInWithKey(
  ports: SessionPorts,
  wanted: { key: string } | { demo: true },
  address: string,
): Promise<SignIn> {
  const { transact, principals, keyOwner, demoKey, keys = 'all' } = ports
  const key = 'demo' in wanted ? demoKey() : wanted.key
  if (key === undefined) return { ok: false, why: 'demo' }
  const principal = await authenticatePrincipal(principals, key)
  const keyHash = hashApiKey(key)
  const by = await keyOwner(keyHash)
  if (!principal) return { ok: false, why: 'key', by }
  const roles = rolesOfScopes(principal.scopes)
  if (roles.length === 0) return { ok: false, why: 'scope', by }
  const isEmergency = principal.scopes.includes('break-glass')
  if (keys === 'break-glass' && !isEmergency) return { ok: false, why: 'emergency', by }
  const signedIn = await transact((tx) =>
    openSession(ports, tx, {
      holder: { principal, roles },
      address,
      keyHash,
      action: isEmergency ? 'session.break_glass' : 'session.sign_in',
      detail: mainRoles(roles),
      key_id: by?.key_id,
    }),
  )
  return signedIn
}

/** Who has a session, and what they may do in it. */
interface Holder {
  principal: Principal
  roles: readonly Role[]
}

interface NewSession {
  holder: Holder
  address: string
  /** Empty for a person. */
  keyHash: string
  /** Of a person: what is stored with the session of this hash. */
  personOf?: (sessionHash: string, now: number) => PersonSession
  action: 'session.sign_in' | 'session.break_glass'
  detail: string
  key_id?: string | undefined
}

/** Opens a session and records it, for whoever was authenticated before. */
export async function openSession(
  { sessions, audit }: Pick<SessionPorts, 'sessions' | 'audit'>,
  tx: Transaction,
  { holder, address, keyHash, personOf, action, detail, key_id }: NewSession,
): Promise<SignedIn> {
  const { principal_id, name: principal_name } = holder.principal
  // Always a new one: a cookie planted by an attacker is useless.
  const cookie = randomBytes(32).toString('base64url')
  const now = await tx.now()
  const sessionHash = hashApiKey(cookie)
  const session = {
    session_hash: sessionHash,
    session_id: `ses_${randomBytes(12).toString('hex')}`,
    key_hash: keyHash,
    principal_id,
    address,
    created_at: now,
    seen_at: now,
    expires_at: now + SESSION_MS,
    person: personOf?.(sessionHash, now),
  }
  await sessions.add(tx, session, CONSOLE_LIMITS.sessionsOfOne.value)
  const entry = { principal_id, principal_name, action, address, key_id }
  await audit.add(tx, { ...entry, target: undefined, outcome: 'done', detail })
  return { ok: true, cookie, visitor: visitorOf(session, { ...holder, cookie }) }
}

async function holderOf(
  { principals, rolesOfPerson }: SessionPorts,
  session: SessionRecord,
): Promise<Holder | undefined> {
  const { person } = session
  if (person === undefined) {
    const principal = await principals.byKeyHash(session.key_hash)
    return principal && { principal, roles: rolesOfScopes(principal.scopes) }
  }
  const principal = await principals.get(session.principal_id)
  if (!principal || principal.revoked_at !== null) return undefined
  const roles = await rolesOfPerson?.({ ...session, person })
  return roles && { principal, roles }
}

function visitorOf(
  { session_hash, session_id, key_hash, expires_at, person }: SessionRecord,
  { principal, roles, cookie }: Holder & { cookie: string },
): Visitor {
  return {
    sessionHash: session_hash,
    sessionId: session_id,
    keyHash: key_hash,
    isPerson: person !== undefined,
    principal,
    roles,
    csrf: csrfOf(cookie),
    expiresAt: expires_at,
  }
}

/** `operator, approver`, or `admin`: without those that they include. */
export function mainRoles(roles: readonly Role[]): string {
  if (roles.includes('admin')) return 'admin'
  const acting = roles.filter((role) => role !== 'viewer')
  return acting.length > 0 ? acting.join(', ') : 'viewer'
}

/**
 * Known to clients that read a response of this session, but not to a page that can only make the browser send its
 * cookie.
 */
function csrfOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}
