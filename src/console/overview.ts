// The overview. Each figure is bounded, and the answer is cached for some seconds, so that many open screens cost as
// much as one.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { ApprovalStore } from '../media-buys/approvals.ts'
import type { ReportStore } from '../media-buys/reporting/report-store.ts'
import type { OutboxOperations, OutboxStore } from '../webhooks/sender/store.ts'
import type { Counted } from './api/common.ts'
import type { Overview, OverviewQuery } from './api/overview.ts'
import { listDeliveries } from './deliveries.ts'
import { iso, type PrincipalNames } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { noticesOf } from './notices.ts'
import { percentile } from './percentiles.ts'
import type { ConsoleQueries, Outcomes } from './queries.ts'
import type { ReceivedQueries } from './received-queries.ts'
import { approvalItemOf, namedIn } from './tasks.ts'

export interface OverviewPorts {
  clock: Clock
  queries: Pick<
    ConsoleQueries,
    'outcomes' | 'delays' | 'retrying' | 'circuits' | 'taskCounts' | 'waitingApprovals'
  >
  outbox: Pick<OutboxStore, 'stats'>
  outboxOperations: OutboxOperations
  reports: Pick<ReportStore, 'missing'>
  approvals: Pick<ApprovalStore, 'list'>
  received: Pick<ReceivedQueries, 'dead'>
  names: PrincipalNames
}

type Range = OverviewQuery['range']

const MINUTE_MS = 60_000
/** How long each range is, and its buckets. */
const RANGES: Readonly<Record<Range, { ms: number; bucketMs: number }>> = {
  '1h': { ms: 60 * MINUTE_MS, bucketMs: MINUTE_MS },
  '24h': { ms: 24 * 60 * MINUTE_MS, bucketMs: 30 * MINUTE_MS },
  '7d': { ms: 7 * 24 * 60 * MINUTE_MS, bucketMs: 3 * 60 * MINUTE_MS },
}
const KEPT_MS = 2_000
const MAX_DELAYS = 5_000
const MAX_COUNT = 10_000
const LATEST = 8

export function overviewHandlers(ports: OverviewPorts): Handlers<'getOverview'> {
  const kept = new Map<Range, { at: number; overview: Promise<Overview> }>()
  const buckets = createBuckets(ports)
  return {
    getOverview: async ({ query: { range } }) => {
      const now = ports.clock.now()
      const known = kept.get(range)
      if (known && now - known.at < KEPT_MS) return known.overview
      const overview = look(ports, buckets, { range, now })
      kept.set(range, { at: now, overview })
      overview.catch(() => kept.delete(range))
      return overview
    },
  }
}

async function look(
  ports: OverviewPorts,
  buckets: Buckets,
  { range, now }: { range: Range; now: number },
): Promise<Overview> {
  const { queries, outbox, reports, approvals, names } = ports
  const since = now - RANGES[range].ms
  const delays = await queries.delays(since, MAX_DELAYS)
  const stats = await outbox.stats()
  const circuits = await queries.circuits()
  const missing = await reports.missing()
  const tasks = await queries.taskCounts(since, MAX_COUNT)
  const waiting = await queries.waitingApprovals(MAX_COUNT)
  const oldest = await approvals.list({ state: 'waiting', limit: LATEST })
  const failed = { status: 'failed', limit: LATEST, since: iso(since) } as const
  const known = await names(namedIn(oldest))
  const returned = {
    deliveries: {
      bucket_seconds: RANGES[range].bucketMs / 1_000,
      buckets: await buckets(range, now),
      delay_ms: {
        sampled: delays.length,
        ...defined({
          p50: percentile(delays, 0.5),
          p95: percentile(delays, 0.95),
          p99: percentile(delays, 0.99),
        }),
      },
    },
    queue: {
      ...stats.waiting,
      retrying: await queries.retrying(),
      oldest_due_ms: stats.oldestDueMs,
      open_circuits: stats.openCircuits,
      paused_endpoints: circuits.paused,
    },
    reports: {
      owed: missing.owed ?? 0,
      late: missing.late ?? 0,
      given_up: missing.given_up ?? 0,
    },
    tasks: [...tasks]
      .filter(([, count]) => count > 0)
      .map(([status, count]) => ({ status, count: countedOf(count) })),
    approvals: { waiting, oldest: oldest.map((approval) => approvalItemOf(approval, known)) },
    latest_failures: (await listDeliveries(ports, failed)).items,
  }
  const dead = await ports.received.dead(MAX_COUNT)
  const notices = noticesOf(returned, { now, openSince: circuits.openSince, dead })
  const level = notices[0]?.level ?? 'good'
  return { at: iso(now), range, level, notices, ...returned }
}

function countedOf(count: number): Counted {
  return count < MAX_COUNT ? count : { at_least: count }
}

type Buckets = (range: Range, now: number) => Promise<Overview['deliveries']['buckets']>

/** How long the contents of a past bucket are cached: an operator may resend failed deliveries. */
const BUCKET_KEPT_MS = 5 * MINUTE_MS

/** Each bucket is a separate short query, so that a busy week does not block the server. */
function createBuckets({ queries }: OverviewPorts): Buckets {
  const kept = new Map<string, { at: number; outcomes: Outcomes }>()
  return async (range, now) => {
    const { ms, bucketMs } = RANGES[range]
    const last = Math.floor(now / bucketMs) * bucketMs
    const starts = Array.from(
      { length: ms / bucketMs },
      (_, n) => last - (ms / bucketMs - 1 - n) * bucketMs,
    )
    const returned: Overview['deliveries']['buckets'] = []
    for (const start of starts) {
      const key = `${range} ${start}`
      const known = kept.get(key)
      const isFresh = known && start !== last && now - known.at < BUCKET_KEPT_MS
      const outcomes = isFresh ? known.outcomes : await queries.outcomes(start, start + bucketMs)
      kept.set(key, { at: isFresh ? known.at : now, outcomes })
      returned.push({ at: iso(start), ...outcomes })
    }
    for (const [key, { at }] of kept) if (now - at > BUCKET_KEPT_MS) kept.delete(key)
    return returned
  }
}
