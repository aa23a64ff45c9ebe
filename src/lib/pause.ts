// A pause that a signal cuts short.

/** The maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2_147_483_647

/** Resolves after `ms`, or immediately when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS))
    signal.addEventListener('abort', end, { once: true })
  })
}
