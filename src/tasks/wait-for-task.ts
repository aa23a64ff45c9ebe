// Waiting for tasks to settle (spec 3.2: what ends soon is answered inline). However many callers wait, they share
// one subscription and one query; if no one waits, there is neither.

import { createPoller, type Poller } from '../lib/poller.ts'
import type { OnWake } from '../lib/transaction.ts'
import { TASKS_SETTLED_TOPIC, type TaskStore } from './store.ts'

export interface WaitPorts {
  tasks: Pick<TaskStore, 'settled'>
  onWake: OnWake
  /** Longest time until a settled task is noticed without a wake-up. Default 1 000. */
  pollMs?: number | undefined
  /** Aborted when the server stops: then all waits end. Default never. */
  stopping?: AbortSignal | undefined
  onFault: (error: unknown) => void
}

export interface TaskWait {
  /**
   * Resolves when the task has ended or waits for its owner, the time is up, the signal aborts, or the
   * server stops.
   */
  wait(taskId: string, limits: { timeoutMs: number; signal: AbortSignal }): Promise<void>
}

export function createTaskWait(ports: WaitPorts): TaskWait {
  const { tasks, onWake, pollMs = 1_000, stopping, onFault } = ports
  const waiting = new Map<string, Set<() => void>>()
  let stopLooking: (() => void) | undefined
  stopping?.addEventListener('abort', () => {
    for (const all of [...waiting.values()]) for (const done of [...all]) done()
  })

  function startLooking(): () => void {
    const poller: Poller = createPoller({
      name: 'worker: tasks that callers wait for',
      intervalMs: pollMs,
      onFault,
      round,
    })
    const unsubscribe = onWake(TASKS_SETTLED_TOPIC, poller.wake)
    poller.start()
    return () => {
      unsubscribe()
      void poller.stop()
    }
  }

  async function round(): Promise<boolean> {
    for (const taskId of await tasks.settled([...waiting.keys()])) {
      for (const resolve of waiting.get(taskId) ?? []) resolve()
    }
    return false
  }

  function add(taskId: string, done: () => void): void {
    const known = waiting.get(taskId)
    if (known) known.add(done)
    else waiting.set(taskId, new Set([done]))
    stopLooking ??= startLooking()
  }

  function remove(taskId: string, done: () => void): void {
    const known = waiting.get(taskId)
    known?.delete(done)
    if (known?.size === 0) waiting.delete(taskId)
    if (waiting.size > 0) return
    stopLooking?.()
    stopLooking = undefined
  }

  return {
    wait: (taskId, { timeoutMs, signal }) =>
      new Promise((resolve) => {
        if (signal.aborted || stopping?.aborted || timeoutMs <= 0) return resolve()
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          remove(taskId, done)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        signal.addEventListener('abort', done, { once: true })
        add(taskId, done)
      }),
  }
}
