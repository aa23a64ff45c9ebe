// What one principal may have of everything that is kept for it (spec 8 names no such limits). Beyond it
// the answer says what is full, how full, and what helps.

import { defined } from '../lib/defined.ts'
import { ProtocolError, type TaskError, taskError } from './errors.ts'

interface QuotaRule {
  /** What there is so much of. */
  noun: string
  /** What the caller can do. */
  suggestion: string
}

const QUOTAS = {
  open_tasks: {
    noun: 'tasks that have not ended',
    suggestion: 'wait until some have ended, or cancel some',
  },
  registrations: {
    noun: 'webhook registrations',
    suggestion: 'delete some, or leave push_notification_config out and poll',
  },
  queued_deliveries: {
    noun: 'queued webhook deliveries',
    suggestion:
      'wait until some were delivered, fix the endpoints that do not accept them, or leave the webhook out and poll',
  },
  queued_bytes: {
    noun: 'bytes of queued webhook deliveries',
    suggestion:
      'wait until some were delivered, fix the endpoints that do not accept them, or leave the webhook out and poll',
  },
  creatives: {
    noun: 'creatives in the library',
    suggestion: 'sync over a creative_id that you need no more, such as one that is archived',
  },
  creative_bytes: {
    noun: 'bytes of creatives in the library',
    suggestion: 'give large assets by their url, or sync smaller ones over those there are',
  },
  assignments: {
    noun: 'assignments of one creative',
    suggestion: 'assign another creative to further packages',
  },
  accounts: {
    noun: 'accounts to buy for',
    suggestion: 'buy for an account that you have',
  },
  media_buys: {
    noun: 'media buys',
    suggestion: 'change a buy that you have with update_media_buy instead',
  },
  built_bytes: {
    noun: 'bytes of files that were built for you',
    suggestion: 'wait: files that nobody requests are deleted after 30 days',
  },
  previews: {
    noun: 'previews that have not expired',
    suggestion: 'wait: a preview expires after 24 hours',
  },
  preview_bytes: {
    noun: 'bytes of previews that have not expired',
    suggestion: 'wait: a preview expires after 24 hours',
  },
} as const satisfies Record<string, QuotaRule>

export type Quota = keyof typeof QUOTAS

/** How much of each a principal may have. */
export type QuotaLimits = Readonly<Record<Quota, number>>

export const NO_LIMITS = Object.fromEntries(
  Object.keys(QUOTAS).map((quota) => [quota, Number.POSITIVE_INFINITY]),
) as QuotaLimits

export interface QuotaUse {
  limit: number
  used: number
}

export function quotaError(quota: Quota, { limit, used }: QuotaUse, field?: string): TaskError {
  const { noun, suggestion } = QUOTAS[quota]
  return taskError(
    'QUOTA_EXCEEDED',
    `you have ${used} of at most ${limit} ${noun}: ${suggestion}`,
    {
      suggestion: `${suggestion}; the operator can raise the limit`,
      details: { quota, limit, used },
      ...defined({ field }),
    },
  )
}

export function quotaExceeded(quota: Quota, use: QuotaUse): ProtocolError {
  const { code, message, ...extras } = quotaError(quota, use)
  return new ProtocolError(code, message, extras)
}
