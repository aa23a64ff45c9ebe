// Sends a request to an agent, and sends it again if that is safe and may help.

import { pause } from '../lib/pause.ts'
import type { CallFailure, CallResult } from '../transports/client.ts'
import { stopped } from '../transports/client.ts'
import { agentError } from './agent-error.ts'
import { pauseBeforeRepeat } from './repeat.ts'

export interface SendOptions {
  attempts: number
  /** Whether sending it twice has no more effect than sending it once. */
  isSafe: boolean
  /** What is left of the total time, in milliseconds. */
  remainingMs: () => number
  signal: AbortSignal
  onRepeat(failure: CallFailure, inMs: number): void
}

export async function sendCall(
  send: () => Promise<CallResult>,
  { attempts, isSafe, remainingMs, signal, onRepeat }: SendOptions,
): Promise<CallResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await send()
    // A task that was started and has failed has ended: there is no reason to send anything again.
    if (result.ok || typeof result.body?.task_id === 'string') return result
    const tried = { attempt, attempts, isSafe, remainingMs: remainingMs() }
    const inMs = pauseBeforeRepeat(agentError(result), tried, Math.random)
    if (inMs === undefined || signal.aborted) return result
    onRepeat(result, inMs)
    await pause(inMs, signal)
    if (signal.aborted) return stopped(signal)
  }
}
