// The roles of a person, as the identity provider states them: confirmed again when the last confirmation is older than
// `recheckMs`, by one instance at a time. While the provider is unreachable, a session keeps its roles until the
// confirmation is twice as old, and has no access after that until the provider responds.

import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Transact } from '../../lib/transaction.ts'
import { tryJsonObject } from '../../lib/try-json.ts'
import type { Role } from '../api/role-names.ts'
import { Refused } from '../refusal.ts'
import { mainRoles } from '../sessions.ts'
import type {
  AuditStore,
  PersonSession,
  SessionRecord,
  SessionStore,
  SignInStore,
} from '../store.ts'
import type { Failure, Provider, Tokens } from './provider.ts'

export interface RecheckPorts {
  transact: Transact
  sessions: Pick<SessionStore, 'get' | 'claimCheck' | 'checked' | 'end'>
  signIns: Pick<SignInStore, 'identityOf'>
  audit: Pick<AuditStore, 'add'>
  names: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  provider: Pick<Provider, 'rolesNow'>
  /** The configured issuer: people of a former one are no longer trusted. */
  issuer: string
  box: SecretBox
  clock: Clock
  recheckMs: number
}

type Session = SessionRecord & { person: PersonSession }

/** Longer than any request to the provider. */
const CLAIM_MS = 30_000
/** After a failure, how long the provider is left alone. */
const PAUSE_MS = 5_000

export type RolesOfPerson = (session: Session) => Promise<readonly Role[] | undefined>

export function createRecheck(ports: RecheckPorts): RolesOfPerson {
  /** A page sends several requests at once: they share one check. */
  const running = new Map<string, Promise<readonly Role[] | undefined>>()
  return async (session) => {
    const { person, session_hash: hash } = session
    if (ports.clock.now() - person.checked_at < ports.recheckMs) return person.roles
    const found = running.get(hash) ?? check(ports, session).finally(() => running.delete(hash))
    running.set(hash, found)
    return found
  }
}

async function check(ports: RecheckPorts, session: Session): Promise<readonly Role[] | undefined> {
  const { transact, sessions, clock } = ports
  const { session_hash, person } = session
  const now = clock.now()
  const isLate = now - person.checked_at >= 2 * ports.recheckMs
  const claim = { checked_at: person.checked_at, now, until: now + CLAIM_MS }
  const isOurs = await transact((tx) => sessions.claimCheck(tx, session_hash, claim))
  if (!isOurs) {
    const current = await sessions.get(session_hash)
    if (current === undefined) return undefined
    const isNewer = (current.person?.checked_at ?? 0) > person.checked_at
    if (isNewer || !isLate) return current.person?.roles
    throw waiting()
  }
  const confirmed = await confirm(ports, session)
  if (confirmed.ok && confirmed.roles.length > 0) {
    const tokens = sealTokens(ports.box, session_hash, confirmed.tokens)
    const { roles } = confirmed
    await transact((tx) => sessions.checked(tx, session_hash, { roles, tokens, checked_at: now }))
    return roles
  }
  if (!confirmed.ok && confirmed.why === 'unreachable') {
    const pause = { ...claim, now: claim.until, until: now + PAUSE_MS }
    await transact((tx) => sessions.claimCheck(tx, session_hash, pause))
    if (isLate) throw waiting()
    return person.roles
  }
  const why = confirmed.ok ? 'no group of the person has a role any more' : confirmed.detail
  await end(ports, session, why)
  return undefined
}

async function confirm(
  { signIns, provider, issuer, box }: RecheckPorts,
  { principal_id, session_hash, person }: Session,
): Promise<{ ok: true; roles: readonly Role[]; tokens: Tokens } | Failure> {
  const identity = await signIns.identityOf(principal_id)
  const tokens = openTokens(box, session_hash, person.tokens)
  if (identity === undefined || identity.issuer !== issuer || tokens === undefined) {
    return { ok: false, why: 'denied', detail: 'the sign-in is not of the configured issuer' }
  }
  return provider.rolesNow(identity.subject, tokens)
}

async function end(ports: RecheckPorts, session: Session, why: string): Promise<void> {
  const { principal_id, session_hash, session_id, person } = session
  const principal_name = (await ports.names([principal_id])).get(principal_id) ?? principal_id
  await ports.transact(async (tx) => {
    if (!(await ports.sessions.end(tx, session_hash))) return
    const detail = `${mainRoles(person.roles)}: ${why}`
    const entry = { principal_id, principal_name, action: 'session.ended', target: session_id }
    await ports.audit.add(tx, { ...entry, outcome: 'done', detail })
  })
}

function waiting(): Refused {
  const refused = new Refused(
    503,
    'provider_unreachable',
    'the identity provider has not confirmed your access: it is asked again in a moment',
  )
  refused.refusal.retryAfterSeconds = PAUSE_MS / 1_000
  return refused
}

/** Bound to the session: sealed tokens that were moved to another row cannot be used. */
export function sealTokens(box: SecretBox, sessionHash: string, tokens: Tokens): string {
  return box.seal(JSON.stringify(tokens), contextOf(sessionHash))
}

function openTokens(box: SecretBox, sessionHash: string, sealed: string): Tokens | undefined {
  const opened = box.open(sealed, contextOf(sessionHash))
  return opened.ok ? (tryJsonObject(opened.text) as Tokens | undefined) : undefined
}

function contextOf(sessionHash: string): string {
  return `console session ${sessionHash}`
}
