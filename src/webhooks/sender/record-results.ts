// Writes the results of attempts, all waiting ones in one transaction. While the database is unavailable they are
// kept and retried until their lease ends: after that they would change nothing.

import { setMaxListeners } from 'node:events'
import { backoffMs } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import { pause } from '../../lib/pause.ts'
import { StorageUnavailable, type Transact } from '../../lib/transaction.ts'
import type { AttemptResult, OutboxStore } from './store.ts'

export interface RecorderPorts {
  transact: Transact
  outbox: Pick<OutboxStore, 'record'>
  clock: Clock
  onFault: (error: unknown) => void
}

export interface Recorder {
  /** Resolves when the result is written, or will never be: false when it did not count. */
  record(result: AttemptResult, leaseEndsAt: number): Promise<boolean>
  /** Stops retrying: results not written yet are left to their lease. */
  close(): void
}

const MAX_ITEMS = 500
const PAUSES = { firstMs: 100, maxMs: 2_000 }
/** Results are collected for as long as the last write took, and at most this long. */
const MAX_GATHER_MS = 20

export function createRecorder(ports: RecorderPorts): Recorder {
  const { clock, onFault } = ports
  const closing = new AbortController()
  setMaxListeners(0, closing.signal) // one for each result that waits
  const write = gathering(ports)
  return {
    record: async (result, leaseEndsAt) => {
      for (let failures = 1; ; failures++) {
        const written = await write(result)
        if (written.ok) return written.counted
        if (failures === 1) onFault(written.error)
        if (clock.now() >= leaseEndsAt || closing.signal.aborted) return false
        await pause(backoffMs(failures, PAUSES), closing.signal)
      }
    },
    close: () => closing.abort(),
  }
}

type Written = { ok: true; counted: boolean } | { ok: false; error: unknown }

/** A commit costs the same for one result and for many, so results that arrive together share one. */
function gathering(ports: RecorderPorts): (result: AttemptResult) => Promise<Written> {
  const waiting: { result: AttemptResult; resolve: (written: Written) => void }[] = []
  let isWriting = false
  let gatherMs = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      await gather(gatherMs)
      const batch = waiting.splice(0, MAX_ITEMS)
      const startedMs = performance.now()
      const written = await writeAll(
        batch.map(({ result }) => result),
        ports,
      )
      gatherMs = Math.min(performance.now() - startedMs, MAX_GATHER_MS)
      batch.forEach(({ resolve }, index) => {
        resolve(written[index] ?? { ok: true, counted: false })
      })
    }
    isWriting = false
  }

  return (result) =>
    new Promise((resolve) => {
      waiting.push({ result, resolve })
      if (isWriting) return
      isWriting = true
      void drain()
    })
}

/** Waits at least until the responses that have already arrived are read. */
function gather(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms < 1) setImmediate(resolve)
    else setTimeout(resolve, ms)
  })
}

async function writeAll(
  results: readonly AttemptResult[],
  ports: RecorderPorts,
): Promise<Written[]> {
  const { transact, outbox } = ports
  try {
    const counted = await transact((tx) => outbox.record(tx, results))
    return results.map((_, index) => ({ ok: true, counted: counted[index] ?? false }))
  } catch (error) {
    if (results.length === 1 || error instanceof StorageUnavailable) {
      return results.map(() => ({ ok: false, error }))
    }
    // One of them cannot be written, and must not prevent the others from being written.
    const written: Written[] = []
    for (const result of results) written.push(...(await writeAll([result], ports)))
    return written
  }
}
