// What a request of get_signals contains that the response does not take into account (spec 4.3): filters and members
// that this agent does not support, or not for this caller. The response reports it, as text and in machine-readable
// form.

import { countryFault } from '../protocol/country-codes.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import { type GetSignalsRequest, signalFilters } from '../protocol/schemas/get-signals.ts'
import { signal } from '../protocol/schemas/signal.ts'
import type { CallContext } from '../protocol/task.ts'

export interface NotHonoured {
  /** Where in the request (RFC 6901). */
  field: string
  reason: string
}

/** The maximum number that is reported: a request may contain any number. */
const MOST = 20

export function notHonoured(
  request: GetSignalsRequest,
  { principal, version }: Pick<CallContext, 'principal' | 'version'>,
): NotHonoured[] {
  const { filters = {}, fields = [] } = request
  const unknown = Object.keys(filters).filter((name) => !Object.hasOwn(signalFilters.shape, name))
  const types = principal ? [] : (filters.catalog_types ?? [])
  const isReturned = (name: string) =>
    Object.hasOwn(signal.shape, name) &&
    (name !== 'demographic_predicate' || hasFeature(version, name))
  return [
    ...otherPageSize(request),
    ...placesOfCountries(request).flatMap(({ field, countries }) => unassigned(field, countries)),
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
      isReturned(name)
        ? []
        : [{ field: `/fields/${index}`, reason: 'signals have no such member here' }],
    ),
  ].slice(0, MOST)
}

/** The size of the page counts. */
function otherPageSize({ max_results, pagination }: GetSignalsRequest): NotHonoured[] {
  const size = pagination?.max_results
  if (max_results === undefined || size === undefined || max_results === size) return []
  return [{ field: '/max_results', reason: `pagination.max_results is given as well: ${size}` }]
}

function placesOfCountries({ countries, deliver_to, destinations }: GetSignalsRequest) {
  const newer = Array.isArray(destinations) ? undefined : destinations?.countries
  return [
    { field: '/countries', countries },
    { field: '/deliver_to/countries', countries: deliver_to?.countries },
    { field: '/destinations/countries', countries: newer },
  ]
}

function unassigned(field: string, countries: readonly string[] = []): NotHonoured[] {
  return countries.flatMap((code, index) => {
    const reason = countryFault(code)
    return reason === undefined ? [] : [{ field: `${field}/${index}`, reason }]
  })
}

/** For `message`. */
export function notHonouredNotes(list: readonly NotHonoured[]): string[] {
  if (list.length === 0) return []
  return [`not applied: ${list.map(({ field, reason }) => `${field} (${reason})`).join(', ')}`]
}

function escaped(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
}
