// Where a buyer receives notifications about a media buy (spec 2.9, 6.2, 6.3): push_notification_config for changes
// and impairments, reporting_webhook for delivery reports. Both are channels of the sender, each under its own
// subject, so that neither receives messages for the other; tokens and credentials are encrypted there.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type {
  PushNotificationConfig,
  ReportingWebhook,
} from '../protocol/schemas/push-notification-config.ts'
import type { Sender } from '../webhooks/sender/sender.ts'
import { type ChannelStore, REPORTS_SUBJECT } from '../webhooks/sender/store.ts'
import type { MediaBuyRecord } from './media-buy.ts'
import { NOTIFICATION_TASK_TYPE } from './notification-tasks.ts'
import type { BuyKey } from './store.ts'

/** Channels that receive changes and impairments of a buy. */
export function subjectOfBuy(mediaBuyId: string): string {
  return `media_buy:${mediaBuyId}`
}

/** Channels that get the delivery reports of a buy. */
export function subjectOfReports(mediaBuyId: string): string {
  return `${REPORTS_SUBJECT}${mediaBuyId}`
}

export interface WantedChannels {
  push_notification_config?: PushNotificationConfig | undefined
  reporting_webhook?: ReportingWebhook | undefined
}

export interface BuyChannelPorts {
  sender: Pick<Sender, 'check' | 'register' | 'emit' | 'checkRoom'>
  channels: Pick<ChannelStore, 'delete'>
}

const PUSH = 'push_notification_config'
const REPORTS = 'reporting_webhook'

/**
 * Stores the channels in place of the existing ones; messages waiting for a retry then go to the new address. Throws
 * INVALID_REQUEST if one cannot be used.
 */
export async function registerChannels(
  { sender }: Pick<BuyChannelPorts, 'sender'>,
  tx: Transaction,
  { buy: { owner, media_buy_id }, wanted }: { buy: BuyKey; wanted: WantedChannels },
): Promise<void> {
  const { push_notification_config, reporting_webhook } = wanted
  const channels = [
    { name: PUSH, subject: subjectOfBuy(media_buy_id), config: push_notification_config },
    { name: REPORTS, subject: subjectOfReports(media_buy_id), config: reporting_webhook },
  ]
  for (const { name, subject, config } of channels) {
    if (config === undefined) continue
    const pointer = `/${name}`
    const checked = sender.check({ owner, subject, name, form: 'mcp', config, pointer })
    if (!checked.ok) {
      const message = checked.issues.map((issue) => `${issue.pointer}: ${issue.message}`)
      throw new ProtocolError('INVALID_REQUEST', message.join('; '), { issues: checked.issues })
    }
    await sender.register(tx, checked.channel)
  }
}

/** Of a buy that was never made. */
export async function forgetChannels(
  { channels }: Pick<BuyChannelPorts, 'channels'>,
  tx: Transaction,
  { owner, media_buy_id }: BuyKey,
): Promise<void> {
  await channels.delete(tx, { owner, subject: subjectOfBuy(media_buy_id), name: PUSH })
  await channels.delete(tx, { owner, subject: subjectOfReports(media_buy_id), name: REPORTS })
}

export interface BuyNews {
  buy: MediaBuyRecord
  /** The event type: in the payload, and in webhook_activity. */
  notification_type: string
  at: number
  /** For people. */
  message?: string | undefined
  /** The payload without notification_type and media_buy_id. */
  result: object
  /** For an event that may be sent again (spec 6.3). */
  notification_id?: string | undefined
}

/** Sends an event to the buy's push_notification_config, in the transaction of the change that it reports. */
export async function notifyBuyer(
  { sender }: Pick<BuyChannelPorts, 'sender'>,
  tx: Transaction,
  { buy, notification_type, at, message, result, notification_id }: BuyNews,
): Promise<number> {
  const { owner, media_buy_id, context } = buy
  return sender.emit(tx, {
    owner,
    subject: subjectOfBuy(media_buy_id),
    notification_type,
    notification_id,
    // Each has its own: no call began it.
    task_id: randomUUID(),
    task_type: NOTIFICATION_TASK_TYPE,
    domain: 'media-buy',
    status: 'completed',
    at,
    message,
    context,
    result: { notification_type, media_buy_id, ...result },
  })
}
