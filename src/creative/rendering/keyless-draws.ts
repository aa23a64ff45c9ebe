// Drawing for viewers without a key: one drawing at a time, however many viewers there are, so that a crowd of them
// takes no worker from callers with a key. Addresses take turns, the queue is bounded, and a viewer who would have to
// wait too long has to retry.

import { createFairQueue } from '../../lib/fair-queue.ts'
import { defineLimits } from '../../lib/limit.ts'
import { createUsageQuota } from '../../lib/usage-quota.ts'

export const KEYLESS_DRAW_LIMITS = defineLimits({
  atOnce: {
    what: 'previews that are drawn at the same time for viewers without a key',
    value: 1,
    unit: '',
    beyond: 'the viewer waits; addresses take turns',
  },
  waitingOfOne: {
    what: 'previews that one address without a key waits for',
    value: 16,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  waiting: {
    what: 'previews that all viewers without a key wait for',
    value: 64,
    unit: '',
    beyond: '503 with `Retry-After`',
  },
  waitSeconds: {
    what: 'time that a viewer without a key waits for its turn',
    value: 10,
    unit: 'seconds',
    beyond: '503 with `Retry-After`',
  },
})

/** Why nothing was drawn. */
export type NotDrawn = 'own_full' | 'all_full' | 'late'

export interface KeylessDraws {
  run<T>(account: string, signal: AbortSignal, draw: () => Promise<T>): Promise<T | NotDrawn>
}

export function createKeylessDraws(limits = KEYLESS_DRAW_LIMITS): KeylessDraws {
  const shares = createUsageQuota({
    max: limits.waiting.value,
    maxOfOne: limits.waitingOfOne.value,
  })
  const turns = createFairQueue({ most: limits.atOnce.value, perOwner: limits.atOnce.value })
  const waitMs = limits.waitSeconds.value * 1_000
  return {
    run: async (account, signal, draw) => {
      const taken = shares.take(account)
      if (taken !== 'taken') return taken
      try {
        const end = await turns.take(account, { waitMs, signal })
        if (end === 'late') return end
        try {
          return await draw()
        } finally {
          end()
        }
      } finally {
        shares.give(account)
      }
    },
  }
}
