// The storage limits of one principal (spec 8 names no such limits). The error says which limit is reached, the
// current usage, and what helps.

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
    suggestion: 'Wait until some have ended, or cancel some.',
  },
  registrations: {
    noun: 'webhook registrations',
    suggestion: 'Delete some, or omit push_notification_config and poll.',
  },
  queued_deliveries: {
    noun: 'queued webhook deliveries',
    suggestion:
      'Wait until some are delivered, fix the endpoints that do not accept them, or omit the webhook and poll.',
  },
  queued_bytes: {
    noun: 'bytes of queued webhook deliveries',
    suggestion:
      'Wait until some are delivered, fix the endpoints that do not accept them, or omit the webhook and poll.',
  },
  creatives: {
    noun: 'creatives in the library',
    suggestion: 'Sync over a creative_id that you no longer need, such as an archived one.',
  },
  creative_bytes: {
    noun: 'bytes of creatives in the library',
    suggestion: 'Send large assets by url, or replace existing creatives with smaller ones.',
  },
  assignments: {
    noun: 'assignments of one creative',
    suggestion: 'Assign another creative to the other packages.',
  },
  accounts: {
    noun: 'accounts to buy for',
    suggestion: 'Use an existing account.',
  },
  media_buys: {
    noun: 'media buys',
    suggestion: 'Change an existing buy with update_media_buy.',
  },
  built_bytes: {
    noun: 'bytes of files that were built for you',
    suggestion: 'Wait: files that are not requested are deleted after 30 days.',
  },
  previews: {
    noun: 'previews that have not expired',
    suggestion: 'Wait: a preview expires after 24 hours.',
  },
  preview_bytes: {
    noun: 'bytes of previews that have not expired',
    suggestion: 'Wait: a preview expires after 24 hours.',
  },
} as const satisfies Record<string, QuotaRule>

export type Quota = keyof typeof QUOTAS

/** The maximum number of each for a principal. */
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
  return taskError('QUOTA_EXCEEDED', `you have ${used} of at most ${limit} ${noun}`, {
    suggestion: `${suggestion} Or ask the operator to raise the limit.`,
    details: { quota, limit, used },
    ...defined({ field }),
  })
}

export function quotaExceeded(quota: Quota, use: QuotaUse): ProtocolError {
  const { code, message, ...extras } = quotaError(quota, use)
  return new ProtocolError(code, message, extras)
}

/** Fixed limits that an operator cannot raise. */
export function keptExceeded(noun: string, { limit, used }: QuotaUse): ProtocolError {
  return new ProtocolError('QUOTA_EXCEEDED', `you have ${used} of at most ${limit} ${noun}`, {
    details: { limit, used },
  })
}
