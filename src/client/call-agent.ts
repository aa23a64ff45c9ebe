// Calls a task of another agent, over any transport, and follows it to its end: one new call, or the rest of one that
// was started earlier. To call an agent more than once, open it (`open-agent.ts`), so that it is discovered once.

import type { ResponseOf, TaskName } from './known-tasks.ts'
import type { CallAgentOptions, ResumeOptions } from './options.ts'
import type { CallOutcome } from './outcome.ts'
import { runCall, runResumed } from './run-call.ts'
import { createSession } from './session.ts'

/**
 * Resolves with the outcome of the call, whatever the agent does. Rejects only for what the caller has to fix:
 * invalid options, and what `onInputRequired` and the receiver's `urlFor` throw.
 */
export async function callAgent<T extends TaskName | (string & {})>(
  options: CallAgentOptions<T>,
): Promise<CallOutcome<ResponseOf<T>>> {
  const session = createSession(options)
  try {
    return (await runCall(session, options)) as CallOutcome<ResponseOf<T>>
  } finally {
    await session.close()
  }
}

/** Follows a call that was started earlier, by its `taskId`, its `operationId` or both, even after a restart. */
export async function resumeCall<T extends TaskName | (string & {})>(
  options: ResumeOptions<T>,
): Promise<CallOutcome<ResponseOf<T>>> {
  const session = createSession(options)
  try {
    return (await runResumed(session, options)) as CallOutcome<ResponseOf<T>>
  } finally {
    await session.close()
  }
}
