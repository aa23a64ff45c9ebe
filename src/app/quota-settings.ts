// Quotas of one principal for everything that is stored for it, as settings.

import type { QuotaLimits } from '../protocol/quota.ts'
import { integer } from './setting.ts'

const MOST = 1_000_000_000
const MOST_BYTES = 1_000_000_000_000_000

export const QUOTA_SETTINGS = {
  maxOpenTasks: integer({
    env: 'ADWIRE_MAX_OPEN_TASKS',
    about: 'Tasks of one principal that have not ended.',
    default: '10000',
    min: 1,
    max: 1_000_000,
  }),
  maxRegistrations: integer({
    env: 'ADWIRE_MAX_REGISTRATIONS',
    about: 'Webhook registrations of one principal; those of a task are kept for 90 days.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxQueuedDeliveries: integer({
    env: 'ADWIRE_MAX_QUEUED_DELIVERIES',
    about:
      'Queued webhook deliveries of one principal. At the limit, calls that would add some are refused; reports and impairments wait.',
    default: '100000',
    min: 1,
    max: MOST,
  }),
  maxQueuedBytes: integer({
    env: 'ADWIRE_MAX_QUEUED_BYTES',
    about: 'Bytes of the queued webhook deliveries of one principal.',
    default: '536870912',
    min: 1,
    max: MOST_BYTES,
  }),
  maxCreatives: integer({
    env: 'ADWIRE_MAX_CREATIVES',
    about: 'Creatives in the library of one principal, archived ones included.',
    default: '100000',
    min: 1,
    max: MOST,
  }),
  maxCreativeBytes: integer({
    env: 'ADWIRE_MAX_CREATIVE_BYTES',
    about: 'Bytes of all creatives in the library of one principal.',
    default: '2147483648',
    min: 1,
    max: MOST_BYTES,
  }),
  maxAssignments: integer({
    env: 'ADWIRE_MAX_ASSIGNMENTS',
    about: 'Packages that one creative may be assigned to.',
    default: '1000',
    min: 1,
    max: 1_000_000,
  }),
  maxAccounts: integer({
    env: 'ADWIRE_MAX_ACCOUNTS',
    about: 'Accounts that one principal buys for, closed ones included.',
    default: '10000',
    min: 1,
    max: 1_000_000,
  }),
  maxMediaBuys: integer({
    env: 'ADWIRE_MAX_MEDIA_BUYS',
    about: 'Media buys of one principal, ended ones included.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxBuiltBytes: integer({
    env: 'ADWIRE_MAX_BUILT_BYTES',
    about: 'Bytes of the files that were built for one principal and are kept.',
    default: '5368709120',
    min: 1,
    max: MOST_BYTES,
  }),
  maxPreviews: integer({
    env: 'ADWIRE_MAX_PREVIEWS',
    about: 'Previews of one principal that have not expired.',
    default: '1000000',
    min: 1,
    max: MOST,
  }),
  maxPreviewBytes: integer({
    env: 'ADWIRE_MAX_PREVIEW_BYTES',
    about:
      'Bytes of unexpired previews of one principal; equal previews requested again soon count once.',
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
