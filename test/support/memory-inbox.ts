// The first half of the inbox in memory, for tests of what stands before it: what was accepted is
// kept, each key once for its sender, and the database can be away.

import { StorageUnavailable } from '../../src/lib/transaction.ts'
import type {
  Accepted,
  AcceptLimits,
  InboxStore,
  NewMessage,
} from '../../src/webhooks/receiver/store.ts'

export interface MemoryInbox extends Pick<InboxStore, 'accept'> {
  /** What is kept, the first received first. */
  kept: NewMessage[]
  /** While true, nothing is accepted. */
  setAway(isAway: boolean): void
  /** As if everything that is kept had been applied. */
  applyAll(): void
}

export function memoryInbox(): MemoryInbox {
  const kept: NewMessage[] = []
  let isAway = false
  const applied = new Set<NewMessage>()
  const acceptOne = (
    message: NewMessage,
    { maxPerSender, reportUnfinished }: AcceptLimits,
  ): Accepted => {
    const ofSender = kept.filter(({ sender }) => sender === message.sender)
    const known = ofSender.find(({ idempotency_key: key }) => key === message.idempotency_key)
    if (known && known.digest !== message.digest) return 'changed'
    if (known) return reportUnfinished && !applied.has(known) ? 'unfinished' : 'duplicate'
    if (ofSender.length >= maxPerSender) return 'full'
    kept.push(message)
    return 'new'
  }
  return {
    kept,
    setAway: (value) => {
      isAway = value
    },
    applyAll: () => {
      for (const message of kept) applied.add(message)
    },
    accept: async (messages, limits) => {
      if (isAway) throw new StorageUnavailable('the database is away')
      return messages.map((message) => acceptOne(message, limits))
    },
  }
}
