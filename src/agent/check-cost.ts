// Whether a call may be made at all, by what it would cost: asked before the work begins.

import { ProtocolError } from '../protocol/errors.ts'
import type { AnyTask, CallContext } from '../protocol/task.ts'

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

/** Two digits are enough of an estimate. */
function rounded(units: number): string {
  if (!Number.isFinite(units)) return 'too many'
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(units, 1))) - 1)
  return (Math.round(units / step) * step).toLocaleString('en-US')
}
