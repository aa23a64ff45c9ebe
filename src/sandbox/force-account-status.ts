// `force_account_status`: does what the seller's credit department would do to one of the caller's accounts.

import { z } from 'zod'
import type { Transact } from '../lib/transaction.ts'
import type { AccountRecord, AccountStore } from '../media-buys/account-store.ts'
import { accountStatus } from '../protocol/schemas/accounts.ts'
import { opaqueId } from '../protocol/schemas/common.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'

export interface ForceAccountPorts {
  transact: Transact
  accounts: AccountStore
}

/** An account that was refused or permanently closed can only be reopened by sync_accounts. */
const ENDED: ReadonlySet<AccountRecord['status']> = new Set(['rejected', 'closed'])

export function forceAccountStatus({ transact, accounts }: ForceAccountPorts): AnyScenario {
  return defineScenario({
    name: 'force_account_status',
    params: z.looseObject({ account_id: opaqueId, status: accountStatus }),
    run: ({ account_id, status }, { owner }) =>
      transact(async (tx) => {
        await accounts.lockOwner(tx, owner)
        const account = await accounts.byId(tx, owner, account_id)
        if (!account) throw notFound(`account ${account_id}`)
        const moved = { previous_state: account.status, current_state: status }
        if (account.status === status) return moved
        if (ENDED.has(account.status)) {
          const message = `an account that is ${account.status} does not become ${status}`
          throw new ControllerError('INVALID_TRANSITION', message, account.status)
        }
        await accounts.put(tx, [{ ...account, status, updated_at: await tx.now() }])
        return moved
      }),
  })
}
