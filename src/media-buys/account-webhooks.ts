// The webhooks of an account: which of its events go where (spec 6.4, of 3.x). Each receiver is a channel of the
// sender under the account's subject, and the body is that of the event, not the envelope of a task.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { type Issue, type TaskError, taskError } from '../protocol/errors.ts'
import {
  MAX_ACCOUNT_RECEIVERS,
  type NotificationConfig,
  type StoredNotificationConfig,
} from '../protocol/schemas/accounts.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import type { Sender } from '../webhooks/sender/sender.ts'
import type { Channel, ChannelStore, NewDelivery, OutboxStore } from '../webhooks/sender/store.ts'
import type { AccountRecord, AccountStore } from './account-store.ts'

/** The events of an account that this server reports. */
export const ACCOUNT_EVENTS = ['account.status_changed'] as const
const [STATUS_CHANGED] = ACCOUNT_EVENTS

/** Events that other servers report for an account; here, nothing causes them. */
const OTHER_EVENTS: ReadonlySet<string> = new Set([
  'creative.status_changed',
  'creative.purged',
  'creative.assignment_changed',
  'indicators.changed',
  ...['product', 'signal'].flatMap((noun) =>
    ['created', 'updated', 'priced', 'removed'].map((verb) => `${noun}.${verb}`),
  ),
  'wholesale_feed.bulk_change',
  'account.change_recorded',
])

/** Events of one media buy are registered with that buy (spec 6.3, 2.11), and never with an account. */
const BUY_EVENTS: ReadonlySet<string> = new Set([
  'scheduled',
  'final',
  'delayed',
  'adjusted',
  'window_update',
  'impairment',
])

export interface AccountWebhooks {
  channels: Pick<ChannelStore, 'ofSubject' | 'delete'>
  outbox: Pick<OutboxStore, 'add'>
  sender: Pick<Sender, 'check' | 'register' | 'checkRoom'>
}

type Checked = { ok: true; warnings: string[] } | { ok: false; error: TaskError }

/** What is wrong with the receivers of one account; the first error counts. */
export function checkReceivers(
  webhooks: Pick<AccountWebhooks, 'sender'> | undefined,
  owner: string,
  configs: readonly NotificationConfig[],
): Checked {
  if (configs.length === 0) return { ok: true, warnings: [] }
  if (!webhooks) {
    const message = 'Nothing sends events of accounts here: omit notification_configs.'
    return refused('UNSUPPORTED_FEATURE', message, '/notification_configs')
  }
  const subscribers = new Set<string>()
  const warnings: string[] = []
  for (const [index, config] of configs.entries()) {
    const at = `/notification_configs/${index}`
    const { subscriber_id, event_types } = config
    if (subscribers.has(subscriber_id)) {
      const message = `subscriber_id ${subscriber_id} is used twice: each receiver requires its own.`
      return refused('VALIDATION_ERROR', message, `${at}/subscriber_id`)
    }
    subscribers.add(subscriber_id)
    const fault = eventFault(event_types, `${at}/event_types`)
    if (fault) return fault
    const channel = { ...keyOf(owner, '', config), ...channelOf(config), pointer: at }
    const checked = webhooks.sender.check(channel)
    if (!checked.ok) {
      const [{ pointer, message }] = checked.issues as [Issue, ...Issue[]]
      return refused('VALIDATION_ERROR', message, pointer)
    }
    for (const type of event_types.filter((one) => OTHER_EVENTS.has(one))) {
      warnings.push(`${at}/event_types: ${type} is kept, but this server never sends it`)
    }
  }
  return { ok: true, warnings }
}

function eventFault(types: readonly string[], at: string): Checked | undefined {
  const ofBuy = types.findIndex((type) => BUY_EVENTS.has(type))
  if (ofBuy >= 0) {
    const message = `${types[ofBuy]} is an event of a media buy: register it in create_media_buy.`
    return refused('VALIDATION_ERROR', message, `${at}/${ofBuy}`)
  }
  const unknown = types.findIndex((type) => !isOffered(type) && !OTHER_EVENTS.has(type))
  if (unknown >= 0) {
    const message = `There is no event ${types[unknown]}: use ${ACCOUNT_EVENTS.join(', ')}.`
    return refused('VALIDATION_ERROR', message, `${at}/${unknown}`)
  }
  if (types.some(isOffered)) return undefined
  const message = `This server sends none of these events: use ${ACCOUNT_EVENTS.join(', ')}.`
  return refused('UNSUPPORTED_FEATURE', message, at)
}

function isOffered(type: string): boolean {
  return ACCOUNT_EVENTS.some((one) => one === type)
}

function refused(code: 'VALIDATION_ERROR' | 'UNSUPPORTED_FEATURE', message: string, field: string) {
  return { ok: false as const, error: taskError(code, message, { field }) }
}

/** As it is kept with the account and returned: never with its credentials. */
export function storedReceivers(
  configs: readonly NotificationConfig[],
): StoredNotificationConfig[] {
  return configs.map(({ subscriber_id, url, event_types, active = true, authentication }) => ({
    subscriber_id,
    url,
    event_types: [...event_types],
    active,
    ...defined({ authentication: authentication && { schemes: authentication.schemes } }),
  }))
}

/** Makes the channels of the account those of its receivers: the whole list counts. */
export async function registerReceivers(
  webhooks: AccountWebhooks | undefined,
  tx: Transaction,
  { account, configs }: { account: AccountRecord; configs: readonly NotificationConfig[] },
): Promise<void> {
  if (!webhooks) return
  const { channels, sender } = webhooks
  const { owner, account_id } = account
  const active = configs.filter(({ active: isActive = true }) => isActive)
  const names = new Set(active.map(({ subscriber_id }) => subscriber_id))
  for (const { subject, name } of await channels.ofSubject(tx, subjectOfAccount(account_id))) {
    if (!names.has(name)) await channels.delete(tx, { owner, subject, name })
  }
  for (const config of active) {
    const checked = sender.check({ ...keyOf(owner, account_id, config), ...channelOf(config) })
    if (checked.ok) await sender.register(tx, checked.channel, MAX_ACCOUNT_RECEIVERS)
  }
}

function keyOf(owner: string, accountId: string, { subscriber_id }: NotificationConfig) {
  return { owner, subject: subjectOfAccount(accountId), name: subscriber_id, form: 'mcp' as const }
}

function channelOf({ url, authentication }: NotificationConfig) {
  return { config: { url, ...defined({ authentication }) } }
}

function subjectOfAccount(accountId: string): string {
  return `account:${accountId}`
}

/** Why the status of an account changed, as its receivers read it. */
export type AccountReason =
  | 'seller_approved'
  | 'seller_rejected'
  | 'payment_required'
  | 'policy_review'
  | 'buyer_requested'
  | 'seller_closed'
  | 'manual_update'

export interface AccountChange {
  before: AccountRecord
  after: AccountRecord
  reason: AccountReason
}

/** Stores an account, and reports its new status to its receivers, in the same transaction. */
export async function changeAccount(
  ports: Pick<AccountWebhooks, 'channels' | 'outbox'> & { accounts: Pick<AccountStore, 'put'> },
  tx: Transaction,
  change: AccountChange,
): Promise<void> {
  await ports.accounts.put(tx, [change.after])
  await reportStatus(ports, tx, change)
}

/** Reports a new status that is stored by the caller. */
export async function reportStatus(
  { channels, outbox }: Pick<AccountWebhooks, 'channels' | 'outbox'>,
  tx: Transaction,
  { before, after, reason }: AccountChange,
): Promise<void> {
  if (before.status === after.status) return
  const receivers = await channels.ofSubject(tx, subjectOfAccount(after.account_id))
  const own = receivers.filter(({ owner }) => owner === after.owner)
  if (own.length === 0) return
  const at = new Date(after.updated_at).toISOString()
  const event = {
    notification_id: randomUUID(),
    notification_type: STATUS_CHANGED,
    fired_at: at,
    account_id: after.account_id,
    previous_status: before.status,
    status: after.status,
    observed_at: at,
    reason_code: reason,
  }
  await outbox.add(
    tx,
    own.map((channel) => deliveryOf(channel, event)),
    HORIZON_MS,
  )
}

function deliveryOf(channel: Channel, event: object): NewDelivery {
  const idempotency_key = randomUUID()
  const body = { idempotency_key, ...event, subscriber_id: channel.name }
  return {
    channel,
    task_id: undefined,
    operation_id: undefined,
    notification_type: STATUS_CHANGED,
    sequence_number: undefined,
    idempotency_key,
    body: Buffer.from(JSON.stringify(body)),
    token: undefined,
  }
}
