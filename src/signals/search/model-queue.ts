// The texts that wait for the sentence model: those of searches first, by their caller's rank; while searches arrive,
// background texts wait.

import { type CallerRank, goesBefore } from '../matching/rank-of-caller.ts'
import type { Urgency } from '../matching/sentence-model.ts'

export interface ModelJob {
  text: string
  /** As it is now. */
  rank: () => CallerRank
  abort: AbortSignal | undefined
  resolve(vector: Float32Array): void
  reject(error: unknown): void
}

interface ModelQueue {
  add(urgency: Urgency, job: ModelJob): void
  /** Removes the next job; undefined if there is none, or if it has to wait. */
  next(): ModelJob | undefined
  /** Background texts wait for a moment after each search. */
  noteSearch(): void
  /** Rejects all that wait. */
  close(error: Error): void
}

/** How long background work pauses after a search, so that the next one of a burst finds the model free. */
const QUIET_MS = 100
/** But background work runs at least this often. */
const TURN_MS = 1_000

const isGone = ({ abort }: ModelJob) => abort?.aborted === true

/** `onDue` is called when a background text that had to wait may be next. */
export function createModelQueue(onDue: () => void): ModelQueue {
  const queues: Record<Urgency, ModelJob[]> = { search: [], background: [] }
  let lastSearch = 0
  let lastBackground = 0
  let timer: NodeJS.Timeout | undefined

  /** The first of those with the highest rank; jobs that were canceled in the meantime are left out. */
  function mostUrgent(): ModelJob | undefined {
    const [gone, there] = [
      queues.search.filter(isGone),
      queues.search.filter((one) => !isGone(one)),
    ]
    for (const { reject, abort } of gone) reject(abort?.reason)
    const first = there.reduce<ModelJob | undefined>(
      (best, one) => (best && !goesBefore(one.rank(), best.rank()) ? best : one),
      undefined,
    )
    queues.search = there.filter((one) => one !== first)
    return first
  }

  return {
    add: (urgency, job) => {
      queues[urgency].push(job)
    },
    next: () => {
      const urgent = mostUrgent()
      if (urgent || queues.background.length === 0) return urgent
      const now = performance.now()
      const wait = Math.min(lastSearch + QUIET_MS, lastBackground + TURN_MS) - now
      if (wait > 0) {
        clearTimeout(timer)
        timer = setTimeout(onDue, wait)
        return undefined
      }
      lastBackground = now
      return queues.background.shift()
    },
    noteSearch: () => {
      lastSearch = performance.now()
    },
    close: (error) => {
      clearTimeout(timer)
      for (const { reject } of [...queues.search, ...queues.background]) reject(error)
      queues.search = []
      queues.background = []
    },
  }
}
