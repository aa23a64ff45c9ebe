// Follows a task to its end by both ways (spec 6.4): the webhook, and polling as a backup at a reduced
// interval. The first final status by either way ends both.

import { isFinalStatus } from './order.ts'

export interface FollowOptions<Polled extends { status: string }, Told> {
  /** Asks the seller how the task stands. What it throws is told to `onFault`, and asked again. */
  poll: (signal: AbortSignal) => Promise<Polled>
  /**
   * Resolves when a webhook told of the end, such as `(signal) => receiver.waitFor(id, { signal })`;
   * undefined means that it will not. Default: no webhook is configured.
   */
  webhook?: ((signal: AbortSignal) => Promise<Told | undefined>) | undefined
  /** Time between two polls, in milliseconds. Default 120000 with a webhook, 30000 without. */
  intervalMs?: number | undefined
  signal?: AbortSignal | undefined
  /** Hears of a poll or a wait that failed. Default: nobody. */
  onFault?: ((error: unknown) => void) | undefined
}

export type Followed<Polled, Told> =
  | { by: 'poll'; answer: Polled }
  | { by: 'webhook'; message: Told }
  | undefined

export const POLL_WITH_WEBHOOK_MS = 120_000
export const POLL_WITHOUT_WEBHOOK_MS = 30_000

/** Resolves with the end of the task and how it was learned, or undefined when the signal aborts. */
export function followTask<Polled extends { status: string }, Told = never>(
  options: FollowOptions<Polled, Told>,
): Promise<Followed<Polled, Told>> {
  const { poll, webhook, signal, onFault = () => {} } = options
  const usual = webhook ? POLL_WITH_WEBHOOK_MS : POLL_WITHOUT_WEBHOOK_MS
  const { intervalMs = usual } = options
  return new Promise((resolve) => {
    const over = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const end = (followed: Followed<Polled, Told>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      over.abort()
      resolve(followed)
    }
    const stop = () => end(undefined)
    const fault = (error: unknown) => {
      if (!over.signal.aborted) onFault(error)
    }

    // The next poll is planned when the last one has ended, so a slow seller is not asked twice.
    const plan = () => {
      if (!over.signal.aborted) timer = setTimeout(ask, intervalMs)
    }
    const ask = () => {
      void poll(over.signal)
        .then((answer) => {
          if (isFinalStatus(answer.status)) end({ by: 'poll', answer })
        })
        .catch(fault)
        .then(plan)
    }

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    void webhook?.(over.signal)
      .then((message) => {
        if (message !== undefined) end({ by: 'webhook', message })
      })
      .catch(fault)
    plan()
  })
}
