// Limits concurrency: a caller that arrives when all slots are taken waits for one, in order.

export interface Slots {
  /** Resolves to true when there is a slot, or to false once closed. */
  take(): Promise<boolean>
  /** Ends what took one. */
  free(): void
  /** Stops waiting: all waiting callers receive false, and no more slots are given out. */
  close(): void
}

export function createSlots(count: number): Slots {
  const waiting: ((isTaken: boolean) => void)[] = []
  let left = count
  let isClosed = false
  return {
    take: () => {
      if (isClosed) return Promise.resolve(false)
      if (left === 0) return new Promise((resolve) => waiting.push(resolve))
      left -= 1
      return Promise.resolve(true)
    },
    free: () => {
      const next = waiting.shift()
      if (next) next(true)
      else left += 1
    },
    close: () => {
      isClosed = true
      for (const resolve of waiting.splice(0)) resolve(false)
    },
  }
}
