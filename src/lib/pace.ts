// How often to poll for work: immediately while polling is cheap, and less often the more it costs, so that it takes
// at most a third of the time. Changes that occur in between are then processed together.

export interface Pace {
  /** Requests a poll: now, when the pause is over, or after the one in progress. */
  ask(): void
  /** Does one look, and measures it. */
  look<T>(work: () => Promise<T>): Promise<T>
  stop(): void
}

/** The pause after a poll, as a multiple of its duration. */
const PAUSES_PER_LOOK = 2
/** Longest pause, in milliseconds. */
const MAX_PAUSE_MS = 100

export function createPace(start: () => void): Pace {
  let isLooking = false
  let isWanted = false
  let notBeforeMs = 0
  let timer: NodeJS.Timeout | undefined

  function ask(): void {
    if (isLooking) {
      isWanted = true
      return
    }
    if (timer !== undefined) return
    const inMs = notBeforeMs - performance.now()
    if (inMs <= 0) {
      start()
      return
    }
    timer = setTimeout(() => {
      timer = undefined
      start()
    }, inMs)
  }

  return {
    ask,
    look: async (work) => {
      const startedMs = performance.now()
      isLooking = true
      isWanted = false
      try {
        return await work()
      } finally {
        isLooking = false
        const endedMs = performance.now()
        notBeforeMs = endedMs + Math.min((endedMs - startedMs) * PAUSES_PER_LOOK, MAX_PAUSE_MS)
        if (isWanted) ask()
      }
    },
    stop: () => clearTimeout(timer),
  }
}
