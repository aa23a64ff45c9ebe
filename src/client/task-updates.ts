// Combines all reports about one call into one outcome (spec 6.4): the first end counts, an equal one is a duplicate,
// and one that differs is kept and reported as a conflict.

import { defined } from '../lib/defined.ts'
import { NOTHING_TOLD, type OutcomeNews, receiveOutcome } from '../protocol/one-outcome.ts'
import type { OutcomeConflict } from './outcome.ts'
import type { TaskUpdate } from './task-update.ts'

export interface CallUpdates {
  /** The kind of report: new, a duplicate, a conflict … */
  receive(update: TaskUpdate): OutcomeNews
  /** The first end that was reported. */
  end(): TaskUpdate | undefined
  /** Aborted when there is one. */
  ended: AbortSignal
  conflicts: readonly OutcomeConflict[]
}

export interface CallUpdatesOptions {
  task: string
  operationId: string | undefined
  onConflict: (conflict: OutcomeConflict) => void
}

export function createCallUpdates({
  task,
  operationId,
  onConflict,
}: CallUpdatesOptions): CallUpdates {
  const ended = new AbortController()
  const conflicts: OutcomeConflict[] = []
  let state = NOTHING_TOLD
  let end: TaskUpdate | undefined
  return {
    ended: ended.signal,
    conflicts,
    end: () => end,
    receive: (update) => {
      const { news, state: next } = receiveOutcome(state, update)
      state = next
      if (news === 'settled') {
        end = update
        ended.abort()
      }
      if (news === 'conflict' && end) {
        const { by, status, body, taskId } = update
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
