// The seven statuses of a task and the transitions between them (spec 3.2).
//
//   from \ to        submitted  working  input-required  completed  failed  canceled  rejected
//   (first answer)       x         x           -              -        -        -         -
//   submitted            -         x           x              x        x        x         x
//   working              -         x (*)       x              x        x        x         -
//   input-required       x         x           x (*)          x        x        x         x
//   the other four       -         -           -              -        -        -         -
//
// The specification names the first answers and the statuses that a webhook is sent for; the rest
// follows from the meaning of the names. (*) Progress, or another question: the status stays the same
// and is reported again.
// `rejected` means that the work was never started: it follows `submitted`, and `input-required` where the
// requested answer decides whether it starts. A final status never changes: the first of two final
// statuses wins and the second is refused.

import { type FinalStatus, isFinalStatus } from '../protocol/final-status.ts'
import type { TaskStatus } from '../protocol/schemas/task-status.ts'

const MOVES: Readonly<Record<Exclude<TaskStatus, FinalStatus>, readonly TaskStatus[]>> = {
  submitted: ['working', 'input-required', 'completed', 'failed', 'canceled', 'rejected'],
  working: ['working', 'input-required', 'completed', 'failed', 'canceled'],
  'input-required': [
    'submitted',
    'working',
    'input-required',
    'completed',
    'failed',
    'canceled',
    'rejected',
  ],
}

export function mayMove(from: TaskStatus, to: TaskStatus): boolean {
  return !isFinalStatus(from) && MOVES[from].includes(to)
}
