// Doctor runs in progress and the reports of recent ones: in memory, limited in number, the latest one of each
// address.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import type { CheckResult, Examination, ExaminationDetails, ExamineBody } from './api/doctor.ts'
import { iso, isoOf } from './format-values.ts'

/** What a doctor run reports while it runs, and what stops it. */
interface ExamineHooks {
  signal: AbortSignal
  onProgress(progress: { total: number; title: string }): void
  onResult(result: CheckResult): void
}

/** Rejects when it cannot run at all. */
export type Examine = (
  body: ExamineBody,
  hooks: ExamineHooks & { owner: string },
) => Promise<{ isAway: boolean }>

export interface Run {
  run_id: string
  body: Pick<ExamineBody, 'subject' | 'url'> & { may_write: boolean }
  state: Examination['state']
  reason?: string
  by: { principal_id: string; name: string }
  startedAt: number
  endedAt?: number
  total?: number
  now?: string
  isAway: boolean
  checks: CheckResult[]
  stop(reason: string): void
}

export interface DoctorRuns {
  list(): Examination[]
  get(runId: string): Run | undefined
  isFull(): boolean
  /** `full`: the maximum number is already running. */
  start(body: ExamineBody, by: Run['by'], onEnd: (run: Run) => void): Run | 'full'
}

export interface DoctorRunsOptions {
  examine: Examine
  clock: Clock
  atOnce: number
  most: number
  timeoutMs: number
  /** Ends all of them. */
  stopping: AbortSignal
}

export function createDoctorRuns(options: DoctorRunsOptions): DoctorRuns {
  const { examine, clock, atOnce, most, timeoutMs, stopping } = options
  const runs = new Map<string, Run>()

  /** Removes the previous run for the same address, and the oldest beyond the limit. */
  const forget = ({ subject, url }: ExamineBody) => {
    for (const [id, { state, body }] of runs) {
      const isSame = body.subject === subject && body.url === url
      if (state !== 'running' && (isSame || runs.size >= most)) runs.delete(id)
    }
  }

  const follow = async (run: Run, body: ExamineBody, stopped: AbortController) => {
    const deadline = startDeadline({ timeoutMs, signals: [stopped.signal, stopping] })
    const { signal } = deadline
    try {
      const { isAway } = await examine(body, {
        signal,
        owner: run.by.principal_id,
        onProgress: ({ total, title }) => Object.assign(run, { total, now: title }),
        onResult: (result) => void run.checks.push(result),
      })
      run.isAway = isAway
      run.state = signal.aborted ? 'stopped' : 'done'
      if (signal.aborted) run.reason ??= 'the time limit ended'
    } catch (error) {
      run.state = 'broken'
      run.reason = error instanceof Error ? error.message : 'it could not be made'
    } finally {
      deadline.end()
      run.endedAt = clock.now()
    }
  }

  const isFull = () =>
    [...runs.values()].filter(({ state }) => state === 'running').length >= atOnce

  return {
    isFull,
    list: () => [...runs.values()].reverse().map(factsOf),
    get: (runId) => runs.get(runId),
    start: (body, by, onEnd) => {
      if (isFull()) return 'full'
      forget(body)
      const stopped = new AbortController()
      const run: Run = {
        run_id: randomUUID(),
        // Neither keys nor secrets are kept after the run.
        body: { subject: body.subject, url: body.url, may_write: mayWrite(body) },
        state: 'running',
        by,
        startedAt: clock.now(),
        isAway: false,
        checks: [],
        stop: (reason) => {
          if (run.state !== 'running') return
          run.reason ??= reason
          stopped.abort()
        },
      }
      runs.set(run.run_id, run)
      follow(run, body, stopped).then(() => onEnd(run))
      return run
    },
  }
}

/** Checking a receiver always sends something to it. */
function mayWrite(body: ExamineBody): boolean {
  return body.subject === 'receiver' || body.may_write
}

function factsOf(run: Run): Examination {
  const { run_id, body, state, reason, by, startedAt, endedAt, checks } = run
  const count = (wanted: CheckResult['state']) =>
    checks.filter((check) => check.state === wanted).length
  return {
    run_id,
    ...body,
    state,
    by: by.name,
    started_at: iso(startedAt),
    ...defined({ reason, ended_at: isoOf(endedAt) }),
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      findings: checks.reduce((sum, { findings }) => sum + findings.length, 0),
    },
  }
}

export function detailsOf(run: Run): ExaminationDetails {
  const { state, total, now, isAway, checks } = run
  const progress = state === 'running' ? { total, now } : {}
  return { ...factsOf(run), ...defined(progress), is_away: isAway, checks }
}
