// The accounts that buys are made for: one for each brand and operator of a principal, and one more of each in the
// sandbox. Times are by the database's clock, in milliseconds.

import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { nearIds, suggestNear } from '../protocol/near-ids.ts'
import { quotaExceeded } from '../protocol/quota.ts'
import type { Account, StoredNotificationConfig } from '../protocol/schemas/accounts.ts'
import type { AccountRef, BrandRef } from '../protocol/schemas/common.ts'

export interface AccountRecord {
  account_id: string
  owner: string
  /** The members that identify an account without its id. */
  account_key: string
  status: Account['status']
  sandbox: boolean
  created_at: number
  updated_at: number
  /** The other members, as they are returned. */
  account: AccountContent
}

export interface AccountContent extends FixedTerms {
  name: string
  brand: BrandRef
  operator: string
  billing?: Account['billing']
  billing_entity?: object | undefined
  payment_terms?: Account['payment_terms']
  /** Receivers of the account's events, without their credentials. */
  notification_configs?: readonly StoredNotificationConfig[] | undefined
}

interface AccountQuery {
  status?: AccountRecord['status'] | undefined
  sandbox?: boolean | undefined
  limit: number
  after?: { created_at: number; account_id: string } | undefined
}

export interface AccountStore {
  /** Locks the accounts of the owner against additions and changes until the transaction has ended. */
  lockOwner(tx: Transaction, owner: string): Promise<void>
  byKeys(tx: Transaction, owner: string, keys: readonly string[]): Promise<AccountRecord[]>
  byId(tx: Transaction, owner: string, accountId: string): Promise<AccountRecord | undefined>
  /** The owner's accounts by id; unknown ids are missing. */
  byIds(owner: string, ids: readonly string[]): Promise<AccountRecord[]>
  put(tx: Transaction, accounts: readonly AccountRecord[]): Promise<void>
  count(tx: Transaction, owner: string): Promise<number>
  /** The owner's accounts that are not closed and have none of these keys. */
  others(tx: Transaction, owner: string, keys: readonly string[]): Promise<AccountRecord[]>
  list(
    owner: string,
    query: AccountQuery,
  ): Promise<{ accounts: AccountRecord[]; hasMore: boolean; total: number }>
}

/** The members that identify an account without its id. */
export interface AccountIdentity extends FixedTerms {
  brand: BrandRef
  operator: string
  sandbox?: boolean | undefined
}

/** Equal for references to the same account. */
export function accountKeyOf(identity: AccountIdentity): string {
  const { brand, operator, sandbox, currency, timezone } = identity
  const fixed =
    currency === undefined && timezone === undefined ? [] : [currency ?? null, timezone ?? null]
  return JSON.stringify([
    brand.domain,
    brand.brand_id ?? null,
    operator,
    sandbox === true,
    ...fixed,
  ])
}

/** The terms that are part of an account's identity, if it has them. */
interface FixedTerms {
  currency?: string | undefined
  timezone?: string | undefined
}

interface AccountToResolve {
  owner: string
  ref: AccountRef | undefined
  make: MakeAccount
  /** How many accounts the owner may have. */
  most: number
}

/**
 * The account that a request is made for: an existing one, or a new one if brand and operator are new and the task
 * may provision accounts. Undefined if the request names none. Throws ACCOUNT_NOT_FOUND.
 */
export async function resolveAccount(
  accounts: AccountStore,
  tx: Transaction,
  { owner, ref, make, most }: AccountToResolve,
): Promise<AccountRecord | undefined> {
  if (ref === undefined) return undefined
  const named = namedBy(ref)
  if ('account_id' in named) return byId(accounts, tx, { owner, account_id: named.account_id })
  await accounts.lockOwner(tx, owner)
  const account_key = accountKeyOf(named)
  const [found] = await accounts.byKeys(tx, owner, [account_key])
  if (found) return usable(found)
  const used = await accounts.count(tx, owner)
  if (used >= most) throw quotaExceeded('accounts', { limit: most, used })
  const made = make({ ...named, owner, account_key, sandbox: named.sandbox === true })
  await accounts.put(tx, [made])
  return made
}

type Named = Pick<AccountRecord, 'account_id'> | AccountIdentity

/** Throws where it names none. */
function namedBy(ref: AccountRef): Named {
  const given = typeof ref === 'string' ? { account_id: ref } : ref
  const { account_id, brand, operator, sandbox, currency, timezone } = {
    brand: undefined,
    ...given,
  } as Exclude<AccountRef, string>
  if (account_id !== undefined) return { account_id }
  if (brand !== undefined && operator !== undefined) {
    return { brand, operator, sandbox, currency, timezone }
  }
  const message = 'identify the account by account_id, or by brand and operator'
  throw new ProtocolError('ACCOUNT_NOT_FOUND', message, { field: '/account' })
}

async function byId(
  accounts: AccountStore,
  tx: Transaction,
  { owner, account_id }: Pick<AccountRecord, 'owner' | 'account_id'>,
): Promise<AccountRecord> {
  const found = await accounts.byId(tx, owner, account_id)
  if (found) return usable(found)
  const known = (await accounts.others(tx, owner, [])).map((one) => one.account_id)
  throw new ProtocolError('ACCOUNT_NOT_FOUND', 'no account matches', {
    field: '/account',
    suggestion: suggestNear(
      nearIds(account_id, known),
      'Use an account returned by list_accounts.',
    ),
  })
}

/** The account that a request is about; it is never created here. Throws ACCOUNT_NOT_FOUND. */
export async function findAccount(
  accounts: AccountStore,
  tx: Transaction,
  { owner, ref }: { owner: string; ref: AccountRef },
): Promise<AccountRecord> {
  const named = namedBy(ref)
  if ('account_id' in named) return byId(accounts, tx, { owner, account_id: named.account_id })
  const [found] = await accounts.byKeys(tx, owner, [accountKeyOf(named)])
  if (found) return usable(found)
  throw new ProtocolError('ACCOUNT_NOT_FOUND', 'no account matches', { field: '/account' })
}

/** Nothing can be bought for an account that is suspended, closed or not open yet, however it is referenced. */
function usable(account: AccountRecord): AccountRecord {
  if (account.status === 'active') return account
  const message = `the account is ${account.status}: use another account`
  throw new ProtocolError('ACCOUNT_NOT_FOUND', message, { field: '/account' })
}

type MakeAccount = (content: NewAccount) => AccountRecord

export interface NewAccount extends FixedTerms {
  owner: string
  account_key: string
  brand: BrandRef
  operator: string
  sandbox: boolean
}
