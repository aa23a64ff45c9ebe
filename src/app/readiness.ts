// Whether this instance is ready for requests: each failing check, as a readable message. Changes are logged, so that
// the log also records how long each one lasted.

import { withTimeout } from '../lib/with-timeout.ts'
import type { Parts } from './parts.ts'

export interface ReadinessPorts
  extends Pick<Parts, 'storage' | 'workerPool' | 'wallClock' | 'stopping' | 'log'> {
  /** Rejects when this instance cannot sign what it sends. */
  signingKey: () => Promise<unknown>
}

/** Signatures, leases and expiries would be wrong by as much; other parties refuse signatures that are off by this. */
const MAX_CLOCK_OFF_MS = 60_000
/** A database that does not respond in this time is the business of the other checks. */
const CHECK_MS = 5_000

export function createReadiness(ports: ReadinessPorts): () => Promise<readonly string[]> {
  const { storage, workerPool, stopping, log } = ports
  let before = ''
  return async () => {
    if (stopping.aborted) return ['the server is stopping']
    const failed = [...(await storage.database.faults())]
    // Both are read from the database: without it they would only repeat that it is gone.
    if (failed.length === 0) failed.push(...(await clockFaults(ports)), ...(await keyFaults(ports)))
    if (workerPool.fault !== undefined) failed.push('no process of the worker pool can be started')
    const now = failed.join('; ')
    if (now !== before) {
      if (now === '') log.info('ready again')
      else log.warn({ failed_checks: failed }, 'not ready')
    }
    before = now
    return failed
  }
}

async function clockFaults({ storage, wallClock }: ReadinessPorts): Promise<string[]> {
  // SQLite has the clock of this machine.
  if (storage.database.dialect === 'sqlite') return []
  const read = storage.transact(async (tx) => (await tx.now()) - wallClock.now())
  const offMs = await withTimeout(CHECK_MS, read).catch(() => 'late' as const)
  if (offMs === 'late' || Math.abs(offMs) <= MAX_CLOCK_OFF_MS) return []
  const seconds = Math.round(Math.abs(offMs) / 1_000)
  const direction = offMs > 0 ? 'behind' : 'ahead of'
  return [`the clock of this machine is ${seconds} s ${direction} that of the database`]
}

async function keyFaults({ signingKey }: ReadinessPorts): Promise<string[]> {
  const failed = await signingKey().then(
    () => false,
    () => true,
  )
  return failed ? ['there is no key to sign with: adwire keys list shows the keys'] : []
}
