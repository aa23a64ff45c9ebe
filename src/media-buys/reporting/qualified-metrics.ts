// Counts that are meaningful only with their measurement method (spec 2.11), such as impressions that were viewable
// according to one standard. Each is stored under one name that includes its qualifier, so that it is summed,
// compared and corrected like every other count; newer buyers read it as metric_values, older ones as a plain total.

import type { QualifiedCount } from '../delivery-source.ts'

/** By metric. */
type Counts = Readonly<Record<string, number>>

/** As the protocol shows it. */
export interface MetricValue extends QualifiedCount {
  scope: 'standard'
}

/** The qualifiers that a metric may have, and their values. */
const QUALIFIERS: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ['viewability_standard', ['mrc', 'groupm']],
  ['completion_source', ['seller_attested', 'vendor_attested']],
  ['attribution_methodology', undefined],
  ['lift_dimension', undefined],
])

const WORD = /^[a-z][a-z0-9_]{0,63}$/
const MARK = '?'

/** Undefined if it is not a metric with a known qualifier. */
function qualifiedName(metricId: string, qualifier: object): string | undefined {
  const members = Object.entries(qualifier)
  const isKnown = ([name, word]: [string, unknown]) =>
    QUALIFIERS.has(name) &&
    typeof word === 'string' &&
    WORD.test(word) &&
    (QUALIFIERS.get(name)?.includes(word) ?? true)
  if (!WORD.test(metricId) || metricId === 'spend') return undefined
  if (members.length === 0 || !members.every(isKnown)) return undefined
  const words = members.map(([name, word]) => `${name}=${word}`).sort()
  return `${metricId}${MARK}${words.join('&')}`
}

/** By their own names; those without a name are omitted. */
export function qualifiedCounts(values: readonly QualifiedCount[]): Counts {
  return Object.fromEntries(
    values.flatMap(({ metric_id, qualifier, value }) => {
      const name = qualifiedName(metric_id, qualifier)
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** Counts without qualifiers, and those with. */
export function splitCounts(counts: Counts): { plain: Counts; qualified: MetricValue[] } {
  const members = Object.entries(counts)
  if (!members.some(([name]) => name.includes(MARK))) return { plain: counts, qualified: [] }
  return {
    plain: Object.fromEntries(members.filter(([name]) => !name.includes(MARK))),
    qualified: members
      .filter(([name]) => name.includes(MARK))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ scope: 'standard', ...readName(name), value })),
  }
}

function readName(name: string): Pick<MetricValue, 'metric_id' | 'qualifier'> {
  const [metric_id = '', words = ''] = name.split(MARK)
  return {
    metric_id,
    qualifier: Object.fromEntries(
      words.split('&').map((word) => word.split('=') as [string, string]),
    ),
  }
}

/** As plain counts, if a metric was measured in only one way: sums of several would be meaningless. */
export function plainly(qualified: readonly MetricValue[]): Counts {
  const ways = new Map<string, number[]>()
  for (const { metric_id, value } of qualified) {
    ways.set(metric_id, [...(ways.get(metric_id) ?? []), value])
  }
  return Object.fromEntries(
    [...ways].flatMap(([metric, values]) =>
      values.length === 1 ? [[metric, values[0] as number]] : [],
    ),
  )
}
