// Calls while the server stops. A caller that waits for a task is sent a response that says to poll. Other calls may
// finish until the stop no longer waits for them; they then get an error that says to retry, which is more
// informative than a closed connection.

import { setMaxListeners } from 'node:events'
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
  setMaxListeners(0, lastCall) // one for each call under way

  function refusal({ task, arguments: request }: TaskCall): Answer {
    const message =
      'the server is stopping: retry the call, with the same idempotency_key if it had one'
    const error = taskError('SERVICE_UNAVAILABLE', message, { retry_after: RETRY_AFTER_SECONDS })
    const area = agent.tasks.find(task)?.task.area
    return failedAnswer([error], echoOf(request), identifiers, area)
  }

  return {
    ...agent,
    call: (call) =>
      new Promise((resolve, reject) => {
        const refuse = () => resolve(refusal(call))
        if (lastCall.aborted) return refuse()
        lastCall.addEventListener('abort', refuse, { once: true })
        agent
          .call(call)
          .then(resolve, reject)
          .finally(() => lastCall.removeEventListener('abort', refuse))
      }),
  }
}
