// Reports a fire to a buy's persistent channels (spec 6.3): its push_notification_config, and its reporting_webhook
// if that has a different address. Each delivery has its own idempotency_key.

import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../lib/transaction.ts'
import type { Sender } from '../../webhooks/sender/sender.ts'
import type { ChannelStore } from '../../webhooks/sender/store.ts'
import { subjectOfBuy, subjectOfReports } from '../buy-channels.ts'
import type { MediaBuyRecord } from '../media-buy.ts'
import { NOTIFICATION_TASK_TYPE } from '../notification-tasks.ts'

export interface ReportPorts {
  sender: Pick<Sender, 'emit' | 'room'>
  channels: Pick<ChannelStore, 'ofSubject'>
}

export interface ImpairmentNotification {
  buy: Pick<MediaBuyRecord, 'owner' | 'media_buy_id' | 'context'>
  notification_id: string
  at: number
  /** For people. */
  message: string
  /** The payload without notification_type and media_buy_id. */
  result: object
}

/** Returns how many deliveries were added. */
export async function notifyChannels(
  { sender, channels }: ReportPorts,
  tx: Transaction,
  { buy, notification_id, at, message, result }: ImpairmentNotification,
): Promise<number> {
  const { owner, media_buy_id, context } = buy
  const subjects = [subjectOfBuy(media_buy_id), subjectOfReports(media_buy_id)]
  const reported = new Set<string>()
  let deliveries = 0
  for (const subject of subjects) {
    const own = (await channels.ofSubject(tx, subject)).filter((one) => one.owner === owner)
    const isNews = own.some(({ url }) => !reported.has(url))
    for (const { url } of own) reported.add(url)
    if (!isNews) continue
    deliveries += await sender.emit(tx, {
      owner,
      subject,
      notification_id,
      notification_type: 'impairment',
      // Each has its own: no call began it.
      task_id: randomUUID(),
      task_type: NOTIFICATION_TASK_TYPE,
      domain: 'media-buy',
      status: 'completed',
      at,
      message,
      context,
      result: { notification_type: 'impairment', media_buy_id, ...result },
    })
  }
  return deliveries
}
