// An OpenID provider as the console uses it (OpenID Connect Core 1.0, authorization code with PKCE): where to send the
// browser, what a code is worth, and whether a person who signed in before still belongs to a group with a role.

import type { JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { parseName } from '../../lib/display-name.ts'
import { issuerKeys } from '../../lib/issuer-keys.ts'
import { tryJsonObject } from '../../lib/try-json.ts'
import type { Role } from '../api/role-names.ts'
import { withIncluded } from '../roles.ts'
import { type Endpoints, parseDiscovery } from './discovery.ts'
import { type Claims, verifyIdToken } from './id-token.ts'

export interface ProviderSettings {
  /** Exactly as the provider spells it in its tokens. */
  issuer: string
  clientId: string
  /** Default: a public client, for which PKCE alone proves who redeems a code. */
  clientSecret?: string | undefined
  scopes: readonly string[]
  /** The claim that lists the groups of a person. */
  groupsClaim: string
  /** What membership of a group gives. */
  roles: ReadonlyMap<string, readonly Role[]>
}

/** One request to the provider. Rejects when there is no response at all. */
export type AskProvider = (request: {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}) => Promise<{ status: number; body: Buffer }>

export interface ProviderPorts {
  ask: AskProvider
  clock: Clock
}

/** What the provider issued; stored only sealed. */
export interface Tokens {
  access_token: string
  refresh_token?: string
}

export interface Person {
  subject: string
  /** For lists and the audit log. */
  name: string
  /** Empty: no group of the person has a role here. */
  roles: readonly Role[]
  tokens: Tokens
}

/** `unreachable` says nothing about the person; every other reason is final for this attempt. */
export type Failure = {
  ok: false
  why: 'unreachable' | 'denied' | 'token'
  /** For the audit log: repeats no secret. */
  detail: string
}

export interface Provider {
  /** Where the browser goes to sign in. */
  authorizationUrl(request: {
    redirectUri: string
    state: string
    nonce: string
    challenge: string
  }): Promise<{ ok: true; url: string } | Failure>
  /** Redeems a code, once: the provider refuses it a second time. */
  redeem(request: {
    code: string
    redirectUri: string
    verifier: string
    nonce: string
  }): Promise<{ ok: true; person: Person } | Failure>
  /** The roles that a person has now. `denied`: the provider has ended the sign-in. */
  rolesNow(
    subject: string,
    tokens: Tokens,
  ): Promise<{ ok: true; roles: readonly Role[]; tokens: Tokens } | Failure>
}

const MAX_GROUPS = 5_000
const MAX_TOKEN_CHARS = 16_384
/** A provider may move its endpoints, but seldom does. */
const DISCOVERY_MS = 3_600_000

export function createProvider(settings: ProviderSettings, ports: ProviderPorts): Provider {
  const { issuer, clientId, scopes } = settings
  const discovered = discovery(settings, ports)
  const context = { settings, ports, discovered }
  return {
    authorizationUrl: ({ redirectUri, state, nonce, challenge }) =>
      reaching(async () => {
        const url = new URL((await discovered()).endpoints.authorization)
        const query = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: [...new Set(['openid', ...scopes])].join(' '),
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
        return { ok: true, url: url.href }
      }),
    redeem: ({ code, redirectUri, verifier, nonce }) =>
      reaching(async () => {
        const grant = {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }
        const response = await requestTokens(context, grant)
        if (response.id_token === undefined) {
          throw fault('token', `${issuer} returned no ID token: is \`openid\` among the scopes?`)
        }
        const claims = await claimsOf(context, response.id_token, { nonce })
        const tokens = tokensOf(response)
        const all = await withGroups(context, claims, tokens)
        const person = { subject: claims.sub, name: nameOf(all), roles: rolesOf(settings, all) }
        return { ok: true, person: { ...person, tokens } }
      }),
    rolesNow: (subject, former) =>
      reaching(async () => {
        let claims: Claims = { sub: subject }
        let tokens = former
        if (former.refresh_token !== undefined) {
          const { refresh_token } = former
          const response = await requestTokens(context, {
            grant_type: 'refresh_token',
            refresh_token,
          })
          tokens = { refresh_token, ...tokensOf(response) }
          if (response.id_token !== undefined) {
            claims = await claimsOf(context, response.id_token)
            if (claims.sub !== subject) throw fault('denied', 'the token is of another person')
          }
        }
        const all = await withGroups(context, claims, tokens)
        return { ok: true, roles: rolesOf(settings, all), tokens }
      }),
  }
}

interface Context {
  settings: ProviderSettings
  ports: ProviderPorts
  discovered: () => Promise<Discovered>
}

interface Discovered {
  endpoints: Endpoints
  keys: JWTVerifyGetKey
}

/** A Failure on its way up. */
class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly why: Failure['why']
  constructor(why: Failure['why'], message: string) {
    super(message)
    this.why = why
  }
}

function fault(why: Failure['why'], message: string): ProviderFault {
  return new ProviderFault(why, message)
}

async function reaching<T extends { ok: true }>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    return { ok: false, why: error.why, detail: error.message }
  }
}

/** The provider's metadata, kept for an hour. A failure is not kept. */
function discovery({ issuer }: ProviderSettings, ports: ProviderPorts): () => Promise<Discovered> {
  let kept: { until: number; found: Promise<Discovered> } | undefined
  const load = async (): Promise<Discovered> => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { status, body } = await asked(ports, { url })
    if (status !== 200) throw fault('unreachable', `${url} returned status ${status}`)
    const parsed = parseDiscovery(tryJsonObject(body.toString('utf8')), issuer)
    if (!parsed.ok) throw fault('unreachable', `${url}: ${parsed.message}`)
    const fetchJwks = (keysUrl: string) => ports.ask({ url: keysUrl })
    const keys = issuerKeys({ jwksUrl: parsed.endpoints.jwks }, { fetchJwks, clock: ports.clock })
    return { endpoints: parsed.endpoints, keys }
  }
  return () => {
    const now = ports.clock.now()
    if (kept && now < kept.until) return kept.found
    const found = load()
    const begun = { until: now + DISCOVERY_MS, found }
    kept = begun
    found.catch(() => {
      if (kept === begun) kept = undefined
    })
    return found
  }
}

async function asked(
  { ask }: ProviderPorts,
  request: Parameters<AskProvider>[0],
): ReturnType<AskProvider> {
  const { host } = new URL(request.url)
  try {
    return await ask(request)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw fault('unreachable', `the identity provider ${host} cannot be reached: ${reason}`)
  }
}

interface TokenResponse {
  access_token?: unknown
  refresh_token?: unknown
  id_token?: unknown
  error?: unknown
}

/** RFC 6749 §4.1.3 and §6. */
async function requestTokens(
  { settings, ports, discovered }: Context,
  grant: Record<string, string>,
): Promise<TokenResponse> {
  const { endpoints } = await discovered()
  const { clientId, clientSecret } = settings
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const form = new URLSearchParams(grant)
  if (clientSecret !== undefined && endpoints.takesBasic) {
    // RFC 6749 §2.3.1: both parts are form-encoded first.
    const pair = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':')
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', clientId)
    if (clientSecret !== undefined) form.set('client_secret', clientSecret)
  }
  const answer = await asked(ports, {
    url: endpoints.token,
    method: 'POST',
    headers,
    body: form.toString(),
  })
  const json: TokenResponse = tryJsonObject(answer.body.toString('utf8')) ?? {}
  if (answer.status >= 500) {
    throw fault('unreachable', `the identity provider returned status ${answer.status}`)
  }
  if (answer.status !== 200) {
    // One of a few words (RFC 6749 §5.2).
    const word =
      typeof json.error === 'string' && /^[a-z_]{1,40}$/.test(json.error) ? json.error : 'no reason'
    // The settings are wrong then, not the person.
    const why = word === 'invalid_client' ? 'unreachable' : 'denied'
    throw fault(why, `the identity provider refused it: ${word} (status ${answer.status})`)
  }
  return json
}

function tokensOf({ access_token, refresh_token }: TokenResponse): Tokens {
  if (!isToken(access_token)) throw fault('token', 'the identity provider returned no access token')
  return {
    access_token,
    ...defined({ refresh_token: isToken(refresh_token) ? refresh_token : undefined }),
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TOKEN_CHARS
}

async function claimsOf(
  { settings, ports, discovered }: Context,
  idToken: unknown,
  { nonce }: { nonce?: string } = {},
): Promise<Claims> {
  if (!isToken(idToken)) throw fault('token', 'the identity provider returned no valid ID token')
  const { keys } = await discovered()
  const { issuer, clientId } = settings
  const verified = await verifyIdToken(idToken, {
    issuer,
    clientId,
    keys,
    now: ports.clock.now(),
    ...defined({ nonce }),
  })
  if (!verified.ok) throw fault(verified.why, verified.detail)
  return verified.claims
}

/** Providers state the groups in the ID token, in the response of the userinfo endpoint, or in both. */
async function withGroups(
  { settings, ports, discovered }: Context,
  claims: Claims,
  { access_token }: Tokens,
): Promise<Claims> {
  if (claims[settings.groupsClaim] !== undefined) return claims
  const { endpoints } = await discovered()
  if (endpoints.userinfo === undefined) return claims
  const headers = { accept: 'application/json', authorization: `Bearer ${access_token}` }
  const { status, body } = await asked(ports, { url: endpoints.userinfo, headers })
  if (status === 401 || status === 403) {
    throw fault('denied', 'the identity provider has ended the sign-in')
  }
  if (status !== 200) throw fault('unreachable', `the identity provider returned status ${status}`)
  const said = tryJsonObject(body.toString('utf8'))
  // OpenID Connect Core §5.3.2: the response may be about another person.
  if (said?.sub !== claims.sub) throw fault('denied', 'the userinfo is about another person')
  return { ...said, ...claims }
}

function rolesOf({ groupsClaim, roles }: ProviderSettings, claims: Claims): readonly Role[] {
  const groups = claims[groupsClaim]
  const names = typeof groups === 'string' ? [groups] : Array.isArray(groups) ? groups : []
  const given = names.slice(0, MAX_GROUPS).flatMap((name) => roles.get(String(name)) ?? [])
  return withIncluded(given)
}

const MAX_PERSON_CHARS = 120

/** `Ada Lovelace (ada@acme.example)`, as far as it is known. */
function nameOf({ sub, name, email, preferred_username }: Claims): string {
  const known = [name, preferred_username].map(shortName).find((text) => text !== undefined)
  const address = shortName(email)
  if (known === undefined) return address ?? shortName(sub) ?? 'a person without a name'
  return address === undefined || address === known ? known : `${known} (${address})`
}

function shortName(value: unknown): string | undefined {
  return parseName(typeof value === 'string' ? value.slice(0, MAX_PERSON_CHARS / 2) : undefined)
}
