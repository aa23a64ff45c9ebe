// Display texts for states, each with its tone.

import type { AuditEntry } from '../../src/console/api/audit.ts'
import type { Counted } from '../../src/console/api/common.ts'
import type { Attempt, DeliveryItem } from '../../src/console/api/deliveries.ts'
import type { Examination } from '../../src/console/api/doctor.ts'
import type { EndpointItem } from '../../src/console/api/endpoints.ts'
import type { SigningKey } from '../../src/console/api/keys.ts'
import type { LinkItem, ReportWindowItem } from '../../src/console/api/links.ts'
import type { RecoveryItem } from '../../src/console/api/operations.ts'
import type { ApiKey } from '../../src/console/api/principals.ts'
import type { ReceivedItem } from '../../src/console/api/received.ts'
import type { LibraryItem } from '../../src/console/api/studio.ts'
import type { ApprovalItem, TaskItem } from '../../src/console/api/tasks.ts'
import type { Tone } from './parts/badge.tsx'

export interface Word {
  text: string
  tone: Tone
}

export function deliveryWord({ state, attempts }: Pick<DeliveryItem, 'state' | 'attempts'>): Word {
  switch (state) {
    case 'pending':
      return attempts > 0 ? { text: 'retrying', tone: 'warn' } : { text: 'waiting', tone: 'info' }
    case 'leased':
      return { text: 'sending', tone: 'info' }
    case 'held':
      return { text: 'held', tone: 'warn' }
    case 'delivered':
      return { text: 'delivered', tone: 'good' }
    case 'exhausted':
      return { text: 'failed permanently', tone: 'bad' }
    case 'cancelled':
      return { text: 'cancelled', tone: 'idle' }
  }
}

export const ATTEMPT_WORDS: Readonly<Record<Attempt['status'], Word>> = {
  success: { text: 'acknowledged', tone: 'good' },
  failed: { text: 'refused', tone: 'bad' },
  timeout: { text: 'timed out', tone: 'bad' },
  connection_error: { text: 'no connection', tone: 'bad' },
  pending: { text: 'under way', tone: 'info' },
}

export const ENDPOINT_WORDS: Readonly<Record<EndpointItem['state'], Word>> = {
  healthy: { text: 'healthy', tone: 'good' },
  failing: { text: 'failing', tone: 'warn' },
  open: { text: 'circuit open', tone: 'bad' },
  paused: { text: 'paused', tone: 'idle' },
  gone: { text: 'gone', tone: 'bad' },
  unused: { text: 'unused', tone: 'idle' },
}

export const RECOVERY_WORDS: Readonly<Record<RecoveryItem['state'], Word>> = {
  counting: { text: 'counting', tone: 'info' },
  sending: { text: 'sending', tone: 'info' },
  finished: { text: 'finished', tone: 'good' },
  cancelled: { text: 'cancelled', tone: 'idle' },
}

export const RECEIVED_WORDS: Readonly<Record<ReceivedItem['state'], Word>> = {
  pending: { text: 'waiting', tone: 'info' },
  leased: { text: 'applying', tone: 'info' },
  applied: { text: 'applied', tone: 'good' },
  stale: { text: 'superseded', tone: 'idle' },
  dead: { text: 'dead letter', tone: 'bad' },
}

export const TASK_WORDS: Readonly<Record<TaskItem['status'], Word>> = {
  submitted: { text: 'submitted', tone: 'info' },
  working: { text: 'working', tone: 'info' },
  'input-required': { text: 'input required', tone: 'warn' },
  completed: { text: 'completed', tone: 'good' },
  failed: { text: 'failed', tone: 'bad' },
  canceled: { text: 'canceled', tone: 'idle' },
  rejected: { text: 'rejected', tone: 'bad' },
}

export const APPROVAL_WORDS: Readonly<Record<ApprovalItem['state'], Word>> = {
  waiting: { text: 'waiting', tone: 'warn' },
  approved: { text: 'approved', tone: 'good' },
  rejected: { text: 'rejected', tone: 'bad' },
  withdrawn: { text: 'withdrawn', tone: 'idle' },
}

export const CREATIVE_WORDS: Readonly<Record<LibraryItem['status'], Word>> = {
  processing: { text: 'processing', tone: 'info' },
  pending_review: { text: 'in review', tone: 'warn' },
  approved: { text: 'approved', tone: 'good' },
  suspended: { text: 'suspended', tone: 'warn' },
  rejected: { text: 'rejected', tone: 'bad' },
  archived: { text: 'archived', tone: 'idle' },
}

export function examinationWord({ state, summary }: Pick<Examination, 'state' | 'summary'>): Word {
  switch (state) {
    case 'running':
      return { text: 'running', tone: 'info' }
    case 'stopped':
      return { text: 'stopped', tone: 'warn' }
    case 'broken':
      return { text: 'not made', tone: 'bad' }
    case 'done':
      return summary.failed > 0
        ? { text: `${summary.failed} failed`, tone: 'bad' }
        : { text: 'nothing found', tone: 'good' }
  }
}

export const AUDIT_WORDS: Readonly<Record<AuditEntry['outcome'], Word>> = {
  done: { text: 'done', tone: 'good' },
  refused: { text: 'refused', tone: 'bad' },
}

export const SIGNING_KEY_WORDS: Readonly<Record<SigningKey['state'], Word>> = {
  published: { text: 'published', tone: 'info' },
  active: { text: 'signs', tone: 'good' },
  retiring: { text: 'retiring', tone: 'warn' },
  removed: { text: 'removed', tone: 'idle' },
  revoked: { text: 'revoked', tone: 'bad' },
}

/** Of keys and links alike. */
export const VALIDITY_WORDS: Readonly<Record<(ApiKey | LinkItem)['state'], Word>> = {
  good: { text: 'good', tone: 'good' },
  expired: { text: 'expired', tone: 'idle' },
  revoked: { text: 'revoked', tone: 'bad' },
}

export const REPORT_WORDS: Readonly<Record<ReportWindowItem['state'], Word>> = {
  owed: { text: 'owed', tone: 'info' },
  sent: { text: 'on its way', tone: 'info' },
  delivered: { text: 'delivered', tone: 'good' },
  late: { text: 'late', tone: 'warn' },
  given_up: { text: 'failed permanently', tone: 'bad' },
}

/** The server's texts begin in lower case and have no full stop: they also appear in logs. */
export function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** `more than 1,000` if the count stopped early. */
export function countText(count: Counted): string {
  return typeof count === 'number'
    ? count.toLocaleString()
    : `more than ${count.at_least.toLocaleString()}`
}

/** A name of the protocol as words: `create_media_buy` is `create media buy`. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}

/** The same with a capital letter. */
export function titled(name: string): string {
  return (name.charAt(0).toUpperCase() + spaced(name.slice(1))).replaceAll('-', ' ')
}

export function money(amount: number | null, currency: string): string {
  if (amount === null) return 'Invalid amount'
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
  } catch {
    // A currency that the browser does not support.
    return `${amount.toLocaleString()} ${currency}`
  }
}

/** The host and path of a URL, which distinguishes endpoints at a glance. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
