// `sync_accounts`: creates or changes the accounts that the caller buys for, each identified by its brand and
// operator (spec 4.5). If one fails, the others are not affected; there is no review, so new accounts are active.

import { canonicalJson } from '../lib/canonical-json.ts'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { taskError } from '../protocol/errors.ts'
import { quotaError } from '../protocol/quota.ts'
import {
  type SyncAccountsRequest,
  type SyncAccountsResponse,
  syncAccountsRequest,
  syncAccountsResponse,
} from '../protocol/schemas/accounts.ts'
import { defineTask, type Task, type TaskCost } from '../protocol/task.ts'
import { type AccountRecord, type AccountStore, accountKeyOf } from './account-store.ts'
import {
  type AccountChange,
  type AccountWebhooks,
  checkReceivers,
  registerReceivers,
  reportStatus,
  storedReceivers,
} from './account-webhooks.ts'
import { buyerOf } from './buyer-of.ts'
import { newAccount } from './draft-buy.ts'
import { BUY_LIMITS } from './limits.ts'
import { serializeAccount } from './list-accounts.ts'

export interface SyncAccountsPorts {
  transact: Transact
  accounts: AccountStore
  /** What sends the events of accounts. Default: they have no receivers. */
  webhooks?: AccountWebhooks
  /** How many a principal may have. */
  maxAccounts: number
}

type Wanted = SyncAccountsRequest['accounts'][number]
type Row = SyncAccountsResponse['accounts'][number]

export function syncAccounts(
  ports: SyncAccountsPorts,
): Task<SyncAccountsRequest, SyncAccountsResponse> {
  return defineTask({
    name: 'sync_accounts',
    summary: 'Makes or changes the accounts that the caller buys for',
    area: 'media-buy',
    access: 'tasks',
    changes: true,
    request: syncAccountsRequest,
    response: syncAccountsResponse,
    cost: costOf(ports),
    handle: async (request, call) => {
      const owner = buyerOf(call)
      const accounts = await ports.transact((tx) => sync(ports, tx, { owner, request }))
      return { ...defined({ dry_run: request.dry_run ? true : undefined }), accounts }
    },
  })
}

function costOf({ accounts }: SyncAccountsPorts): TaskCost<SyncAccountsRequest> {
  return {
    grows: 'accounts of the request, and with delete_missing those there are',
    limit: 60_000,
    estimate: async ({ accounts: wanted, delete_missing }, call) => {
      const { total } = delete_missing
        ? await accounts.list(buyerOf(call), { limit: 1 })
        : { total: 0 }
      return 20 + 5 * (wanted.length + total)
    },
    reduce: {
      field: '/delete_missing',
      advice: 'Omit delete_missing, and close accounts in calls that list them.',
    },
  }
}

async function sync(
  ports: SyncAccountsPorts,
  tx: Transaction,
  { owner, request }: { owner: string; request: SyncAccountsRequest },
): Promise<Row[]> {
  const { accounts, maxAccounts } = ports
  await accounts.lockOwner(tx, owner)
  const now = await tx.now()
  const keys = request.accounts.map((one) => accountKeyOf(one))
  const stored = await accounts.byKeys(tx, owner, keys)
  const known = new Map(stored.map((one) => [one.account_key, one]))
  const limit = maxAccounts
  let room = limit - (await accounts.count(tx, owner))
  const changed: AccountRecord[] = []
  const moves: AccountChange[] = []
  const receivers: Parameters<typeof registerReceivers>[2][] = []
  const seen = new Set<string>()
  const rows = request.accounts.map((wanted, index): Row => {
    const key = keys[index] as string
    if (seen.has(key)) return failed(wanted, twice(index))
    seen.add(key)
    if (isLongerAsJson(wanted, BUY_LIMITS.termsBytes.value)) return failed(wanted, tooLong(index))
    const { notification_configs: configs } = wanted
    const checked = checkReceivers(ports.webhooks, owner, configs ?? [])
    if (!checked.ok) return failed(wanted, checked.error)
    const before = known.get(key)
    if (!before && room <= 0) {
      return failed(wanted, quotaError('accounts', { limit, used: limit }, `/accounts/${index}`))
    }
    const after = accountAfter(before, wanted, { owner, account_key: key, now })
    const isSame =
      before !== undefined && canonicalJson(contentOf(before)) === canonicalJson(contentOf(after))
    // The same receivers may have new credentials.
    if (configs) receivers.push({ account: before ?? after, configs })
    const { warnings } = checked
    if (isSame) return rowOf(before, 'unchanged', warnings)
    if (!before) room--
    else moves.push({ before, after, reason: 'buyer_requested' })
    changed.push(after)
    return rowOf(after, before ? 'updated' : 'created', warnings)
  })
  const others = request.delete_missing ? await accounts.others(tx, owner, keys) : []
  const closed = others.map((one) => ({ ...one, status: 'closed' as const, updated_at: now }))
  if (!request.dry_run) {
    await accounts.put(tx, [...changed, ...closed])
    for (const one of receivers) await registerReceivers(ports.webhooks, tx, one)
    const ended = others.map((before, index) => {
      const after = closed[index] as AccountRecord
      return { before, after, reason: 'buyer_requested' } as const
    })
    await reportMoves(ports.webhooks, tx, [...moves, ...ended])
  }
  return [...rows, ...closed.map((one) => rowOf(one, 'updated'))]
}

async function reportMoves(
  webhooks: AccountWebhooks | undefined,
  tx: Transaction,
  moves: readonly AccountChange[],
): Promise<void> {
  if (!webhooks) return
  const reported = moves.filter(({ before, after }) => before.status !== after.status)
  const [first] = reported
  if (first) await webhooks.sender.checkRoom(first.after.owner, tx)
  for (const move of reported) await reportStatus(webhooks, tx, move)
}

/** Omitted members stay unchanged; a closed account is opened again. */
function accountAfter(
  before: AccountRecord | undefined,
  wanted: Wanted,
  { owner, account_key, now }: { owner: string; account_key: string; now: number },
): AccountRecord {
  const { brand, operator, sandbox, name, billing, billing_entity, payment_terms } = wanted
  const { currency, timezone, notification_configs: configs } = wanted
  const notification_configs = configs && storedReceivers(configs)
  const fresh = { owner, account_key, brand, operator, sandbox: sandbox === true }
  const base = before ?? newAccount({ ...fresh, currency, timezone }, now)
  return {
    ...base,
    status: base.status === 'closed' ? 'active' : base.status,
    updated_at: now,
    account: {
      ...base.account,
      ...defined({ name, billing, billing_entity, payment_terms, notification_configs }),
    },
  }
}

function contentOf({ status, account }: AccountRecord) {
  return { status, account }
}

function rowOf(
  record: AccountRecord,
  action: Row['action'],
  warnings: readonly string[] = [],
): Row {
  const { account_id, status, sandbox, ...reported } = serializeAccount(record)
  const { name, billing, billing_entity, payment_terms, currency, timezone } = reported
  const { notification_configs } = reported
  const { brand, operator } = record.account
  return {
    account_id,
    brand,
    operator,
    action,
    status,
    name,
    ...defined({ sandbox: sandbox || undefined, billing, billing_entity, payment_terms }),
    ...defined({ currency, timezone, notification_configs }),
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  }
}

function failed({ brand, operator }: Wanted, error: ReturnType<typeof taskError>): Row {
  return { brand, operator, action: 'failed', status: 'rejected', errors: [error] } as Row
}

function twice(index: number) {
  const message = 'This account appears twice in the request.'
  return taskError('VALIDATION_ERROR', message, { field: `/accounts/${index}` })
}

function tooLong(index: number) {
  const message = `Keep an account below ${BUY_LIMITS.termsBytes.value} bytes.`
  return taskError('VALIDATION_ERROR', message, { field: `/accounts/${index}` })
}
