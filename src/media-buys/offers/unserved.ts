// Members of a request for unsupported features: refused, never ignored.

import type { Faults } from '../faults.ts'

/** `null` requests the absence of a feature, so it is accepted. */
export function refuseUnserved(
  given: object,
  members: readonly string[],
  { pointer, faults }: { pointer: string; faults: Faults },
): void {
  const values = new Map(Object.entries(given))
  for (const member of members) {
    const value: unknown = values.get(member)
    if (value === undefined || value === null) continue
    const message = `${member} is not served here: leave it out.`
    faults.add('UNSUPPORTED_FEATURE', message, { pointer: `${pointer}/${member}` })
  }
}

/** The seller dividing the budget itself is not supported. */
export function refuseAllocation(allocation: unknown, faults: Faults): void {
  const { mode } = (allocation ?? {}) as { mode?: unknown }
  if (allocation === undefined || mode === 'fixed') return
  const message = 'Only the mode fixed is served: each purchase has a budget.'
  faults.add('UNSUPPORTED_FEATURE', message, { pointer: '/budget_allocation' })
}

/** A bid in the unit of the price, from the corresponding block of 3.2. */
export function bidOf(
  bidding: unknown,
  { pointer, faults }: { pointer: string; faults: Faults },
): number | undefined {
  if (typeof bidding !== 'object' || bidding === null) return undefined
  const { bid_amount, max_bid, automatic, ...others } = bidding as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) {
    const at = `${pointer}/bidding/${other.slice(0, 100)}`
    faults.add('UNSUPPORTED_FEATURE', 'Served are bid_amount and max_bid.', { pointer: at })
  }
  const bid = bid_amount ?? max_bid
  if (bid === undefined) {
    if (automatic !== true && other === undefined) {
      faults.add('VALIDATION_ERROR', 'Give bid_amount or max_bid.', {
        pointer: `${pointer}/bidding`,
      })
    }
    return undefined
  }
  if (typeof bid === 'number' && bid > 0 && bid <= 1e12) return bid
  const name = bid_amount === undefined ? 'max_bid' : 'bid_amount'
  faults.add('VALIDATION_ERROR', 'A bid is a number above 0.', {
    pointer: `${pointer}/bidding/${name}`,
  })
  return undefined
}
