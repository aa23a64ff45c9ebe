// When an endpoint is paused after failures (spec 6.4): a pure state machine over the results of its attempts. A
// circuit only delays deliveries that wait for the endpoint; it never ends them.

import type { AttemptResult } from './store.ts'

/**
 * closed: no circuit at all, or one that counts failures. Everything goes out.
 *   down → one failure more; the fifth in a row opens it.
 *   up   → forgotten: failures count only in a row.
 * open: `opened_at` is set. Nothing goes out but one probe at a time, the first a minute after the
 *   circuit opened.
 *   down → the next probe a minute later, and successes count from zero.
 *   up   → the first makes the next probe due at once, the second closes it: forgotten.
 * An attempt that was already under way when the circuit opened says as much as a probe does.
 * 'nothing' moves nothing, in either state.
 */
export interface Circuit {
  /** In a row, up to now. */
  failures: number
  /** In a row, since it opened. */
  successes: number
  /** In milliseconds; undefined while it is closed. */
  opened_at: number | undefined
  /** When a probe may be sent. Undefined while it is closed, or when there is no delivery to probe with. */
  probe_at: number | undefined
}

/** @internal */
export const CIRCUIT_OPENS_AFTER_FAILURES = 5
/** @internal */
export const CIRCUIT_PROBES_AFTER_MS = 60_000
/** @internal */
export const CIRCUIT_CLOSES_AFTER_SUCCESSES = 2

export type MoveCircuit = typeof moveCircuit

/** The circuit after one more attempt; undefined when there is nothing to remember. */
export function moveCircuit(
  circuit: Circuit | undefined,
  says: AttemptResult['says'],
  now: number,
): Circuit | undefined {
  if (says === 'nothing') return circuit
  const isOpen = circuit?.opened_at !== undefined
  if (says === 'up') return isOpen ? afterSuccess(circuit, now) : undefined

  const failures = (circuit?.failures ?? 0) + 1
  const opens = isOpen || failures >= CIRCUIT_OPENS_AFTER_FAILURES
  return {
    failures,
    successes: 0,
    opened_at: opens ? (circuit?.opened_at ?? now) : undefined,
    probe_at: opens ? now + CIRCUIT_PROBES_AFTER_MS : undefined,
  }
}

function afterSuccess(circuit: Circuit, now: number): Circuit | undefined {
  const successes = circuit.successes + 1
  if (successes >= CIRCUIT_CLOSES_AFTER_SUCCESSES) return undefined
  return { ...circuit, failures: 0, successes, probe_at: now }
}
