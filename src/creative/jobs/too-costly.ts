// Reports to the caller that work had to be stopped: which work, and which limit it exceeded. Repeating it would end
// the same way, so the caller has to change it.

import { isTooCostly, type WorkerPoolError } from '../../lib/worker-pool/worker-pool-error.ts'
import type { ProtocolError } from '../../protocol/errors.ts'

/** For `catch`: converts a too-costly error into a refusal; rethrows everything else. */
export function costlyBecause(
  refusal: (reason: string) => ProtocolError,
): (error: unknown) => never {
  return (error) => {
    if (!isTooCostly(error)) throw error
    throw Object.assign(refusal(costOf(error)), { cause: error })
  }
}

/** Which limit was exceeded, as the end of a sentence. */
export function costOf({ code }: WorkerPoolError): string {
  if (code === 'too_long') return 'it takes more time than one piece of work may'
  if (code === 'too_large') return 'it takes more memory than one piece of work may'
  return 'it crashes the process that reads it'
}
