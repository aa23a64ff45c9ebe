// The result of an examination of an agent: a status, a sentence, and how each group of checks ended.

import type { AgentProbe } from './probe.ts'

/** A check of an examination, reduced to what is needed here. @internal */
export interface CheckOutcome {
  id: string
  group: string
  title: string
  state: 'passed' | 'failed' | 'skipped'
  /** What is wrong, for a failed check. */
  what?: string | undefined
}

export interface Examination {
  /** Whether anybody was there. */
  isReached: boolean
  checks: readonly CheckOutcome[]
  /** What it is and can do, if that was asked. */
  probe?: AgentProbe | undefined
}

export const COMPLIANCE_STATUSES = ['passing', 'degraded', 'failing', 'unknown'] as const
export type ComplianceStatus = (typeof COMPLIANCE_STATUSES)[number]
type TrackStatus = 'pass' | 'fail' | 'partial' | 'skip'

/** One group of checks, in the shape of a storyboard. */
export interface GroupStatus {
  storyboard_id: string
  title: string
  status: 'passing' | 'failing' | 'partial' | 'untested'
  steps_passed: number
  steps_total: number
  failure_count: number
  skipped_count: number
  /** For the owner of the agent alone. */
  first_failed_step_id: string | null
  first_failed_step_title: string | null
  first_failure_message: string | null
  last_tested_at: number
  last_passed_at: number
}

export interface ComplianceVerdict {
  status: ComplianceStatus
  headline: string
  tracks: Record<string, TrackStatus>
  storyboards: GroupStatus[]
}

/** Failed checks per hundred completed ones, up to which an agent is degraded and not failing. */
const DEGRADED_PERCENT = 25

export function evaluateExamination(
  { isReached, checks }: Examination,
  before: readonly GroupStatus[],
  now: number,
): ComplianceVerdict {
  const passed = new Map(before.map((one) => [one.storyboard_id, one.last_passed_at]))
  const groups = [...new Set(checks.map(({ group }) => group))]
  const storyboards = groups.map((group) => {
    const own = checks.filter((check) => check.group === group)
    return evaluateGroup(group, own, { passedAt: passed.get(idOf(group)) ?? 0, now })
  })
  const failed = checks.filter(({ state }) => state === 'failed')
  const checked = checks.filter(({ state }) => state !== 'skipped').length
  const tracks = groups.map((group, index) => [group, trackOf(storyboards[index])] as const)
  return {
    status: statusOf({ isReached, failed: failed.length, checked }),
    headline: headlineOf({ isReached, failed, checked }),
    tracks: Object.fromEntries(tracks),
    storyboards,
  }
}

function statusOf(counts: { isReached: boolean; failed: number; checked: number }) {
  const { isReached, failed, checked } = counts
  if (!isReached) return 'failing' as const
  if (checked === 0) return 'unknown' as const
  if (failed === 0) return 'passing' as const
  return failed * 100 <= checked * DEGRADED_PERCENT ? ('degraded' as const) : ('failing' as const)
}

const MAX_HEADLINE_CHARS = 300

function headlineOf({
  isReached,
  failed,
  checked,
}: {
  isReached: boolean
  failed: readonly CheckOutcome[]
  checked: number
}): string {
  const [first] = failed
  const what = first?.what ?? first?.title ?? ''
  const text = !isReached
    ? `The agent could not be reached${what && `: ${what}`}`
    : first
      ? `${failed.length} of ${checked} checks failed, the first: ${what}`
      : checked === 0
        ? 'No check could be run'
        : `All ${checked} checks that could be run passed`
  return text.slice(0, MAX_HEADLINE_CHARS)
}

function idOf(group: string): string {
  return `doctor_${group.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}`
}

function evaluateGroup(
  group: string,
  checks: readonly CheckOutcome[],
  { passedAt, now }: { passedAt: number; now: number },
): GroupStatus {
  const count = (state: CheckOutcome['state']) =>
    checks.filter((check) => check.state === state).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  const first = checks.find(({ state }) => state === 'failed')
  const status =
    passed + failed === 0
      ? 'untested'
      : failed === 0
        ? 'passing'
        : passed === 0
          ? 'failing'
          : 'partial'
  return {
    storyboard_id: idOf(group),
    title: `Checks of ${group}`,
    status,
    steps_passed: passed,
    steps_total: passed + failed,
    failure_count: failed,
    skipped_count: skipped,
    first_failed_step_id: first?.id ?? null,
    first_failed_step_title: first?.title ?? null,
    first_failure_message: first?.what?.slice(0, MAX_HEADLINE_CHARS) ?? null,
    last_tested_at: now,
    last_passed_at: status === 'passing' ? now : passedAt,
  }
}

function trackOf(group: GroupStatus | undefined): TrackStatus {
  switch (group?.status) {
    case 'passing':
      return 'pass'
    case 'failing':
      return 'fail'
    case 'partial':
      return 'partial'
    default:
      return 'skip'
  }
}
