// Records in the background when keys were last used: a call must not wait for a write that is not urgent. A kill
// loses at most the last minute.

import type { ApiKeyStore } from './api-keys.ts'
import { createPoller } from './poller.ts'
import type { Transact } from './transaction.ts'

export interface KeyUseOptions {
  transact: Transact
  apiKeys: Pick<ApiKeyStore, 'noteUse'>
  /** Write interval. Default 60 000. */
  intervalMs?: number
  onFault: (error: unknown) => void
}

type Lookup<Owner> = (keyHash: string) => Promise<Owner | undefined>

export interface KeyUse {
  /** The same lookup; the keys that it finds count as used. */
  watched<Owner>(byKeyHash: Lookup<Owner>): Lookup<Owner>
  start(): void
  /** Writes down what is left. */
  stop(): Promise<void>
}

export function createKeyUse(options: KeyUseOptions): KeyUse {
  const { transact, apiKeys, intervalMs = 60_000, onFault } = options
  // Only keys that were found, so there are never more than the existing keys.
  let used = new Set<string>()

  async function write(): Promise<void> {
    if (used.size === 0) return
    const written = used
    used = new Set()
    await transact((tx) => apiKeys.noteUse(tx, [...written]))
  }

  const poller = createPoller({
    name: 'worker: note which keys are used',
    intervalMs,
    onFault,
    round: async () => {
      await write()
      return false
    },
  })
  return {
    watched: (byKeyHash) => async (keyHash) => {
      const owner = await byKeyHash(keyHash)
      if (owner !== undefined) used.add(keyHash)
      return owner
    },
    start: poller.start,
    stop: async () => {
      await poller.stop()
      await write().catch(onFault)
    },
  }
}
