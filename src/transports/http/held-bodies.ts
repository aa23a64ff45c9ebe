// The bodies of requests that have not been answered: how many bytes of them are kept, in all and for
// each caller. Without a bound, slow uploads and slow calls would fill the memory with what is waiting.

import { HTTP_LIMITS } from './limits.ts'

export interface HeldBodies {
  /** Adds bytes to what is held for a caller, or says who holds too much. */
  hold(account: string, bytes: number): 'held' | 'all_full' | 'caller_full'
  release(account: string, bytes: number): void
}

export interface HeldBodiesOptions {
  /** Default 256 MiB. */
  maxBytes?: number
  /** Default 64 MiB. */
  maxBytesOfOne?: number
}

export function createHeldBodies({
  maxBytes = HTTP_LIMITS.heldBytes.value,
  maxBytesOfOne = HTTP_LIMITS.heldBytesOfOne.value,
}: HeldBodiesOptions = {}): HeldBodies {
  const ofEach = new Map<string, number>()
  let all = 0
  return {
    hold: (account, bytes) => {
      const own = (ofEach.get(account) ?? 0) + bytes
      if (own > maxBytesOfOne) return 'caller_full'
      if (all + bytes > maxBytes) return 'all_full'
      all += bytes
      ofEach.set(account, own)
      return 'held'
    },
    release: (account, bytes) => {
      const left = (ofEach.get(account) ?? 0) - bytes
      all -= bytes
      if (left > 0) ofEach.set(account, left)
      else ofEach.delete(account)
    },
  }
}
