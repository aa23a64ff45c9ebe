// A signal that is aborted when the time is up or somebody else gives up, whichever comes first. The
// signals that Node joins by itself are held by nobody: under memory pressure they are collected
// before they fire, and the deadline never comes. This one is held by its timer.

export interface Deadline {
  signal: AbortSignal
  /** To be called when the work has ended: forgets the timer and those it listens to. */
  end(): void
}

export interface DeadlineOptions {
  /** Default: no time of its own. */
  timeoutMs?: number
  /** Those whose giving up is also the end of this. Default none. */
  signals?: readonly AbortSignal[]
}

/** What a timer can hold; beyond it would fire at once. */
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
    // As with a signal of Node's: a deadline alone keeps no process alive.
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
