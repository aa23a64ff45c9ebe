// One job of the workshop, from its wait to its end: whoever asked hears of it once, and an owner's turn
// lasts as long as its worker is taken, also when nobody waits any more.

import type { Queued } from './fair-queue.ts'
import type { Owners } from './owners.ts'
import type { Seat, SeatOutcome } from './seat.ts'
import { isTooCostly, WorkshopError, type WorkshopFailure } from './workshop-error.ts'

export interface JobOptions {
  /** On whose behalf: owners are served in turn. */
  owner: string
  /** About what the request carries. Default 0. */
  bytes?: number
  /** Aborted when nobody waits any more: rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Hears of pieces of the answer, in order. */
  onPart?: ((part: unknown) => void) | undefined
}

export interface JobReport {
  kind: string
  /** `failed`: what does the jobs threw. `aborted`: nobody waited any more. */
  outcome: 'done' | 'failed' | 'aborted' | WorkshopFailure
  waitedMs: number
  /** 0 for one that never began. */
  ranMs: number
}

export interface Job extends Queued {
  begin(seat: Seat): void
  /** Tells the end; for a job that never began, that it never will. */
  done(outcome: SeatOutcome): void
}

export interface JobPorts {
  owners: Owners
  onReport(report: JobReport): void
  /** Takes the job from its queue; false when it does not wait there any more. */
  leave(job: Job): boolean
  /** It takes a worker, and later gives it back, also when nobody waits any more. */
  onBegun(): void
  onFreed(): void
}

interface Asked extends JobOptions {
  kind: string
  request: unknown
  timeLimitMs: number
}

export function createJob(
  { kind, request, timeLimitMs, owner, bytes = 0, signal, onPart }: Asked,
  { owners, onReport, leave, onBegun, onFreed }: JobPorts,
): { job: Job; outcome: Promise<unknown> } {
  const addedAt = performance.now()
  let seat: Seat | undefined
  let startedAt: number | undefined
  let isOver = false
  const { promise, resolve, reject } = withResolvers()

  /** False when it was over already. */
  function end(outcome: JobReport['outcome']): boolean {
    if (isOver) return false
    isOver = true
    signal?.removeEventListener('abort', abort)
    const now = performance.now()
    const ranMs = startedAt === undefined ? 0 : now - startedAt
    onReport({ kind, outcome, waitedMs: (startedAt ?? now) - addedAt, ranMs })
    return true
  }

  const job: Job = {
    owner,
    bytes,
    begin: (taken) => {
      seat = taken
      startedAt = performance.now()
      owners.begin(owner)
      onBegun()
      const part = (piece: unknown) => {
        if (!isOver) onPart?.(piece)
      }
      taken.run({ request, timeLimitMs, part, done: job.done })
    },
    done: (outcome) => {
      if (startedAt !== undefined) {
        owners.end(owner, !outcome.ok && isTooCostly(outcome.error))
        onFreed()
      }
      if (!end(outcomeOf(outcome))) return
      if (outcome.ok) resolve(outcome.answer)
      else reject(outcome.error)
    },
  }

  function abort(): void {
    if (!end('aborted')) return
    if (!leave(job)) seat?.abandon()
    reject(signal?.reason)
  }
  signal?.addEventListener('abort', abort, { once: true })
  return { job, outcome: promise }
}

function outcomeOf(outcome: SeatOutcome): JobReport['outcome'] {
  if (outcome.ok) return 'done'
  return outcome.error instanceof WorkshopError ? outcome.error.code : 'failed'
}

function withResolvers() {
  let resolve: (value: unknown) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<unknown>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}
