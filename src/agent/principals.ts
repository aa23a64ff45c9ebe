// Principals: who may call the tasks of the agents, with which key and which scopes (spec 5 leaves the scheme open: a
// bearer key, stored hashed). A key is looked up at every call and never cached, so that a revocation takes effect
// immediately.

import { createApiKey, describeApiKey, hashApiKey, type NewApiKey } from '../lib/api-key.ts'
import { type ApiKeyStore, type OwnerKeys, ownerKeys } from '../lib/api-keys.ts'
import { defined } from '../lib/defined.ts'
import { NAME_RULE, parseName } from '../lib/display-name.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { uuid7 } from '../lib/uuid7.ts'

export const SCOPES = [
  /** May call the tasks of the creative and the signal agent. */
  'tasks',
  /** May sign in to the console and act: on deliveries, tasks, endpoints, registry. */
  'operator',
  /** May have this server call other agents. */
  'call-agents',
  /** May sign in to the console and look, but change nothing. */
  'viewer',
  /** May sign in to the console and decide on media buys that wait for approval. */
  'approver',
  /** May sign in to the console with every role, and manage principals, keys and sessions. */
  'admin',
  /** The same as `admin`, also where keys of the console are restricted to emergencies; each sign-in stands out in the audit log. */
  'break-glass',
] as const
/** What a principal may do. */
export type Scope = (typeof SCOPES)[number]

export interface Principal {
  principal_id: string
  name: string
  scopes: Scope[]
  /** Created by a start with --demo, and valid only for such starts. */
  is_demo: boolean
  /** Created by a sandbox, and valid only in sandboxes. */
  is_sandbox: boolean
  created_at: string
  revoked_at: string | null
}

export interface PrincipalStore {
  /** Adds a principal with its key; adds nothing when the key already belongs to a principal. */
  add(
    tx: Transaction,
    principal: Pick<Principal, 'principal_id' | 'name' | 'scopes'> & {
      is_demo?: boolean
      is_sandbox?: boolean
    },
    key: Omit<NewApiKey, 'key'>,
  ): Promise<Principal | 'key_taken'>
  /** Adds a principal for a person, who has no key: the person signs in elsewhere. */
  addPerson(tx: Transaction, person: Pick<Principal, 'principal_id' | 'name'>): Promise<Principal>
  get(principalId: string): Promise<Principal | undefined>
  /** Like `get`, inside a transaction: nobody can change or delete it until the transaction ends. */
  lock(tx: Transaction, principalId: string): Promise<Principal | undefined>
  /** All of them, the oldest first. */
  list(options?: { onlyDemo?: boolean }): Promise<Principal[]>
  /** Renames it. False when it does not exist. */
  rename(tx: Transaction, principalId: string, name: string): Promise<boolean>
  /** Revokes a principal and its keys; the time of the first revocation is kept. False when it does not exist. */
  revoke(tx: Transaction, principalId: string): Promise<boolean>
  /** Deletes the principal itself; `BelongingsStore` deletes what it owns. False when it does not exist. */
  remove(tx: Transaction, principalId: string): Promise<boolean>
  /** The owner of the key, unless the key has expired or the principal has been revoked. */
  byKeyHash(keyHash: string): Promise<Principal | undefined>
}

export interface PrincipalPorts {
  transact: Transact
  principals: PrincipalStore
}

export interface NewPrincipal {
  name: string
  /** Default `tasks` alone. */
  scopes?: readonly string[]
  /** A key chosen elsewhere, such as a fixed demo key. Default: a random one. */
  key?: string
  /** Default false. */
  isDemo?: boolean
  /** Default false. Its key may be of any form: see `sandbox/tenants.ts`. */
  isSandbox?: boolean
}

export type CreatedPrincipal =
  | { ok: true; principal: Principal; key: string }
  | { ok: false; message: string }

const KEY_PREFIX = 'adw_'
const KEY = /^adw_[A-Za-z0-9_-]{16,}$/
/** Graders bring keys of their own. */
export const SANDBOX_KEY = /^[A-Za-z0-9_.-]{8,200}$/

/** Creates a principal and its key. The key is returned here and never again. */
export async function createPrincipal(
  { transact, principals }: PrincipalPorts,
  { name: givenName, scopes: givenScopes = ['tasks'], key: givenKey, ...made }: NewPrincipal,
): Promise<CreatedPrincipal> {
  const { isDemo, isSandbox } = made
  const name = parseName(givenName)
  if (name === undefined) return refuse(`a principal's name is ${NAME_RULE}`)
  const scopes = [...new Set(givenScopes)]
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    return refuse(`unknown scope "${unknown}": use ${SCOPES.join(' or ')}`)
  }
  if (scopes.length === 0) return refuse(`a principal requires a scope: ${SCOPES.join(' or ')}`)
  if (givenKey !== undefined && !(isSandbox ? SANDBOX_KEY : KEY).test(givenKey)) {
    return refuse(
      isSandbox
        ? 'a sandbox key must be 8 to 200 characters of A-Z, a-z, 0-9, _, . and -'
        : `a key must be ${KEY_PREFIX} followed by at least 16 characters of A-Z, a-z, 0-9, _ and -`,
    )
  }

  const { key, ...stored } = givenKey ? describeApiKey(givenKey) : createApiKey(KEY_PREFIX)
  const principal = await transact(async (tx) => {
    const principal_id = `prn_${uuid7(await tx.now()).replaceAll('-', '')}`
    const named = { principal_id, name, scopes: scopes.filter(isScope) }
    return principals.add(
      tx,
      {
        ...named,
        ...defined({
          is_demo: isDemo ? true : undefined,
          is_sandbox: isSandbox ? true : undefined,
        }),
      },
      stored,
    )
  })
  if (principal === 'key_taken') return refuse('the key already belongs to a principal')
  return { ok: true, principal, key }
}

export function listPrincipals({ principals }: PrincipalPorts): Promise<Principal[]> {
  return principals.list()
}

/** It keeps its keys and everything it owns. */
export async function renamePrincipal(
  { transact, principals }: PrincipalPorts,
  principalId: string,
  givenName: string,
): Promise<{ ok: true } | { ok: false; message: string }> {
  const name = parseName(givenName)
  if (name === undefined) return refuse(`a principal's name is ${NAME_RULE}`)
  const isThere = await transact((tx) => principals.rename(tx, principalId, name))
  return isThere
    ? { ok: true }
    : refuse(`no principal ${principalId}: list the principals with adwire principals list`)
}

/** Once this returns, no key of the principal is accepted. False when it does not exist. */
export function revokePrincipal(
  { transact, principals }: PrincipalPorts,
  principalId: string,
): Promise<boolean> {
  return transact((tx) => principals.revoke(tx, principalId))
}

/** The keys of principals. */
export function principalKeys(ports: PrincipalPorts & { apiKeys: ApiKeyStore }): OwnerKeys {
  return ownerKeys({
    ...ports,
    kind: 'principal',
    prefix: KEY_PREFIX,
    faultOf: async (id) => {
      const principal = await ports.principals.get(id)
      if (!principal) return `no principal ${id}: list the principals with adwire principals list`
      if (principal.revoked_at === null) return undefined
      return `the principal ${id} was revoked: create a new one`
    },
  })
}

/** How a server was started, as far as that decides which keys are valid. */
export interface StartedAs {
  demo: boolean
  sandbox: boolean
}

/**
 * A server started without --demo does not accept principals that one with it has created: that key is printed, and
 * shared. Likewise principals of a sandbox are valid only in a sandbox, and no others are valid there.
 */
export function isGoodFor(
  { is_demo, is_sandbox }: Pick<Principal, 'is_demo' | 'is_sandbox'>,
  { demo, sandbox }: StartedAs,
): boolean {
  return is_demo ? demo : is_sandbox === sandbox
}

/** Finds only principals that are valid for this start. */
export function goodPrincipals(
  principals: Pick<PrincipalStore, 'byKeyHash'>,
  started: StartedAs,
): Pick<PrincipalStore, 'byKeyHash'> {
  return {
    byKeyHash: async (keyHash) => {
      const principal = await principals.byKeyHash(keyHash)
      return principal && isGoodFor(principal, started) ? principal : undefined
    },
  }
}

/** The key in an Authorization header; undefined when it holds none. */
export function bearerKey(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1]
}

export async function authenticatePrincipal(
  principals: Pick<PrincipalStore, 'byKeyHash'>,
  key: string,
): Promise<Principal | undefined> {
  return KEY.test(key) ? principals.byKeyHash(hashApiKey(key)) : undefined
}

function isScope(scope: string): scope is Scope {
  return SCOPES.includes(scope as Scope)
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message }
}
