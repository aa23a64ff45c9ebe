// Whether anything is wrong, where, and since when: a sentence for each figure that should be zero and is not.

import { defined } from '../lib/defined.ts'
import type { Notice, Overview } from './api/overview.ts'
import { iso } from './format-values.ts'

type Figures = Pick<
  Overview,
  'deliveries' | 'queue' | 'reports' | 'tasks' | 'approvals' | 'latest_failures'
>

/** Deliveries overdue for longer than this mean that sending does not keep up. */
const LATE_MS = 60_000

/** What is checked in addition to the figures. */
interface Beside {
  now: number
  openSince: number | undefined
  /** Received messages that could not be applied. */
  dead: { count: number; since: number | undefined }
}

/** The worst first; empty when nothing is wrong. */
export function noticesOf(
  { deliveries, queue, reports, approvals, tasks }: Figures,
  { now, openSince, dead }: Beside,
): Notice[] {
  const lost = deliveries.buckets.reduce((sum, { exhausted }) => sum + exhausted, 0)
  const firstLost = deliveries.buckets.find(({ exhausted }) => exhausted > 0)
  const failed = tasks.find(({ status }) => status === 'failed')
  const failures = failed === undefined ? 0 : numberOf(failed.count)
  const dueSince = iso(now - queue.oldest_due_ms)
  const [oldest] = approvals.oldest
  const notices: (Notice | false)[] = [
    lost > 0 && {
      level: 'bad',
      topic: 'deliveries',
      message: `${many(lost, 'delivery was', 'deliveries were')} abandoned after the last retry`,
      ...defined({ since: firstLost?.at }),
    },
    reports.given_up > 0 && {
      level: 'bad',
      topic: 'reports',
      message: `${many(reports.given_up, 'report was', 'reports were')} abandoned after the last retry`,
    },
    dead.count > 0 && {
      level: 'bad',
      topic: 'received',
      message: `${many(dead.count, 'received message', 'received messages')} could not be applied`,
      ...defined({ since: dead.since === undefined ? undefined : iso(dead.since) }),
    },
    queue.open_circuits > 0 && {
      level: 'warn',
      topic: 'endpoints',
      message: `${many(queue.open_circuits, 'endpoint fails: what is for it is', 'endpoints fail: what is for them is')} held`,
      ...defined({ since: openSince === undefined ? undefined : iso(openSince) }),
    },
    queue.oldest_due_ms > LATE_MS && {
      level: 'warn',
      topic: 'deliveries',
      since: dueSince,
      message: 'deliveries are queued faster than they are sent',
    },
    queue.retrying > 0 && {
      level: 'warn',
      topic: 'deliveries',
      message: `${many(queue.retrying, 'delivery', 'deliveries')} failed and will be retried`,
    },
    reports.late > 0 && {
      level: 'warn',
      topic: 'reports',
      message: `${many(reports.late, 'report is', 'reports are')} late`,
    },
    queue.paused_endpoints > 0 && {
      level: 'warn',
      topic: 'endpoints',
      message: `${many(queue.paused_endpoints, 'endpoint is', 'endpoints are')} paused`,
    },
    failures > 0 && {
      level: 'warn',
      topic: 'tasks',
      message: `${many(failures, 'task', 'tasks')} failed`,
    },
    approvals.waiting > 0 && {
      level: 'warn',
      topic: 'approvals',
      message: `${many(approvals.waiting, 'media buy waits', 'media buys wait')} for approval`,
      ...defined({ since: oldest?.created_at }),
    },
  ]
  return notices.filter((notice) => notice !== false)
}

function many(count: number, one: string, several: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${several}`
}

function numberOf(count: number | { at_least: number }): number {
  return typeof count === 'number' ? count : count.at_least
}
