// Quotas of one principal for everything that is stored for it, as settings.

import type { QuotaLimits } from '../protocol/quota.ts'
import { integer } from './setting.ts'

const MOST = 1_000_000_000
const MOST_BYTES = 1_000_000_000_000_000

export const QUOTA_SETTINGS = {
  maxOpenTasks: integer({
    env: 'ADWIRE_MAX_OPEN_TASKS',
    about: 'Maximum number of running tasks per principal.',
    default: '10000',
    min: 1,
    max: 1_000_000,
  }),
  maxRegistrations: integer({
    env: 'ADWIRE_MAX_REGISTRATIONS',
    about:
      'Maximum number of webhook registrations per principal; those of a task are kept for 90 days.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxQueuedDeliveries: integer({
    env: 'ADWIRE_MAX_QUEUED_DELIVERIES',
    about:
      'Maximum number of queued webhook deliveries per principal. At the limit, calls that would add some are refused; reports and impairments wait.',
    default: '100000',
    min: 1,
    max: MOST,
  }),
  maxQueuedBytes: integer({
    env: 'ADWIRE_MAX_QUEUED_BYTES',
    about: 'Maximum size of the queued webhook deliveries per principal, in bytes.',
    default: '536870912',
    min: 1,
    max: MOST_BYTES,
  }),
  maxCreatives: integer({
    env: 'ADWIRE_MAX_CREATIVES',
    about: 'Maximum number of creatives in the library of a principal, including archived ones.',
    default: '100000',
    min: 1,
    max: MOST,
  }),
  maxCreativeBytes: integer({
    env: 'ADWIRE_MAX_CREATIVE_BYTES',
    about: 'Maximum size of all creatives in the library of a principal, in bytes.',
    default: '2147483648',
    min: 1,
    max: MOST_BYTES,
  }),
  maxAssignments: integer({
    env: 'ADWIRE_MAX_ASSIGNMENTS',
    about: 'Maximum number of packages that one creative may be assigned to.',
    default: '1000',
    min: 1,
    max: 1_000_000,
  }),
  maxAccounts: integer({
    env: 'ADWIRE_MAX_ACCOUNTS',
    about: 'Maximum number of accounts that a principal buys for, including closed ones.',
    default: '10000',
    min: 1,
    max: 1_000_000,
  }),
  maxMediaBuys: integer({
    env: 'ADWIRE_MAX_MEDIA_BUYS',
    about: 'Maximum number of media buys per principal, including ended ones.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxBuiltBytes: integer({
    env: 'ADWIRE_MAX_BUILT_BYTES',
    about: 'Maximum size of the built files kept per principal, in bytes.',
    default: '5368709120',
    min: 1,
    max: MOST_BYTES,
  }),
  maxPreviews: integer({
    env: 'ADWIRE_MAX_PREVIEWS',
    about: 'Maximum number of unexpired previews per principal.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxPreviewBytes: integer({
    env: 'ADWIRE_MAX_PREVIEW_BYTES',
    about:
      'Maximum size of the unexpired previews per principal, in bytes; identical previews requested again soon count once.',
    default: '2147483648',
    min: 1,
    max: MOST_BYTES,
  }),
} as const

export function quotaLimits(
  config: Readonly<Record<keyof typeof QUOTA_SETTINGS, number>>,
): QuotaLimits {
  return {
    open_tasks: config.maxOpenTasks,
    registrations: config.maxRegistrations,
    queued_deliveries: config.maxQueuedDeliveries,
    queued_bytes: config.maxQueuedBytes,
    creatives: config.maxCreatives,
    creative_bytes: config.maxCreativeBytes,
    assignments: config.maxAssignments,
    accounts: config.maxAccounts,
    media_buys: config.maxMediaBuys,
    built_bytes: config.maxBuiltBytes,
    previews: config.maxPreviews,
    preview_bytes: config.maxPreviewBytes,
  }
}
