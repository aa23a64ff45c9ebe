// Reports turns of the event loop that block the server: in the metrics, and in the log when they are long.

import { Histogram, type Registry } from 'prom-client'
import type { Log } from '../lib/log.ts'
import { type LongTurn, watchTurns } from '../lib/turn-watch.ts'

/** Turns below this are not worth recording. */
const RECORDED_MS = 25
/** From this duration on, other callers notice. */
const LOGGED_MS = 250
const LOG_EVERY_MS = 10_000
/** With less processor time, the process was waiting for the machine and not working. */
const RUNNING_SHARE = 0.25
const BLOCKED = 'the event loop was blocked'
const NOT_SCHEDULED = 'the machine did not run this process: it is busy, or was suspended'
const BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Watches until the returned function is called. */
export function watchEventLoop(registry: Registry, log: Log): () => void {
  const blocked = new Histogram({
    name: 'adwire_event_loop_blocked_seconds',
    help: 'How long turns of the event loop blocked other callers; turns under 25 ms are not counted.',
    buckets: BUCKETS,
    registers: [registry],
  })
  let loggedAt = Number.NEGATIVE_INFINITY
  return watchTurns({
    thresholdMs: RECORDED_MS,
    onLongTurn: (turn) => {
      blocked.observe(turn.ms / 1_000)
      const now = performance.now()
      if (turn.ms < LOGGED_MS || now - loggedAt < LOG_EVERY_MS) return
      loggedAt = now
      if (turn.cpuMs >= turn.ms * RUNNING_SHARE) log.warn(fieldsOf(turn), BLOCKED)
      else log.info(fieldsOf(turn), NOT_SCHEDULED)
    },
  })
}

function fieldsOf({ ms, cpuMs, during }: LongTurn) {
  return { blocked_ms: Math.round(ms), cpu_ms: Math.round(cpuMs), during }
}
