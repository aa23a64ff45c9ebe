// The clock of one request, for the egress guard: it runs from the DNS query to the last byte, and is paused while
// the request waits in one of our queues. When it runs out, or the caller aborts, the request is cut; the failure is
// named after whichever came first.

import { type Refusal, refuse } from './outcome.ts'

export interface RequestClock {
  /** Aborted, with the refusal as its reason, when the request is cut. */
  signal: AbortSignal
  /** Pauses the clock until this has settled. */
  onWait<T>(waiting: Promise<T>): Promise<T>
  /** Elapsed time, in milliseconds. */
  elapsedMs(): number
  /** Call this at the end of the request. */
  stop(): void
}

export function startRequestClock(
  totalTimeoutMs: number,
  caller: AbortSignal | undefined,
): RequestClock {
  const cut = new AbortController()
  const late: Refusal = refuse('timeout', `no complete response within ${totalTimeoutMs} ms`)
  const abort = () => cut.abort(refuse('aborted', 'the caller aborted the request'))
  let timer: NodeJS.Timeout | undefined
  let ranMs = 0
  let startedMs = performance.now()
  const elapsedMs = () => ranMs + performance.now() - startedMs

  const run = () => {
    startedMs = performance.now()
    timer = setTimeout(() => cut.abort(late), Math.max(0, totalTimeoutMs - ranMs))
  }
  caller?.addEventListener('abort', abort, { once: true })
  if (caller?.aborted) abort()
  run()
  return {
    signal: cut.signal,
    onWait: async (waiting) => {
      clearTimeout(timer)
      ranMs = elapsedMs()
      try {
        return await waiting
      } finally {
        run()
      }
    },
    elapsedMs,
    stop: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', abort)
    },
  }
}
