// Targets of a get_signals request that several of its members name (spec 4.3): they are combined, and the response
// says so.

import { canonicalJson } from '../lib/canonical-json.ts'
import type { GetSignalsRequest } from '../protocol/schemas/get-signals.ts'

/** One sentence if members name different targets; none if they agree. */
export function targetNotes(request: GetSignalsRequest): string[] {
  const { deliver_to, destinations, deployments } = request
  const lists = [
    ['/deployments', deployments],
    ['/destinations', Array.isArray(destinations) ? destinations : destinations?.deployments],
    ['/deliver_to/deployments', deliver_to?.deployments],
  ] as const
  const named = lists.filter(([, targets]) => targets !== undefined)
  const different = new Set(named.map(([, targets]) => canonicalJson(targets)))
  if (different.size < 2) return []
  const places = named.map(([place]) => place).join(' and ')
  return [`${places} name different targets: signals for any of them are returned`]
}
