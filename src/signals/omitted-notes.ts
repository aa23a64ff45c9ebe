// What a response of get_signals reports about signals that the filters excluded (spec 4.3): as a readable message,
// and in machine-readable form.

import { defined } from '../lib/defined.ts'
import type { Omitted, SearchQuery } from './matching/query.ts'

type Named = Pick<SearchQuery, 'signal_spec' | 'max_cpm' | 'currency'>

/** Sentences for `message`. */
export function omittedNotes(omitted: Omitted | undefined, query: Named): string[] {
  if (!omitted) return []
  const { byCpm, better } = omitted
  const { max_cpm, currency } = query
  return [
    ...(byCpm > 0 && max_cpm !== undefined
      ? [
          `${signals(byCpm)} ${query.signal_spec === undefined ? 'with' : 'that fit with'} no CPM of at most ${max_cpm} ${currency} ${are(byCpm)} left out`,
        ]
      : []),
    ...(better.count > 0 ? [reportedBetter(better)] : []),
  ]
}

function reportedBetter({ count, filters, places }: Omitted['better']): string {
  const where = filters.includes('deployments') ? elsewhere(places) : ''
  return `${signals(count)} that fit better ${are(count)} left out by ${filters.join(', ')}${where}`
}

function elsewhere(places: readonly string[]): string {
  return places.length === 0 ? '' : ` and can go to ${places.join(', ')}`
}

function signals(count: number): string {
  return count === 1 ? '1 signal' : `${count} signals`
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** The same in machine-readable form, with the request's names for its filters. */
export function omittedNote({ byCpm, better }: Omitted): Record<string, unknown> {
  return {
    ...defined({
      max_cpm: byCpm > 0 ? byCpm : undefined,
      better:
        better.count > 0
          ? {
              count: better.count,
              filters: [...better.filters],
              ...defined({ places: better.places.length > 0 ? [...better.places] : undefined }),
            }
          : undefined,
    }),
  }
}
