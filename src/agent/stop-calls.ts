// Calls while the server stops. A caller that waits for a task is sent a response that says to poll. Other calls may
// finish until the stop no longer waits for them; they then get an error that says to retry, which is more
// informative than a closed connection.

import { taskError } from '../protocol/errors.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { Agent, TaskCall } from './agent.ts'
import { type Answer, echoOf, failedAnswer } from './answer.ts'

export interface StopOptions {
  /** Aborted when the server no longer waits for calls in progress. */
  lastCall: AbortSignal
  identifiers: Identifiers
}

const RETRY_AFTER_SECONDS = 5

export function stopCalls(agent: Agent, { lastCall, identifiers }: StopOptions): Agent {
  /** How to refuse each call in progress. */
  const open = new Set<() => void>()
  const refuseAll = () => {
    for (const refuse of open) refuse()
  }
  lastCall.addEventListener('abort', refuseAll, { once: true })

  function refusal({ task, arguments: request }: TaskCall): Answer {
    const message =
      'the server is stopping: retry the call, with the same idempotency_key if it had one'
    const error = taskError('SERVICE_UNAVAILABLE', message, { retry_after: RETRY_AFTER_SECONDS })
    const area = agent.tasks.find(task)?.task.area
    return failedAnswer([error], identifiers, { echo: echoOf(request), area })
  }

  return {
    ...agent,
    call: (call) =>
      new Promise((resolve, reject) => {
        const refuse = () => resolve(refusal(call))
        if (lastCall.aborted) return refuse()
        open.add(refuse)
        agent
          .call(call)
          .then(resolve, reject)
          .finally(() => open.delete(refuse))
      }),
  }
}
