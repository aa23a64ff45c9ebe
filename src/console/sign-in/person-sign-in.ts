// Signing in at the identity provider: the browser is sent there with a state, a nonce and a code challenge, and comes back
// with a code, which is redeemed once. State and cookie must belong together, so that nobody can finish a sign-in that
// another browser began; the state is deleted with its first use, on whichever instance that is.

import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { PrincipalStore } from '../../agent/principals.ts'
import { hashApiKey } from '../../lib/api-key.ts'
import { defined } from '../../lib/defined.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { CONSOLE_LIMITS } from '../limits.ts'
import { mainRoles, openSession, type SignedIn } from '../sessions.ts'
import type { AuditStore, SessionStore, SignInStore } from '../store.ts'
import type { Failure, Person, Provider } from './provider.ts'
import { sealTokens } from './recheck.ts'
import { returnPathOf } from './return-path.ts'

export interface PersonSignInPorts {
  transact: Transact
  signIns: SignInStore
  sessions: SessionStore
  audit: Pick<AuditStore, 'add'>
  principals: Pick<PrincipalStore, 'addPerson' | 'lock' | 'rename'>
  provider: Provider
  issuer: string
  box: SecretBox
  /** Where the provider sends the browser back to. */
  redirectUri: () => string
}

/** Why nobody was signed in; the page of the console has a sentence for each. */
export type SignInFault = 'state' | 'provider' | 'refused' | 'token' | 'role' | 'revoked'

type FinishedSignIn =
  | (SignedIn & { returnTo: string })
  /** `who`: the name of the person, if the provider stated it. */
  | { ok: false; why: SignInFault; detail: string; returnTo: string; who?: string }

export interface PersonSignIn {
  /** `cookie` is for the browser that begins. */
  begin(requested: {
    returnTo: string | undefined
  }): Promise<{ ok: true; url: string; cookie: string } | Failure>
  finish(returned: ReturnedRequest): Promise<FinishedSignIn>
}

interface ReturnedRequest {
  /** The cookie of `begin`; undefined if the browser has none. */
  cookie: string | undefined
  /** The query of the redirect. */
  query: Readonly<Record<string, unknown>>
  address: string
}

const STATE = /^[A-Za-z0-9_-]{43}$/
const START = '/console/'
const MAX_CODE_CHARS = 4_096

export function createPersonSignIn(ports: PersonSignInPorts): PersonSignIn {
  const { transact, signIns, provider, redirectUri } = ports
  return {
    begin: async ({ returnTo }) => {
      const [state, cookie] = [randomText(), randomText()]
      const begun = await provider.authorizationUrl({
        redirectUri: redirectUri(),
        state,
        nonce: derived(cookie, 'nonce', state),
        challenge: createHash('sha256')
          .update(derived(cookie, 'verifier', state))
          .digest('base64url'),
      })
      if (!begun.ok) return begun
      await transact(async (tx) => {
        const expires_at = (await tx.now()) + CONSOLE_LIMITS.signInSeconds.value * 1_000
        const hashes = { state_hash: hashApiKey(state), browser_hash: hashApiKey(cookie) }
        await signIns.begin(tx, { ...hashes, return_to: returnPathOf(returnTo), expires_at })
      })
      return { ok: true, url: begun.url, cookie }
    },
    finish: (returned) => finish(ports, returned),
  }
}

async function finish(
  ports: PersonSignInPorts,
  { cookie, query, address }: ReturnedRequest,
): Promise<FinishedSignIn> {
  const { state, code, iss, error } = query
  const begun = await takeState(ports, state)
  const refuse = (why: SignInFault, detail: string, who?: string) =>
    ({ ok: false, why, detail, returnTo: begun?.return_to ?? START, ...defined({ who }) }) as const
  if (begun === undefined || cookie === undefined || begun.browser_hash !== hashApiKey(cookie)) {
    return refuse('state', 'the sign-in was not begun in this browser, has expired, or was used')
  }
  // RFC 9207: the response must not come from another provider.
  if (iss !== undefined && iss !== ports.issuer) {
    return refuse('token', 'the response comes from another issuer')
  }
  if (error !== undefined || typeof code !== 'string' || code.length > MAX_CODE_CHARS) {
    const word = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'no code'
    return refuse('refused', `the identity provider did not sign in: ${word}`)
  }
  const redeemed = await ports.provider.redeem({
    code,
    redirectUri: ports.redirectUri(),
    verifier: derived(cookie, 'verifier', String(state)),
    nonce: derived(cookie, 'nonce', String(state)),
  })
  if (!redeemed.ok) return refuse(FAULTS[redeemed.why], redeemed.detail)
  const { person } = redeemed
  const { name } = person
  if (person.roles.length === 0) return refuse('role', 'no group of this person has a role', name)
  const opened = await ports.transact((tx) => signInPerson(ports, tx, { person, address }))
  return opened
    ? { ...opened, returnTo: begun.return_to }
    : refuse('revoked', 'the principal of this person was revoked', name)
}

const FAULTS = { unreachable: 'provider', denied: 'refused', token: 'token' } as const

async function takeState({ transact, signIns }: PersonSignInPorts, state: unknown) {
  if (typeof state !== 'string' || !STATE.test(state)) return undefined
  return transact(async (tx) => {
    const taken = await signIns.take(tx, hashApiKey(state))
    return taken && taken.expires_at > (await tx.now()) ? taken : undefined
  })
}

/** Undefined if the principal that stands for the person was revoked here. */
async function signInPerson(
  ports: PersonSignInPorts,
  tx: Transaction,
  { person, address }: { person: Person; address: string },
): Promise<SignedIn | undefined> {
  const { signIns, principals, issuer, box } = ports
  const { subject, name, roles, tokens } = person
  const known = await signIns.person(tx, { issuer, subject })
  let principal = known === undefined ? undefined : await principals.lock(tx, known)
  if (principal === undefined) {
    const principal_id = `prn_${uuid7(await tx.now()).replaceAll('-', '')}`
    principal = await principals.addPerson(tx, { principal_id, name })
    await signIns.addPerson(tx, { issuer, subject, principal_id })
  }
  if (principal.revoked_at !== null) return undefined
  if (principal.name !== name) await principals.rename(tx, principal.principal_id, name)
  return openSession(ports, tx, {
    holder: { principal: { ...principal, name }, roles },
    address,
    keyHash: '',
    personOf: (hash, now) => ({ roles, tokens: sealTokens(box, hash, tokens), checked_at: now }),
    action: 'session.sign_in',
    detail: `${mainRoles(roles)}, at ${issuer}`,
  })
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

/** Computed from the browser's cookie, so that neither is stored: a copy of the database redeems no code. */
function derived(cookie: string, what: 'nonce' | 'verifier', state: string): string {
  return createHmac('sha256', cookie).update(`${what} ${state}`).digest('base64url')
}
