// The signals that a caller probably meant by an id that does not exist.

import { nearInPages } from '../protocol/near-ids.ts'
import { type Known, maySee } from './access.ts'
import type { SignalStore } from './store.ts'

/** Only signals that the caller may see. */
export async function nearSignals(
  signals: Pick<SignalStore, 'get' | 'ids'>,
  id: string,
  caller: Known | undefined,
): Promise<string[]> {
  const candidates = await nearInPages(id, signals.ids)
  const stored = await signals.get(candidates)
  return candidates.filter((candidate) => {
    const signal = stored.get(candidate)?.signal
    return signal !== undefined && maySee(signal, caller)
  })
}
