// Access to a resource with a limit on concurrent use, in total and for each owner: a waiting caller queues behind
// its own owner's callers, and the owners take turns, so that a burst from one does not delay another.

export interface FairQueueOptions {
  /** Turns at the same time. */
  most: number
  /** Of one owner at the same time. */
  perOwner: number
}

export interface FairQueue {
  /**
   * Releases the slot; only the first call counts. `late`: no slot was available within `waitMs`, or the signal was
   * aborted first.
   */
  take(
    owner: string,
    waiting: { waitMs: number; signal: AbortSignal },
  ): Promise<(() => void) | 'late'>
}

interface Waiter {
  begin(): void
}

export function createFairQueue({ most, perOwner }: FairQueueOptions): FairQueue {
  const running = new Map<string, number>()
  /** In the order of their turns: an owner that was just served moves to the end. */
  const waiting = new Map<string, Set<Waiter>>()
  let total = 0

  const mayBegin = (owner: string) => total < most && (running.get(owner) ?? 0) < perOwner

  function begin(owner: string): () => void {
    total += 1
    running.set(owner, (running.get(owner) ?? 0) + 1)
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      total -= 1
      const left = (running.get(owner) ?? 1) - 1
      if (left > 0) running.set(owner, left)
      else running.delete(owner)
      next()
    }
  }

  function next(): void {
    for (const [owner, waiters] of waiting) {
      if (total >= most) return
      const [first] = waiters
      if (!first || !mayBegin(owner)) continue
      waiters.delete(first)
      waiting.delete(owner)
      if (waiters.size > 0) waiting.set(owner, waiters)
      first.begin()
      return
    }
  }

  return {
    take: (owner, { waitMs, signal }) => {
      if (mayBegin(owner) && !waiting.has(owner)) return Promise.resolve(begin(owner))
      if (signal.aborted) return Promise.resolve('late')
      return new Promise((resolve) => {
        const waiters = waiting.get(owner) ?? new Set()
        waiting.set(owner, waiters)
        const leave = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
        }
        const giveUp = () => {
          leave()
          waiters.delete(waiter)
          if (waiters.size === 0) waiting.delete(owner)
          resolve('late')
        }
        const waiter: Waiter = {
          begin: () => {
            leave()
            resolve(begin(owner))
          },
        }
        const timer = setTimeout(giveUp, waitMs)
        signal.addEventListener('abort', giveUp, { once: true })
        waiters.add(waiter)
      })
    },
  }
}
