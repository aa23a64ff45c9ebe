// Examines an agent and writes down what came of it, with the event of a status that changed.

import type { Transact, Transaction } from '../../lib/transaction.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { FeedStore } from '../store.ts'
import { type BadgeRole, badgeState, whyWithheld } from './badges.ts'
import { type Examination, evaluateExamination } from './compliance.ts'
import type { ClaimedExamination, ComplianceStore, StoredCompliance } from './store.ts'

export interface CheckPorts {
  transact: Transact
  compliance: ComplianceStore
  feed: FeedStore
  /** Always ends within EXAMINATION_MS. */
  examine(agentUrl: string, signal: AbortSignal): Promise<Examination>
}

/** Longest time of one examination. */
export const EXAMINATION_MS = 120_000
/** A lease of one, which outlives it. */
export const EXAMINATION_LEASE_MS = EXAMINATION_MS * 2
const HOUR_MS = 60 * 60 * 1_000
/** After an examination of which nothing came, because the server died or failed. */
export const EXAMINATION_RETRY_MS = HOUR_MS
export const CHECK_INTERVAL_HOURS = 12

export interface CheckRun {
  triggeredBy: 'schedule' | 'owner'
  /** The only organisation that may see the event; null for an agent that is listed for everybody. */
  visibleTo: string | null
  /** The badge that it may have. */
  role: BadgeRole | undefined
  signal: AbortSignal
}

/** Undefined when it was stopped, or took so long that its lease had ended. */
export async function checkAgent(
  ports: CheckPorts,
  claimed: ClaimedExamination,
  run: CheckRun,
): Promise<StoredCompliance | undefined> {
  const { transact, compliance, examine } = ports
  const { agent_url } = claimed
  const startedMs = performance.now()
  const examination = await examine(agent_url, run.signal).catch(async (error: unknown) => {
    await transact(async (tx) =>
      compliance.release(tx, claimed, (await tx.now()) + EXAMINATION_RETRY_MS),
    )
    throw error
  })
  const duration_ms = Math.round(performance.now() - startedMs)
  return transact(async (tx) => {
    if (!run.signal.aborted) return record(ports, tx, { claimed, run, examination, duration_ms })
    await compliance.release(tx, claimed, await tx.now())
    return undefined
  })
}

interface Examined {
  claimed: ClaimedExamination
  run: CheckRun
  examination: Examination
  duration_ms: number
}

async function record(
  { compliance, feed }: CheckPorts,
  tx: Transaction,
  { claimed, run: { triggeredBy, visibleTo, role }, examination, duration_ms }: Examined,
): Promise<StoredCompliance | undefined> {
  const { agent_url } = claimed
  const now = await tx.now()
  const before = await compliance.lock(tx, claimed)
  if (!before) return undefined
  const checked = evaluateExamination(examination, before.storyboards, now)
  const { status, headline, tracks } = checked
  const isSame = before.status === status
  const after: StoredCompliance = {
    agent_url,
    ...checked,
    last_checked_at: now,
    last_passed_at: status === 'passing' ? now : before.last_passed_at,
    last_failed_at: status === 'failing' ? now : before.last_failed_at,
    status_since: isSame ? before.status_since : now,
    probe: examination.probe ?? null,
  }
  const run = {
    id: uuid7(now),
    agent_url,
    status,
    headline,
    tracks,
    duration_ms,
    triggered_by: triggeredBy,
    tested_at: now,
  }
  await compliance.record(tx, after, { run, nextCheckAt: now + CHECK_INTERVAL_HOURS * HOUR_MS })
  if (!isSame) await appendEvent(feed, tx, { before, after, visibleTo })
  const events = role === undefined ? [] : badgeEvents(role, { before, after, visibleTo, now })
  await feed.append(tx, events)
  return after
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
    before: StoredCompliance
    after: StoredCompliance
    visibleTo: string | null
    now: number
  },
): NewFeedEvent[] {
  const had = badgeState(before, before.last_checked_at) !== 'not verified'
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
    before: StoredCompliance
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
      previous_status: before.status,
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
