// Limits on what A2A stores between two messages, and on how many it processes at once.

import { defineLimits } from '../../lib/limit.ts'

const MIB = 1_024 * 1_024

export const A2A_LIMITS = defineLimits({
  keptBytesOfTask: {
    what: 'answer that A2A keeps for one task',
    value: 4 * MIB,
    unit: 'bytes',
    beyond: 'an answer that was waited for is not kept; of one that was not, only that it failed',
  },
  keptTasks: {
    what: 'tasks that A2A keeps for one principal',
    value: 10_000,
    unit: '',
    beyond: 'answers that were waited for are not kept; a call that is not waited for is 429',
  },
  keptBytes: {
    what: 'answers that A2A keeps for one principal',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: 'as with the tasks',
  },
  unawaited: {
    what: 'A2A calls of one principal that are not waited for, at once on an instance',
    value: 100,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
})
