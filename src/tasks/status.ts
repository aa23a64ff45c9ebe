// The seven statuses of a task and the moves between them (spec 3.2).
//
//   from \ to        submitted  working  input-required  completed  failed  canceled  rejected
//   (first answer)       x         x           -              -        -        -         -
//   submitted            -         x           x              x        x        x         x
//   working              -         x (*)       x              x        x        x         -
//   input-required       x         x           x (*)          x        x        x         x
//   the other four       -         -           -              -        -        -         -
//
// The specification names the first answers and the statuses that a webhook is sent for; the rest
// follows from what the words mean. (*) Progress, or another question: the task
// stays as it is and is told of again.
// `rejected` says that the work was never begun: it follows `submitted`, and `input-required` where the
// answer that was asked for decides whether it begins. What has ended stays ended: the first of two
// endings wins and the second is refused.

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
