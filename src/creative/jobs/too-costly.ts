// Work that had to be ended, reported to its caller: what it was, and which limit it exceeded. Run again it would end
// in the same way, so the caller has to change it.

import { isTooCostly, type WorkerPoolError } from '../../lib/worker-pool/worker-pool-error.ts'
import type { ProtocolError } from '../../protocol/errors.ts'

/** For `catch`: the refusal in place of what was too costly; everything else is thrown as it is. */
export function costlyBecause(
  refusal: (reason: string) => ProtocolError,
): (error: unknown) => never {
  return (error) => {
    if (!isTooCostly(error)) throw error
    throw Object.assign(refusal(costOf(error)), { cause: error })
  }
}

/** In which respect it was too much, as the end of a sentence. */
export function costOf({ code }: WorkerPoolError): string {
  if (code === 'too_long') return 'it takes more time than one piece of work may'
  if (code === 'too_large') return 'it takes more memory than one piece of work may'
  return 'it crashes the process that reads it'
}
