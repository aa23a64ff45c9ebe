// Creatives that are included in a package itself: they are added to the library first, as sync_creatives would add
// them, all or none, and are then library creatives like any others (spec 4.5). They stay there if the buy is
// refused.

import { ProtocolError } from '../protocol/errors.ts'
import type { CallContext } from '../protocol/task.ts'
import { BUY_LIMITS } from './limits.ts'

/** Adds creatives to the caller's library; throws an error that refuses them. */
export type AddCreatives = (creatives: readonly object[], call: CallContext) => Promise<void>

const MAX_INLINE = BUY_LIMITS.inlineCreatives.value

export async function addInline(
  { addCreatives }: { addCreatives: AddCreatives },
  packages: readonly { creatives?: readonly object[] | undefined }[] | undefined,
  call: CallContext,
): Promise<void> {
  const creatives = (packages ?? []).flatMap((one) => one.creatives ?? [])
  if (creatives.length === 0) return
  if (creatives.length > MAX_INLINE) {
    const message = `at most ${MAX_INLINE} creatives are accepted in one call. Add more with sync_creatives`
    throw new ProtocolError('VALIDATION_ERROR', message, { field: '/packages' })
  }
  await addCreatives(creatives, call)
}
