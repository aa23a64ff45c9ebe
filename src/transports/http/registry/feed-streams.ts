// The number of open feed streams, in total and per caller: a stream costs little, but never ends.

import { createUsageQuota } from '../../../lib/usage-quota.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { REGISTRY_LIMITS } from './limits.ts'

export interface OpenStreams {
  /** Counts one more, until it is closed. */
  open(caller: string): { ok: true; close(): void } | Refusal
}

const MAX_STREAMS = REGISTRY_LIMITS.streams.value
const MAX_OF_ONE = REGISTRY_LIMITS.streamsOfOne.value
const RETRY_AFTER_SECONDS = 30

export function countStreams(): OpenStreams {
  const shares = createUsageQuota({ max: MAX_STREAMS, maxOfOne: MAX_OF_ONE })
  return {
    open: (caller) => {
      const taken = shares.take(caller)
      if (taken === 'own_full')
        return tooMany(`at most ${MAX_OF_ONE} streams of one caller at once`)
      if (taken === 'all_full') return tooMany(`at most ${MAX_STREAMS} streams at once`)
      let isOpen = true
      return {
        ok: true,
        close: () => {
          if (isOpen) shares.give(caller)
          isOpen = false
        },
      }
    },
  }
}

function tooMany(message: string): Refusal {
  return refuse(429, 'Too many requests', { message, retryAfter: RETRY_AFTER_SECONDS })
}
