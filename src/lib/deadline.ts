// A signal that is aborted on timeout or when another signal aborts, whichever comes first. Node keeps no reference
// to the signals that it combines itself: under memory pressure they are collected before they fire, and the deadline
// never comes. This one is referenced by its timer.

export interface Deadline {
  signal: AbortSignal
  /** Call this when the work has ended: it clears the timer and removes the listeners. */
  end(): void
}

export interface DeadlineOptions {
  /** Default: no time of its own. */
  timeoutMs?: number
  /** Signals that also abort this one. Default none. */
  signals?: readonly AbortSignal[]
}

/** The maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2_147_483_647

export function startDeadline({ timeoutMs, signals = [] }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined

  const end = (): void => {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', follow)
  }
  function follow(this: AbortSignal): void {
    end()
    controller.abort(this.reason)
  }

  const given = signals.find((signal) => signal.aborted)
  if (given) {
    controller.abort(given.reason)
    return { signal: controller.signal, end }
  }
  for (const signal of signals) signal.addEventListener('abort', follow, { once: true })
  if (timeoutMs !== undefined) {
    timer = setTimeout(
      () => {
        end()
        controller.abort(new DOMException('the time is up', 'TimeoutError'))
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    )
    // As with Node's own signals, a deadline alone does not keep the process alive.
    timer.unref()
  }
  return { signal: controller.signal, end }
}

/** Runs the work with a deadline that ends with it. */
export async function withDeadline<T>(
  options: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, end } = startDeadline(options)
  try {
    return await work(signal)
  } finally {
    end()
  }
}
