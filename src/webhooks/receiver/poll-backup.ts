// Follows a task to its end in two ways (spec 6.4): the webhook, and polling as a backup at a reduced interval. The
// first final status from either ends both.

import { isFinalStatus } from '../../protocol/final-status.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { receivedTaskStatus } from '../../protocol/schemas/task-status.ts'

/** The minimal response of `get_task_status`. */
export interface PolledTask {
  task_id: string
  status: string
}

export interface FollowOptions<Polled extends PolledTask, Reported> {
  /**
   * Reads the status of the task from the seller. An error it throws, and a response that is not about a task, such
   * as a refusal, is passed to `onFault`, and the poll is repeated.
   */
  poll: (signal: AbortSignal) => Promise<Polled>
  /**
   * Resolves when a webhook reported the end, such as `(signal) => receiver.waitFor(id, { signal })`; undefined
   * means that it will not. Default: no webhook is configured.
   */
  webhook?: ((signal: AbortSignal) => Promise<Reported | undefined>) | undefined
  /** Time between two polls, in milliseconds. Default 120000 with a webhook, 30000 without. */
  intervalMs?: number | undefined
  signal?: AbortSignal | undefined
  /** Receives a failed poll or wait. Default: none. */
  onFault?: ((error: unknown) => void) | undefined
}

export type Followed<Polled, Reported> =
  | { by: 'poll'; answer: Polled }
  | { by: 'webhook'; message: Reported }
  | undefined

const POLL_WITH_WEBHOOK_MS = 120_000
const POLL_WITHOUT_WEBHOOK_MS = 30_000

/** Resolves with the end of the task and how it was learned, or undefined when the signal aborts. */
export function followTask<Polled extends PolledTask, Reported = never>(
  options: FollowOptions<Polled, Reported>,
): Promise<Followed<Polled, Reported>> {
  const { poll, webhook, signal, onFault = () => {} } = options
  const usual = webhook ? POLL_WITH_WEBHOOK_MS : POLL_WITHOUT_WEBHOOK_MS
  const { intervalMs = usual } = options
  return new Promise((resolve) => {
    const over = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const end = (followed: Followed<Polled, Reported>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      over.abort()
      resolve(followed)
    }
    const stop = () => end(undefined)
    const fault = (error: unknown) => {
      if (!over.signal.aborted) onFault(error)
    }

    // The next poll is scheduled when the last one has ended, so even with a slow seller two polls never run at once.
    const plan = () => {
      if (!over.signal.aborted) timer = setTimeout(ask, intervalMs)
    }
    const ask = () => {
      void poll(over.signal)
        .then((answer) => {
          const why = faultOfAnswer(answer)
          if (why !== undefined) throw new Error(why)
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

/**
 * The `failed` status of a rejected call is about the call: it had no key, or the task no longer exists. Only a
 * response with a `task_id` is about a task.
 */
function faultOfAnswer(answer: unknown): string | undefined {
  const members = isObject(answer) ? answer : {}
  if (typeof members.task_id !== 'string' || members.task_id === '') {
    return `the poll was not answered with a task: task_id is missing${refusalIn(members)}`
  }
  if (receivedTaskStatus.safeParse(members.status).success) return undefined
  return 'the poll was not answered with a task: status is none of a task'
}

/** The error code of a rejection, if the response is one. */
function refusalIn({ errors, error }: Record<string, unknown>): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : error
  const code = isObject(first) ? first.code : undefined
  return typeof code === 'string' ? `, and it was refused: ${code.slice(0, 100)}` : ''
}
