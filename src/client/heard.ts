// All that is told of one call, brought to one outcome (spec 6.4): the first end counts, an equal one is the
// same, and one that differs is kept and told as a conflict.

import { defined } from '../lib/defined.ts'
import { hearOutcome, NOTHING_TOLD, type OutcomeNews } from '../protocol/one-outcome.ts'
import type { OutcomeConflict } from './outcome.ts'
import type { Telling } from './telling.ts'

export interface HeardCall {
  /** What a telling was: news, the same again, a conflict … */
  hear(telling: Telling): OutcomeNews
  /** The first end that was told. */
  end(): Telling | undefined
  /** Aborted when there is one. */
  ended: AbortSignal
  conflicts: readonly OutcomeConflict[]
}

export interface HeardOptions {
  task: string
  operationId: string | undefined
  onConflict: (conflict: OutcomeConflict) => void
}

export function createHeardCall({ task, operationId, onConflict }: HeardOptions): HeardCall {
  const ended = new AbortController()
  const conflicts: OutcomeConflict[] = []
  let state = NOTHING_TOLD
  let end: Telling | undefined
  return {
    ended: ended.signal,
    conflicts,
    end: () => end,
    hear: (telling) => {
      const { news, state: next } = hearOutcome(state, telling)
      state = next
      if (news === 'settled') {
        end = telling
        ended.abort()
      }
      if (news === 'conflict' && end) {
        const { by, status, body, taskId } = telling
        const conflict: OutcomeConflict = {
          task,
          ...defined({ taskId: taskId ?? end.taskId, operationId }),
          settled: { by: end.by, status: end.status },
          other: { by, status, body },
        }
        conflicts.push(conflict)
        onConflict(conflict)
      }
      return news
    },
  }
}
