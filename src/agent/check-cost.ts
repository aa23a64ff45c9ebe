// Whether a call is allowed, by its cost: checked before the work begins.

import { ProtocolError } from '../protocol/errors.ts'
import type { AnyTask, CallContext } from '../protocol/task.ts'
import { CALL_LIMITS, COST_LIMITS } from './limits.ts'

/** The units of a call; throws VALIDATION_ERROR when they are more than the task allows. */
export async function checkCost(
  { name, cost }: Pick<AnyTask, 'name' | 'cost'>,
  request: unknown,
  call: CallContext,
): Promise<number> {
  const units = await cost.estimate(request, call)
  if (units <= cost.limit) return units
  const { field, advice } = cost.reduce ?? {}
  const message =
    `${name} would cost about ${rounded(units)} units (${cost.grows}); ` +
    `at most ${rounded(cost.limit)} are allowed per call.${advice ? ` ${advice}` : ''}`
  throw new ProtocolError('VALIDATION_ERROR', message, {
    ...(field === undefined ? {} : { field }),
    ...(advice === undefined ? {} : { suggestion: advice }),
    details: { cost: Math.round(Math.min(units, Number.MAX_SAFE_INTEGER)), cost_limit: cost.limit },
  })
}

const KIB = 1_024
/** For a light call: some are estimated at far more than they usually return. */
const LIGHT_BYTES = 64 * KIB

/** An upper bound for the size of the answer of a call with this cost. */
export function estimatedBytes(units: number): number {
  if (units < COST_LIMITS.heavyUnits.value) return Math.min(units * KIB, LIGHT_BYTES)
  return Math.min(units * KIB, CALL_LIMITS.answerBytes.value)
}

/** Two digits are precise enough for an estimate. */
function rounded(units: number): string {
  if (!Number.isFinite(units)) return 'too many'
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(units, 1))) - 1)
  return (Math.round(units / step) * step).toLocaleString('en-US')
}
