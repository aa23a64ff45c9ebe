// Which message of a task is news (spec 6.4: ordered by task_id and timestamp, stale ones ignored).
//
//   position of the task     message older     same time     newer     without a time
//   none yet                      -                -           -            apply
//   not final                   stale            apply       apply          apply
//   final                       stale            stale       stale          stale
//
// Two changes within one millisecond cannot be ordered, so both are applied; but the first final
// status wins, whatever comes after it and whenever it says that it happened.

import type { NewMessage, TaskPosition } from './store.ts'

export type OrderVerdict = { isNews: true } | { isNews: false; reason: string }

/** A message that is not a task status cannot be ordered, and always counts as new. */
export function healthOf(
  message: Pick<NewMessage, 'task_id' | 'event_at' | 'family'>,
  position: TaskPosition | undefined,
): OrderVerdict {
  if (message.task_id === undefined || position === undefined) return { isNews: true }
  if (message.family === 'notification') return { isNews: true }
  if (position.isFinal) return stale(`the task has ended: ${position.status}`)
  if (message.event_at === undefined || message.event_at >= position.event_at) {
    return { isNews: true }
  }
  const later = new Date(position.event_at).toISOString()
  return stale(`a later status was applied: ${position.status} of ${later}`)
}

function stale(reason: string): OrderVerdict {
  return { isNews: false, reason }
}
