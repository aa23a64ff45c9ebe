// Flushes commits to the disk, one flush at a time, and notifies the transactions included in it. After a failed
// flush there are no more: the system may have dropped what it could not write, so nothing committed since the
// previous flush can be guaranteed until the file is opened again.

import { StorageUnavailable } from '../../lib/transaction.ts'

interface Committed {
  finish(): void
  fail(error: unknown): void
}

export interface Flusher {
  add(committed: Committed): void
  /** Resolves when nothing waits for the disk. */
  idle(): Promise<void>
  /** Throws after a flush has failed. */
  check(): void
}

export function createFlusher(flush: () => Promise<void>): Flusher {
  let waiting: Committed[] = []
  let running: Promise<void> | undefined
  let failure: StorageUnavailable | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const held = waiting
      waiting = []
      try {
        if (failure) throw failure
        await flush()
      } catch (cause) {
        failure ??= new StorageUnavailable(
          'the log of the SQLite database could not be flushed to the disk, so nothing more is written: check the disk, then restart the server',
          { cause },
        )
        for (const { fail } of held) fail(failure)
        continue
      }
      for (const { finish } of held) finish()
    }
    running = undefined
  }

  return {
    add: (committed) => {
      waiting.push(committed)
      running ??= run()
    },
    idle: async () => running,
    check: () => {
      if (failure) throw failure
    },
  }
}
