// The compliance of an agent in the shapes of the public registry. Only the owner of the agent sees what failed
// first.

import { z } from 'zod'
import {
  CHECK_INTERVAL_HOURS,
  isoOf,
  passingOf,
  summaryOf,
} from '../../../registry/compliance/check-agent.ts'
import { COMPLIANCE_STATUSES } from '../../../registry/compliance/compliance.ts'
import type { StoredCompliance } from '../../../registry/compliance/store.ts'

export const status = z.enum(COMPLIANCE_STATUSES)
const time = z.string().nullable()
export const count = z.number().int()
export const tracks = z.record(z.string(), z.string())
export const summary = {
  status,
  lifecycle_stage: z.literal('production'),
  tracks,
  streak_days: count,
  last_checked_at: time,
  headline: z.string().nullable().describe('Why the status is what it is'),
}
export const storyboard = z.object({
  storyboard_id: z.string(),
  title: z.string(),
  category: z.string().nullable(),
  track: z.string().nullable(),
  status: z.enum(['passing', 'failing', 'partial', 'untested']),
  steps_passed: count,
  steps_total: count,
  failure_count: count,
  skipped_count: count,
  first_failed_step_id: z.string().nullable(),
  first_failed_step_title: z.string().nullable(),
  first_failed_step_task: z.string().nullable(),
  first_failure_message: z.string().nullable().describe('For the owner of the agent alone'),
  last_tested_at: time,
  last_passed_at: time,
})
export const detail = z.object({
  agent_url: z.string(),
  ...summary,
  compliance_opt_out: z.literal(false),
  last_passed_at: time,
  last_failed_at: time,
  status_changed_at: time,
  storyboards_passing: count,
  storyboards_total: count,
  check_interval_hours: count,
  storyboard_statuses: z.array(storyboard),
})

export function detailOf(
  stored: StoredCompliance,
  { now, isOwner }: { now: number; isOwner: boolean },
) {
  return {
    agent_url: stored.agent_url,
    ...summaryOf(stored, now),
    compliance_opt_out: false as const,
    last_passed_at: isoOf(stored.last_passed_at),
    last_failed_at: isoOf(stored.last_failed_at),
    status_changed_at: isoOf(stored.status_since),
    storyboards_passing: passingOf(stored),
    storyboards_total: stored.storyboards.length,
    check_interval_hours: CHECK_INTERVAL_HOURS,
    storyboard_statuses: storyboardsOf(stored, isOwner),
  }
}

export function storyboardsOf({ storyboards }: StoredCompliance, isOwner: boolean) {
  return storyboards.map((one) => ({
    ...one,
    category: 'doctor',
    track: one.storyboard_id.replace(/^doctor_/, ''),
    first_failed_step_id: isOwner ? one.first_failed_step_id : null,
    first_failed_step_title: isOwner ? one.first_failed_step_title : null,
    first_failed_step_task: null,
    first_failure_message: isOwner ? one.first_failure_message : null,
    last_tested_at: isoOf(one.last_tested_at),
    last_passed_at: isoOf(one.last_passed_at),
  }))
}
