// Why the answer of another agent is not returned to the caller: it is nested too deeply or too large.

import { measureJson } from '../lib/measure-json.ts'
import { CALLER_LIMITS } from './limits.ts'

/** Undefined for an answer that may be passed on. */
export async function answerFault(body: Record<string, unknown>): Promise<string | undefined> {
  const { answerBytes, nesting } = CALLER_LIMITS
  const fault = await measureJson(body, { maxDepth: nesting.value, maxChars: answerBytes.value })
  if (fault === 'too_deep') {
    return `the answer of the agent is nested deeper than ${nesting.value} levels`
  }
  return (
    fault && `the agent’s response is larger than ${answerBytes.value} bytes: request less at once`
  )
}
