// How many streams of the feed are open, in all and for each caller: a stream costs little, and for ever.

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
  const ofEach = new Map<string, number>()
  let all = 0
  return {
    open: (caller) => {
      const own = ofEach.get(caller) ?? 0
      if (own >= MAX_OF_ONE) return tooMany(`at most ${MAX_OF_ONE} streams of one caller at once`)
      if (all >= MAX_STREAMS) return tooMany(`at most ${MAX_STREAMS} streams at once`)
      all++
      ofEach.set(caller, own + 1)
      let isOpen = true
      return {
        ok: true,
        close: () => {
          if (!isOpen) return
          isOpen = false
          all--
          const left = (ofEach.get(caller) ?? 1) - 1
          if (left > 0) ofEach.set(caller, left)
          else ofEach.delete(caller)
        },
      }
    },
  }
}

function tooMany(message: string): Refusal {
  return refuse(429, 'Too many requests', { message, retryAfter: RETRY_AFTER_SECONDS })
}
