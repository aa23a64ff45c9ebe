// Runs the steps of tasks in the background (spec 3.2). Instances share the work by claims in the
// database; nothing that a kill would lose is held here.

import { admitLost, type ChooseLost, MAX_LOST } from '../lib/lost-claims.ts'
import { createPoller, type Poller } from '../lib/poller.ts'
import type { OnWake } from '../lib/transaction.ts'
import { within } from '../lib/within.ts'
import { keepClaim, release, runStep, type StepPorts } from './run-step.ts'
import { type ClaimedTask, TASKS_CANCELED_TOPIC, TASKS_DUE_TOPIC } from './store.ts'

export interface TaskRunnerOptions extends Omit<StepPorts, 'maxTries' | 'maxDeaths' | 'backoff'> {
  onWake: OnWake
  /** Steps at the same time. Default 8. */
  concurrency?: number | undefined
  /** How long a task stays with a process that has died. Default 30 000. */
  leaseMs?: number | undefined
  /** Longest time until a due task is seen without a wake-up. Default 1 000. */
  pollMs?: number | undefined
  /** How long stopping waits for running steps before it gives them back. Default 10 000. */
  stopMs?: number | undefined
  /** Steps in a row that may throw before the task fails. Default 5. */
  maxTries?: number | undefined
  /** Pauses between them. Default from 1 s to 60 s. */
  backoff?: StepPorts['backoff'] | undefined
  /** Processes in a row that may die in a step before the task fails. Default 3. */
  maxDeaths?: number | undefined
}

export interface TaskRunner {
  start(): void
  /** Aborts what runs, waits for it, and gives back what did not finish. */
  stop(): Promise<void>
}

interface Job {
  claim: ClaimedTask
  abort: AbortController
  ended: Promise<void>
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { onWake, transact, tasks, works, concurrency = 8, leaseMs = 30_000 } = options
  const { pollMs = 1_000, stopMs = 10_000, maxTries = 5, maxDeaths = MAX_LOST } = options
  const { backoff = { firstMs: 1_000, maxMs: 60_000 } } = options
  const ports: StepPorts = { ...options, maxTries, maxDeaths, backoff }
  const running = new Set<Job>()
  let unsubscribe = () => {}

  const poller: Poller = createPoller({
    intervalMs: pollMs,
    onFault: (error) => options.onFault(error, undefined),
    round: async (signal) => {
      const limit = concurrency - running.size
      const types = [...works.keys()]
      if (limit <= 0 || types.length === 0) return false
      const lostOnes = [...running].map(({ claim }) => claim.lost - 1)
      const chooseLost: ChooseLost = (due) =>
        admitLost(due, { free: limit, running: lostOnes, maxLost: maxDeaths })
      const claimed = await transact((tx) =>
        tasks.claimDue(tx, { limit, leaseMs, types, chooseLost }),
      )
      // Also when stopping began meanwhile: a job that is aborted at once gives its claim back.
      for (const claim of claimed) startJob(claim, signal)
      return false
    },
  })

  function startJob(claim: ClaimedTask, stopping: AbortSignal): void {
    const abort = new AbortController()
    if (stopping.aborted) abort.abort()
    const job: Job = { claim, abort, ended: Promise.resolve() }
    running.add(job)
    const renewal = setInterval(() => void keep(job), leaseMs / 3)
    job.ended = runStep(ports, claim, abort.signal).then(({ afterMs }) => {
      clearInterval(renewal)
      running.delete(job)
      poller.wake()
      // Sooner than the next poll, if this process is still there by then.
      if (afterMs !== undefined && afterMs < pollMs) setTimeout(poller.wake, afterMs).unref()
    })
  }

  /** A step that is run in vain is aborted, whatever took its task. */
  async function keep({ claim, abort }: Job): Promise<void> {
    if (abort.signal.aborted) return
    try {
      if (!(await keepClaim(ports, claim, leaseMs))) abort.abort()
    } catch (error) {
      options.onFault(error, claim)
    }
  }

  return {
    start: () => {
      const stopListening = [
        onWake(TASKS_DUE_TOPIC, poller.wake),
        onWake(TASKS_CANCELED_TOPIC, () => {
          for (const job of running) void keep(job)
        }),
      ]
      unsubscribe = () => {
        for (const stop of stopListening) stop()
      }
      poller.start()
    },
    stop: async () => {
      unsubscribe()
      await poller.stop()
      for (const { abort } of running) abort.abort()
      await within(stopMs, Promise.all([...running].map(({ ended }) => ended)))
      // Its outcome would come too late from here on: the claim has ended.
      const givenBack = [...running].map(({ claim }) =>
        release(ports, claim).catch((error: unknown) => options.onFault(error, claim)),
      )
      await Promise.all(givenBack)
    },
  }
}
