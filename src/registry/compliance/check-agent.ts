// Examines an agent and stores the result, with an event if the status changed: when its owner requests it, and on a
// schedule for every published agent.

import { createPoller, type Poller } from '../../lib/poller.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { AgentDirectory } from '../directory/store.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { FeedStore } from '../store.ts'
import { type BadgeRole, badgeState, roleOf, whyWithheld } from './badges.ts'
import { type Examination, evaluateExamination } from './compliance.ts'
import type { ComplianceStore, StoredCompliance } from './store.ts'

export interface CheckPorts {
  transact: Transact
  compliance: ComplianceStore
  feed: FeedStore
  /** Always ends within EXAMINATION_MS. */
  examine(agentUrl: string, signal: AbortSignal): Promise<Examination>
}

/** Longest time of one examination. */
export const EXAMINATION_MS = 120_000
const HOUR_MS = 60 * 60 * 1_000
export const CHECK_INTERVAL_HOURS = 12

export interface CheckRun {
  triggeredBy: 'schedule' | 'owner'
  /** The only organisation that may see the event; null for an agent that is listed for everybody. */
  visibleTo: string | null
  /** The badge that it may have. */
  role: BadgeRole | undefined
  signal: AbortSignal
}

export async function checkAgent(
  { transact, compliance, feed, examine }: CheckPorts,
  agentUrl: string,
  { triggeredBy, visibleTo, role, signal }: CheckRun,
): Promise<StoredCompliance | undefined> {
  const startedMs = performance.now()
  const examination = await examine(agentUrl, signal)
  if (signal.aborted) return undefined
  const duration_ms = Math.round(performance.now() - startedMs)
  return transact(async (tx) => {
    const now = await tx.now()
    const before = await compliance.lock(tx, agentUrl)
    const checked = evaluateExamination(examination, before?.storyboards ?? [], now)
    const { status, headline, tracks } = checked
    const isSame = before?.status === status
    const after: StoredCompliance = {
      agent_url: agentUrl,
      ...checked,
      last_checked_at: now,
      last_passed_at: status === 'passing' ? now : (before?.last_passed_at ?? 0),
      last_failed_at: status === 'failing' ? now : (before?.last_failed_at ?? 0),
      status_since: isSame ? before.status_since : now,
    }
    const run = {
      id: uuid7(now),
      agent_url: agentUrl,
      status,
      headline,
      tracks,
      duration_ms,
      triggered_by: triggeredBy,
      tested_at: now,
    }
    await compliance.record(tx, after, run, now + CHECK_INTERVAL_HOURS * HOUR_MS)
    if (!isSame) await appendEvent(feed, tx, { before, after, visibleTo })
    const events = role === undefined ? [] : badgeEvents(role, { before, after, visibleTo, now })
    await feed.append(tx, events)
    return after
  })
}

/** A badge that was lost only because time passed is reported with the examination that detects it. */
function badgeEvents(
  role: BadgeRole,
  {
    before,
    after,
    visibleTo,
    now,
  }: {
    before: StoredCompliance | undefined
    after: StoredCompliance
    visibleTo: string | null
    now: number
  },
): NewFeedEvent[] {
  const had = badgeState(before, before?.last_checked_at ?? 0) !== 'not verified'
  const has = badgeState(after, now) !== 'not verified'
  if (had === has) return []
  const { agent_url } = after
  return [
    {
      event_type: has ? 'agent.verification_earned' : 'agent.verification_lost',
      entity_type: 'agent',
      entity_id: agent_url,
      payload: {
        agent_url,
        role,
        ...(has ? { verified_specialisms: [] } : { reason: whyWithheld(after) }),
      },
      actor: 'system',
      visibleTo,
    },
  ]
}

async function appendEvent(
  feed: FeedStore,
  tx: Transaction,
  {
    before,
    after,
    visibleTo,
  }: {
    before: StoredCompliance | undefined
    after: StoredCompliance
    visibleTo: string | null
  },
): Promise<void> {
  const { agent_url, status, headline, tracks, storyboards } = after
  const event: NewFeedEvent = {
    event_type: 'agent.compliance_changed',
    entity_type: 'agent',
    entity_id: agent_url,
    payload: {
      agent_url,
      previous_status: before?.status ?? 'unknown',
      current_status: status,
      headline,
      tracks,
      storyboards_passing: passingOf(after),
      storyboards_total: storyboards.length,
      storyboards: storyboards.map(({ storyboard_id, status: of, steps_passed, steps_total }) => ({
        storyboard_id,
        status: of,
        steps_passed,
        steps_total,
      })),
      compliance_summary: summaryOf(after, await tx.now()),
    },
    actor: 'system',
    visibleTo,
  }
  await feed.append(tx, [event])
}

export function passingOf({ storyboards }: StoredCompliance): number {
  return storyboards.filter(({ status }) => status === 'passing').length
}

const DAY_MS = 24 * HOUR_MS

export function summaryOf(
  { status, tracks, headline, last_checked_at, status_since }: StoredCompliance,
  now: number,
) {
  const isPassing = status === 'passing'
  return {
    status,
    lifecycle_stage: 'production' as const,
    tracks,
    streak_days: isPassing ? Math.floor((now - status_since) / DAY_MS) : 0,
    last_checked_at: isoOf(last_checked_at),
    headline,
  }
}

export function isoOf(time: number): string | null {
  return time === 0 ? null : new Date(time).toISOString()
}

const POLL_MS = 60_000
/** A published agent is first examined after this time. */
const FIRST_MS = HOUR_MS
const ADDED_AT_ONCE = 500

/** One examination at a time: it is slow, and nobody waits for it. */
export function createComplianceWorker(
  ports: CheckPorts & {
    directory: Pick<AgentDirectory, 'get'>
    onFault: (error: unknown) => void
  },
): Poller {
  const { transact, compliance } = ports
  return createPoller({
    name: 'worker: examine published agents',
    intervalMs: POLL_MS,
    onFault: ports.onFault,
    round: async (signal) => {
      const agent = await transact(async (tx) => {
        const at = (await tx.now()) + FIRST_MS
        await compliance.addPublished(tx, { at, limit: ADDED_AT_ONCE })
        return compliance.claimDue(tx, EXAMINATION_MS * 2)
      })
      if (agent === undefined) return false
      const listed = await ports.directory.get({ isMember: false }, agent)
      const role = listed && roleOf(listed.type)
      await checkAgent(ports, agent, { triggeredBy: 'schedule', visibleTo: null, role, signal })
      return true
    },
  })
}
