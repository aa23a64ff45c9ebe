// A delivery source supplied by a program, with its responses checked: figures become sums, reports and invoices, so
// a NaN or a negative count must not get that far. A response with an error counts as not available yet, and is
// requested again; the error says which value is wrong. One buy's invalid response does not affect those of others.

import { createPacer, type Pacer } from '../../lib/pacer.ts'
import { MAX_QUANTITY } from '../../protocol/schemas/common.ts'
import type {
  DeliveryQuery,
  DeliverySource,
  PackageMetrics,
  QualifiedCount,
  WindowDelivery,
} from '../delivery-source.ts'
import { SOURCE_LIMITS } from './limits.ts'

export interface CheckedSourceOptions {
  source: DeliverySource
  onFault: (error: unknown) => void
}

export function createCheckedSource({ source, onFault }: CheckedSourceOptions): DeliverySource {
  const deliveryOf = async (query: DeliveryQuery) =>
    checkedAnswer(await source.deliveryOf(query), query)
  if (!source.deliveriesOf) return { deliveryOf }
  const askMany = source.deliveriesOf.bind(source)
  return {
    deliveryOf,
    deliveriesOf: async (queries) => {
      const said: unknown = await askMany(queries)
      if (!Array.isArray(said) || said.length !== queries.length) {
        throw invalid('deliveries', `must be a list of ${queries.length}, one for each query`)
      }
      const answers: (readonly WindowDelivery[])[] = []
      for (const [at, query] of queries.entries()) {
        try {
          answers.push(await checkedAnswer(said[at], query))
        } catch (error) {
          onFault(error)
          answers.push(query.windows.map((window) => ({ window, status: 'not_yet' })))
        }
      }
      return answers
    },
  }
}

async function checkedAnswer(said: unknown, query: DeliveryQuery): Promise<WindowDelivery[]> {
  const { windows, buy } = query
  if (!Array.isArray(said) || said.length !== windows.length) {
    throw invalid('windows', `must be a list of ${windows.length}, one for each window`)
  }
  // One entry for each package of each window is always accepted.
  const most = Math.max(SOURCE_LIMITS.entries.value, windows.length * buy.packages.length)
  const pacer = createPacer()
  const answers: WindowDelivery[] = []
  let entries = 0
  for (const [at, window] of windows.entries()) {
    const one = objectAt(`windows[${at}]`, said[at])
    if (one.status === 'not_yet') {
      const expected_at = expectedAt(`windows[${at}].expected_at`, one.expected_at)
      answers.push({ window, status: 'not_yet', expected_at })
      continue
    }
    if (one.status !== 'ready') throw invalid(`windows[${at}].status`, 'must be ready or not_yet')
    const path = `windows[${at}].by_package`
    if (!Array.isArray(one.by_package)) throw invalid(path, 'must be a list')
    entries += one.by_package.length
    if (entries > most) throw invalid(path, `must not make more than ${most} entries in all`)
    const by_package = await checkedPackages(path, one.by_package, { query, pacer })
    answers.push({ window, status: 'ready', by_package, is_final: one.is_final === true })
    if (pacer.isDue()) await pacer.pause()
  }
  return answers
}

/** The figures of the buy's own packages. */
async function checkedPackages(
  path: string,
  said: readonly unknown[],
  { query, pacer }: { query: DeliveryQuery; pacer: Pacer },
): Promise<PackageMetrics[]> {
  const known = new Set(query.buy.packages.map(({ package_id }) => package_id))
  const kept: PackageMetrics[] = []
  for (const [at, entry] of said.entries()) {
    const metrics = checkedMetrics(`${path}[${at}]`, entry)
    if (known.has(metrics.package_id)) kept.push(metrics)
    if (pacer.isDue()) await pacer.pause()
  }
  return kept
}

function checkedMetrics(path: string, said: unknown): PackageMetrics {
  const { package_id, impressions, spend, clicks, more, metric_values } = objectAt(path, said)
  if (typeof package_id !== 'string') throw invalid(`${path}.package_id`, 'must be a string')
  return {
    package_id,
    impressions: countAt(`${path}.impressions`, impressions),
    spend: figureAt(`${path}.spend`, spend),
    clicks: clicks === undefined ? undefined : countAt(`${path}.clicks`, clicks),
    more: more === undefined ? undefined : checkedMore(`${path}.more`, more),
    metric_values:
      metric_values === undefined
        ? undefined
        : checkedValues(`${path}.metric_values`, metric_values),
  }
}

const METRIC_NAME = /^[a-z][a-z0-9_]{0,63}$/

function checkedMore(path: string, said: unknown): Record<string, number> {
  const kept: [string, number][] = []
  for (const [name, value] of Object.entries(objectAt(path, said))) {
    if (kept.length >= SOURCE_LIMITS.metrics.value) break
    if (METRIC_NAME.test(name)) kept.push([name, figureAt(`${path}.${name}`, value)])
  }
  return Object.fromEntries(kept)
}

function checkedValues(path: string, said: unknown): QualifiedCount[] {
  if (!Array.isArray(said)) throw invalid(path, 'must be a list')
  return said.slice(0, SOURCE_LIMITS.metrics.value).map((one: unknown, at) => {
    const { metric_id, qualifier, value } = objectAt(`${path}[${at}]`, one)
    if (typeof metric_id !== 'string') throw invalid(`${path}[${at}].metric_id`, 'must be a string')
    return {
      metric_id,
      // Unknown qualifiers are ignored by the readers.
      qualifier: objectAt(`${path}[${at}].qualifier`, qualifier) as Record<string, string>,
      value: figureAt(`${path}[${at}].value`, value),
    }
  })
}

/** The end of the year 9999: later times have no ISO form that receivers can parse. */
const LAST_TIME = 253_402_300_799_999

function expectedAt(path: string, said: unknown): number | undefined {
  if (said === undefined) return undefined
  if (typeof said === 'number' && said >= 0 && said <= LAST_TIME) return Math.ceil(said)
  throw invalid(path, 'must be a time in milliseconds')
}

function countAt(path: string, said: unknown): number {
  if (Number.isInteger(said)) return figureAt(path, said)
  throw invalid(path, `must be an integer between 0 and ${MAX_QUANTITY}`)
}

/** NaN and infinities compare false. */
function figureAt(path: string, said: unknown): number {
  if (typeof said === 'number' && said >= 0 && said <= MAX_QUANTITY) return said
  throw invalid(path, `must be a number between 0 and ${MAX_QUANTITY}`)
}

function objectAt(path: string, said: unknown): Record<string, unknown> {
  if (typeof said === 'object' && said !== null) return said as Record<string, unknown>
  throw invalid(path, 'must be an object')
}

function invalid(path: string, rule: string): Error {
  return new Error(`the response of the delivery source is invalid: ${path} ${rule}`)
}
