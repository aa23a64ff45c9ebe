// `seed_account`: creates an account of the caller's, with an id that the grader chose.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { type AccountRecord, type AccountStore, accountKeyOf } from '../media-buys/account-store.ts'
import { accountStatus, billingParty, paymentTerms } from '../protocol/schemas/accounts.ts'
import { domain } from '../protocol/schemas/common.ts'
import {
  type Fixture,
  invalidFixture,
  objectIn,
  type SeedKind,
  type SeedPorts,
  textIn,
} from './seeds.ts'

export interface SeedAccountPorts extends Pick<SeedPorts, 'notes'> {
  accounts: AccountStore
}

export function accountSeed({ accounts }: SeedAccountPorts): SeedKind {
  return {
    name: 'seed_account',
    ids: ['account_id'],
    put: async (tx, { ids: { account_id = '' }, fixture }, { owner }) => {
      await accounts.lockOwner(tx, owner)
      const given = accountIn(fixture, { account_id, owner, now: await tx.now() })
      const wanted = await besidesTwin(accounts, tx, given)
      await accounts.put(tx, [wanted])
      const kept = await accounts.byId(tx, owner, account_id)
      if (!kept) throw invalidFixture(['account_id is somebody else’s'])
    },
  }
}

/**
 * Several accounts may have the same brand and operator, since the grader chooses their ids: a lookup by brand and
 * operator finds the first one.
 */
async function besidesTwin(
  accounts: AccountStore,
  tx: Transaction,
  wanted: AccountRecord,
): Promise<AccountRecord> {
  const { owner, account_id, account_key } = wanted
  const [twin] = await accounts.byKeys(tx, owner, [account_key])
  if (!twin || twin.account_id === account_id) return wanted
  return { ...wanted, account_key: `${account_key} ${account_id}` }
}

function accountIn(
  fixture: Fixture,
  { account_id, owner, now }: { account_id: string; owner: string; now: number },
): AccountRecord {
  const brand = { domain: textIn(objectIn(fixture, 'brand'), 'domain') ?? hostOf(account_id) }
  const operator = textIn(fixture, 'operator') ?? brand.domain
  for (const one of [brand.domain, operator]) {
    if (!domain.safeParse(one).success) throw invalidFixture(['brand and operator are domains'])
  }
  const status = accountStatus.safeParse(fixture.status ?? 'active')
  if (!status.success) throw invalidFixture(['status must be one of an account'])
  const sandbox = fixture.sandbox !== false
  const billing = billingParty.safeParse(fixture.billing).data
  const payment_terms = paymentTerms.safeParse(fixture.payment_terms).data
  return {
    account_id,
    owner,
    account_key: accountKeyOf({ brand, operator, sandbox }),
    status: status.data,
    sandbox,
    created_at: now,
    updated_at: now,
    account: {
      name: textIn(fixture, 'name') ?? account_id,
      brand,
      operator,
      ...defined({ billing, payment_terms }),
    },
  }
}

/** An account without details gets a brand that belongs to no one. */
function hostOf(accountId: string): string {
  const label = accountId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return `${label.replace(/^-/, '').replace(/-$/, '').slice(0, 50) || 'account'}.example`
}
