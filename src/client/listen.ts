// Listens for the webhook of a call (spec 6.4) from before the request is sent, since it may come before the
// answer does.

import { type Deadline, startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import type { CallProgress, CallReceiver } from './options.ts'
import { type UpdateQuery, updateFromWebhook } from './task-update.ts'
import type { CallUpdates } from './task-updates.ts'

export interface Listening {
  /** Whether a webhook may still report the end. */
  isOn(): boolean
  /** Stops listening, or keeps listening for a conflicting end, until the time limit of the call. */
  end(options: { isKept: boolean }): void
}

export interface ListenOptions extends UpdateQuery {
  receiver: CallReceiver
  operationId: string
  received: CallUpdates
  /** The task id that the agent gave in its answer, once it has. */
  taskId: () => string | undefined
  timeoutMs: number
  /** Aborted when the agent must not be called any more. */
  closing: AbortSignal
  report(progress: CallProgress): void
}

export function listen(options: ListenOptions): Listening {
  const { timeoutMs, closing } = options
  const until = startDeadline({ timeoutMs, signals: [closing] })
  const stop = new AbortController()
  const both = startDeadline({ signals: [until.signal, stop.signal] })
  let isOn = true
  void hearWebhook(options, both).finally(() => {
    isOn = false
    until.end()
    both.end()
  })
  return {
    isOn: () => isOn,
    end: ({ isKept }) => {
      if (!isKept) stop.abort()
    },
  }
}

async function hearWebhook(options: ListenOptions, { signal }: Deadline): Promise<void> {
  const { receiver, operationId, received, taskId, report } = options
  const { sender } = receiver
  try {
    const message = await receiver.waitFor(operationId, { signal, ...defined({ sender }) })
    if (!message || signal.aborted) return
    const update = updateFromWebhook(message, options)
    const known = taskId()
    if (!update) return report({ by: 'webhook', fault: 'a webhook had no task status' })
    if (known !== undefined && update.taskId !== undefined && update.taskId !== known) {
      const fault = 'a webhook of this operation belongs to another task: ignored'
      return report({ by: 'webhook', fault, taskId: update.taskId })
    }
    received.receive(update)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it gave no reason'
    report({ by: 'webhook', fault: `the receiver cannot be waited for: ${why}` })
  }
}
