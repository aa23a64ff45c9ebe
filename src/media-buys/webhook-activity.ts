// `webhook_activity` of get_media_buys (spec 2.12): what happened to the caller's own webhooks about a buy, an entry
// for each attempt, the newest first, without secrets. It is omitted if it was not requested, if no webhook was ever
// registered, and if records are kept for less than 30 days; empty if there is a webhook and it has not fired.

import type { MediaBuy } from '../protocol/schemas/media-buy.ts'
import type { WebhookActivity } from '../protocol/schemas/webhook-activity.ts'
import type { ActivityRecord, ActivityStore, ChannelStore } from '../webhooks/sender/store.ts'
import { subjectOfBuy, subjectOfReports } from './buy-channels.ts'
import { type BuyView, DEFAULT_ACTIVITY } from './fill-buy-page.ts'
import type { MediaBuyRecord } from './media-buy.ts'

export interface ActivityPorts {
  activity: ActivityStore
  channels: Pick<ChannelStore, 'list'>
  /** How long records are kept, in days. */
  historyDays: number
}

const LEAST_DAYS = 30
const MAX_ERROR_MESSAGE = 500

export function activityView({ activity, channels, historyDays }: ActivityPorts): BuyView {
  return {
    membersOf: async (buys, request, owner) => {
      const returned = new Map<string, Partial<MediaBuy>>()
      if (request.include_webhook_activity !== true || historyDays < LEAST_DAYS) return returned
      const limit = request.webhook_activity_limit ?? DEFAULT_ACTIVITY
      // The owner is checked again: no caller receives another's fires, whatever buys were found.
      const own = buys.filter((buy) => buy.owner === owner)
      const found = await activity.ofSubjects(owner, own.flatMap(subjectsOf), limit)
      for (const buy of own) {
        const records = subjectsOf(buy).flatMap((subject) => found.get(subject) ?? [])
        if (records.length === 0 && !(await hasChannel(channels, buy))) continue
        returned.set(buy.media_buy_id, {
          webhook_activity: newest(records, limit).map(serializeAttempt),
        })
      }
      return returned
    },
  }
}

function subjectsOf({ media_buy_id }: Pick<MediaBuyRecord, 'media_buy_id'>): string[] {
  return [subjectOfBuy(media_buy_id), subjectOfReports(media_buy_id)]
}

async function hasChannel(
  channels: ActivityPorts['channels'],
  buy: MediaBuyRecord,
): Promise<boolean> {
  for (const subject of subjectsOf(buy)) {
    if ((await channels.list(buy.owner, subject)).length > 0) return true
  }
  return false
}

/** Merges several lists that are each in this order. */
function newest(records: readonly ActivityRecord[], limit: number): ActivityRecord[] {
  return [...records].sort((one, other) => other.fired_at - one.fired_at).slice(0, limit)
}

/** @internal */
export function serializeAttempt(record: ActivityRecord): WebhookActivity {
  const { idempotency_key, notification_type, sequence_number, attempt, status } = record
  const { completed_at, http_status_code, response_time_ms, error_message } = record
  return {
    idempotency_key,
    fired_at: isoOf(record.fired_at),
    completed_at: completed_at === undefined ? null : isoOf(completed_at),
    notification_type,
    ...(sequence_number === undefined ? {} : { sequence_number }),
    attempt,
    status,
    url: displayUrl(record.url),
    http_status_code: http_status_code ?? null,
    response_time_ms: response_time_ms ?? null,
    payload_size_bytes: record.payload_size_bytes,
    error_message: error_message?.slice(0, MAX_ERROR_MESSAGE) ?? null,
  }
}

/** Without query and fragment, and without parts of the path that look like a secret. */
export function displayUrl(url: string): string {
  const [bare = ''] = url.split(/[?#]/, 1)
  const [scheme, , authority, ...path] = bare.split('/')
  const host = authority?.slice(authority.lastIndexOf('@') + 1)
  return [scheme, '', host, ...path.map((part) => (isTokenLike(part) ? REDACTED : part))].join('/')
}

const REDACTED = '[redacted]'
const LEAST_TOKEN = 16

/** Long, consisting of token characters, and containing letters and digits: not a word of a language. */
function isTokenLike(part: string): boolean {
  if (part.length < LEAST_TOKEN) return false
  const isPlain = /^[A-Za-z0-9._~%=+-]*$/.test(part)
  return !isPlain || (/[A-Za-z]/.test(part) && /\d/.test(part)) || /^\d*$/.test(part)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
