// `force_account_status`: does what the seller's credit department would do to one of the caller's accounts.

import { z } from 'zod'
import type { Transact } from '../lib/transaction.ts'
import type { AccountRecord, AccountStore } from '../media-buys/account-store.ts'
import {
  type AccountReason,
  type AccountWebhooks,
  changeAccount,
} from '../media-buys/account-webhooks.ts'
import { accountStatus } from '../protocol/schemas/accounts.ts'
import { opaqueId } from '../protocol/schemas/common.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'

export interface ForceAccountPorts extends Pick<AccountWebhooks, 'channels' | 'outbox'> {
  transact: Transact
  accounts: AccountStore
}

const REASONS: Readonly<Record<AccountRecord['status'], AccountReason>> = {
  active: 'seller_approved',
  pending_approval: 'policy_review',
  rejected: 'seller_rejected',
  payment_required: 'payment_required',
  suspended: 'manual_update',
  closed: 'seller_closed',
}

/** An account that was refused or permanently closed can only be reopened by sync_accounts. */
const ENDED: ReadonlySet<AccountRecord['status']> = new Set(['rejected', 'closed'])

export function forceAccountStatus({ transact, ...ports }: ForceAccountPorts): AnyScenario {
  const { accounts } = ports
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
        const after = { ...account, status, updated_at: await tx.now() }
        await changeAccount(ports, tx, { before: account, after, reason: REASONS[status] })
        return moved
      }),
  })
}
