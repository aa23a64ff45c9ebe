// Who may call a sandbox. Graders bring their own keys, of which only the prefix is agreed upon: if a prefix is
// registered, each key that starts with it is a separate tenant, created on its first call, so that test runs do not
// see each other. This also checks that a sandbox does not use stores that anyone else uses.

import {
  createPrincipal,
  type Principal,
  type PrincipalPorts,
  SANDBOX_KEY,
} from '../agent/principals.ts'
import { hashApiKey } from '../lib/api-key.ts'
import type { RateLimit } from '../lib/token-bucket.ts'
import type { Transact } from '../lib/transaction.ts'
import { type TaskError, taskError } from '../protocol/errors.ts'
import { SANDBOX_LIMITS } from './limits.ts'
import type { SandboxStore } from './store.ts'

export interface TenantPorts extends PrincipalPorts {
  notes: SandboxStore
  /** How fast tenants are created, by the address of the caller. */
  newTenants: RateLimit
}

/** A prefix belongs to no one, but each of its keys belongs to a tenant. */
const NOBODY = ''

/** Keys with this prefix are valid from now on. */
export function addPrefix(
  { transact, notes }: { transact: Transact; notes: SandboxStore },
  { prefix, name }: { prefix: string; name: string },
): Promise<void> {
  return transact((tx) => notes.put(tx, { owner: NOBODY, kind: 'prefix', name: prefix }, { name }))
}

/**
 * The tenant that owns a key in a sandbox; undefined for an unknown key, an error if no tenant can be created for it.
 */
export async function tenantOf(
  ports: TenantPorts,
  key: string,
  address: string,
): Promise<Principal | TaskError | undefined> {
  if (!SANDBOX_KEY.test(key)) return undefined
  const known = await ports.principals.byKeyHash(hashApiKey(key))
  if (known) return known.is_sandbox ? known : undefined
  const prefixes = await ports.notes.list('prefix', { limit: 1_000 })
  const found = prefixes
    .filter(({ name }) => key.startsWith(name))
    .sort((one, other) => other.name.length - one.name.length)[0]
  if (!found) return undefined
  const taken = ports.newTenants.take(address)
  if (!taken.ok) {
    const retry_after = taken.retryAfterSeconds
    const message = `too many new keys from this address: wait ${retry_after} s, or use a known key`
    return taskError('RATE_LIMITED', message, { retry_after })
  }
  const most = SANDBOX_LIMITS.tenants.value
  if ((await ports.principals.list()).length >= most) {
    return taskError(
      'SERVICE_UNAVAILABLE',
      `the sandbox has ${most} tenants, its limit: use a known key`,
    )
  }
  const { name } = found.value as { name: string }
  const label = `${name} ${key.slice(found.name.length)}`.slice(0, 100)
  const created = await createPrincipal(ports, { name: label, key, isSandbox: true })
  if (created.ok) return created.principal
  // Another instance may have created it at the same moment.
  return ports.principals.byKeyHash(hashApiKey(key))
}

/** Throws if there is any principal that was not created by a sandbox. */
export async function refuseRealPrincipals({
  principals,
}: Pick<PrincipalPorts, 'principals'>): Promise<void> {
  const real = (await principals.list()).filter((one) => !one.is_sandbox && !one.is_demo)
  if (real.length === 0) return
  const names = real.slice(0, 3).map(({ name }) => name)
  const more = real.length > names.length ? ` and ${real.length - names.length} more` : ''
  throw new Error(
    `a sandbox lets its callers force any state, and this database has principals that no sandbox made (${names.join(', ')}${more}): ` +
      'leave --sandbox out, or give --data or --database-url a place of its own',
  )
}
