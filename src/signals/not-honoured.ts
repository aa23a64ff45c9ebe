// What a request of get_signals asks for that its answer does not go by (spec 4.3): filters and members that this
// agent does not know, or not for this caller. The answer says so, for people and for programs.

import { hasFeature } from '../protocol/releases/releases.ts'
import { type GetSignalsRequest, signalFilters } from '../protocol/schemas/get-signals.ts'
import { signal } from '../protocol/schemas/signal.ts'
import type { CallContext } from '../protocol/task.ts'

export interface NotHonoured {
  /** Where in the request (RFC 6901). */
  field: string
  reason: string
}

/** As many as are told: a request may hold any number. */
const MOST = 20

export function notHonoured(
  { filters = {}, fields = [] }: GetSignalsRequest,
  { principal, version }: Pick<CallContext, 'principal' | 'version'>,
): NotHonoured[] {
  const unknown = Object.keys(filters).filter((name) => !Object.hasOwn(signalFilters.shape, name))
  const types = principal ? [] : (filters.catalog_types ?? [])
  const isShown = (name: string) =>
    Object.hasOwn(signal.shape, name) &&
    (name !== 'demographic_predicate' || hasFeature(version, name))
  return [
    ...unknown.map((name) => ({
      field: `/filters/${escaped(name)}`,
      reason: 'this agent has no such filter',
    })),
    ...types.flatMap((type, index) =>
      type === 'marketplace'
        ? []
        : [
            {
              field: `/filters/catalog_types/${index}`,
              reason: `signals of the type ${type} require a key`,
            },
          ],
    ),
    ...fields.flatMap((name, index) =>
      isShown(name)
        ? []
        : [{ field: `/fields/${index}`, reason: 'signals have no such member here' }],
    ),
  ].slice(0, MOST)
}

/** For `message`. */
export function notHonouredNotes(list: readonly NotHonoured[]): string[] {
  if (list.length === 0) return []
  return [`not gone by: ${list.map(({ field, reason }) => `${field} (${reason})`).join(', ')}`]
}

function escaped(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}
