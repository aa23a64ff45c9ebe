// Whether a database is writable, for readiness. A database that is full or read-only still answers reads, so only a
// write proves it. Commits of the server prove it for a while; when one failed, or none was seen for a long time,
// small writes (probes) find out, at most one every few seconds however often it is checked.

import { StorageDamaged, StorageUnavailable } from '../../lib/transaction.ts'
import { withTimeout } from '../../lib/with-timeout.ts'

export interface WriteHealth {
  /** Something was written, committed and flushed. */
  wrote(): void
  /** Something was thrown; only an unavailable storage counts. */
  failed(error: unknown): void
  /** What prevents writes to the database, each as a readable message; empty if nothing does. */
  faults(): Promise<readonly string[]>
}

export interface WriteHealthOptions {
  /** Small writes, each of another kind; they reject if the write fails. */
  probes: readonly (() => Promise<unknown>)[]
  /** Milliseconds of a monotonic clock. Default: that of the process. */
  now?: () => number
}

/** How long a successful write proves that the database is writable. */
const PROOF_MS = 30_000
/** Shortest time between two probes when the last one failed. */
const PAUSE_MS = 2_000
/** How long a failed commit counts, if the probe before it succeeded and no commit has succeeded since. */
const FAILED_MS = 5_000
/** A probe that takes longer counts as an error; the next one waits for it to end. */
const PROBE_MS = 5_000

const TOO_SLOW = `a test write to the database did not end within ${PROBE_MS / 1_000} seconds`

export function createWriteHealth({
  probes,
  now = () => performance.now(),
}: WriteHealthOptions): WriteHealth {
  let provenUntil = Number.NEGATIVE_INFINITY
  /** Commits fail: none has succeeded since. The probe is not run before `until`. */
  let failedCommit: { message: string; until: number } | undefined
  /** A probe may fit on the disk where the server's own writes do not: then it proves nothing. */
  let didProbePass = false
  let failedProbe: { messages: readonly string[]; until: number } | undefined
  /** Permanent: another write does not repair damage. */
  let damage: string | undefined
  let flight: Promise<readonly string[]> | undefined

  function wrote(): void {
    provenUntil = now() + PROOF_MS
    failedCommit = undefined
    failedProbe = undefined
    didProbePass = false
  }

  function failed(error: unknown): void {
    if (!(error instanceof StorageUnavailable)) return
    if (error instanceof StorageDamaged) damage = error.message
    provenUntil = Number.NEGATIVE_INFINITY
    failedCommit = { message: error.message, until: now() + (didProbePass ? FAILED_MS : 0) }
  }

  async function probe(): Promise<readonly string[]> {
    const ended = await Promise.allSettled(probes.map((run) => run()))
    const messages = ended.flatMap((one) => (one.status === 'rejected' ? [messageOf(one)] : []))
    if (messages.length > 0) {
      failedProbe = { messages: [...new Set(messages)], until: now() + PAUSE_MS }
      return failedProbe.messages
    }
    failedProbe = undefined
    didProbePass = failedCommit !== undefined
    provenUntil = now() + PROOF_MS
    return []
  }

  return {
    wrote,
    failed,
    faults: async () => {
      if (damage !== undefined) return [damage]
      if (now() < provenUntil) return []
      if (failedProbe && now() < failedProbe.until) return failedProbe.messages
      if (failedCommit && now() < failedCommit.until) return [failedCommit.message]
      flight ??= probe().finally(() => {
        flight = undefined
      })
      const found = await withTimeout(PROBE_MS, flight)
      return found === 'late' ? [TOO_SLOW] : found
    },
  }
}

function messageOf({ reason }: PromiseRejectedResult): string {
  return reason instanceof Error ? reason.message : String(reason)
}
