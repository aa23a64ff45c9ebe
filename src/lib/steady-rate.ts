// How much work may start now without exceeding a rate per minute, in small portions: for work that could start all
// at once but must not.

export interface SteadyRate {
  /** How many may be begun now. */
  available(): number
  take(count: number): void
  /** Milliseconds until one more may start; 0 if it may start now. */
  untilNextMs(): number
}

export interface SteadyRateOptions {
  perMinute: number
  /** Monotonic clock in milliseconds. Default performance.now. */
  now?: () => number
}

export function createSteadyRate({
  perMinute,
  now = () => performance.now(),
}: SteadyRateOptions): SteadyRate {
  const perMs = perMinute / 60_000
  // Limited to the budget of one second, so that a pause is not made up for in a burst.
  const most = Math.max(1, perMs * 1_000)
  let saved = most
  let at = now()

  function fill(): void {
    const time = now()
    saved = Math.min(most, saved + (time - at) * perMs)
    at = time
  }

  return {
    available: () => {
      fill()
      return Math.floor(saved)
    },
    take: (count) => {
      saved -= count
    },
    untilNextMs: () => {
      fill()
      return saved >= 1 ? 0 : Math.ceil((1 - saved) / perMs)
    },
  }
}
