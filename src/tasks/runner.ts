// Runs the steps of tasks in the background (spec 3.2). Instances share the work by claims in the database; nothing
// is held here that would be lost if the process is killed.

import { createClaimWorker } from '../lib/claim-worker.ts'
import { admitSuspects, type ChooseSuspects, MAX_DEATHS } from '../lib/poison-jobs.ts'
import { steadyClock } from '../lib/steady-clock.ts'
import type { OnWake } from '../lib/transaction.ts'
import { createOwnerShare } from './owner-share.ts'
import { keepClaim, release, runStep, type StepPorts } from './run-step.ts'
import { type ClaimedTask, TASKS_CANCELED_TOPIC, TASKS_DUE_TOPIC } from './store.ts'

export interface TaskRunnerOptions extends Omit<StepPorts, 'maxTries' | 'maxDeaths' | 'backoff'> {
  onWake: OnWake
  /** Maximum concurrent steps. Default 8. */
  concurrency?: number | undefined
  /** How long a task stays with a process that has died. Default 30 000. */
  leaseMs?: number | undefined
  /** Longest time until a due task is found without a wake-up. Default 1 000. */
  pollMs?: number | undefined
  /** How long stopping waits for running steps before it releases them. Default 10 000. */
  stopMs?: number | undefined
  /** Consecutive steps that may throw before the task fails. Default 5. */
  maxTries?: number | undefined
  /** Delays between the retries. Default from 1 s to 60 s. */
  backoff?: StepPorts['backoff'] | undefined
  /** Consecutive processes that may die in a step before the task fails. Default 3. */
  maxDeaths?: number | undefined
}

export interface TaskRunner {
  start(): void
  /** Aborts running steps, waits for them, and releases those that did not finish. */
  stop(): Promise<void>
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { onWake, transact, tasks, works, concurrency = 8, leaseMs = 30_000 } = options
  const { pollMs = 1_000, stopMs = 10_000, maxTries = 5, maxDeaths = MAX_DEATHS } = options
  const { backoff = { firstMs: 1_000, maxMs: 60_000 } } = options
  const ports: StepPorts = { ...options, maxTries, maxDeaths, backoff }
  let unsubscribe = () => {}

  const worker = createClaimWorker<ClaimedTask>({
    name: 'worker: task steps',
    clock: steadyClock,
    concurrency,
    leaseMs,
    pollMs,
    onFault: options.onFault,
    claim: async (limit, running) => {
      const types = [...works.keys()]
      if (types.length === 0) return { claimed: [] }
      const chooseLost: ChooseSuspects = (due) =>
        admitSuspects(due, {
          free: limit,
          maxLost: maxDeaths,
          running: running.map(({ lost }) => lost - 1),
        })
      const owners = running.map(({ owner }) => owner)
      const claimed = await transact((tx) => {
        // Created again if the transaction is retried.
        const share = createOwnerShare(concurrency, owners)
        return tasks.claimDue(tx, { limit, leaseMs, types, chooseLost, share })
      })
      return { claimed }
    },
    run: ({ claim, signal }) => runStep(ports, claim, signal),
    renew: (claim) => keepClaim(ports, claim, leaseMs),
  })

  return {
    start: () => {
      const stopListening = [
        onWake(TASKS_DUE_TOPIC, worker.ask),
        onWake(TASKS_CANCELED_TOPIC, worker.keepAll),
      ]
      unsubscribe = () => {
        for (const stop of stopListening) stop()
      }
      worker.start()
    },
    stop: async () => {
      unsubscribe()
      const left = await worker.stop({ drainMs: 0, abortMs: stopMs })
      // From here on, their outcomes would be too late: the claims have ended.
      const givenBack = left.map((claim) =>
        release(ports, claim).catch((error: unknown) => options.onFault(error, claim)),
      )
      await Promise.all(givenBack)
    },
  }
}
