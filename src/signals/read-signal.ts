// Parses one row of an operator's file into a signal of the catalogue, or into a list of everything that is wrong
// with it. Harmless variants are normalized: other names of members, optional members, members unknown here.

import { defined } from '../lib/defined.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { issuesOf } from '../protocol/schemas/issues.ts'
import { type PricingOption, pricingOption } from '../protocol/schemas/signal.ts'
import type { CatalogueDeployment, CatalogueSignal } from './catalogue.ts'
import { AGENT_KEY } from './connectors/agent.ts'
import { type SignalMembers, signalShape } from './signal-shape.ts'

/** The location in the row (RFC 6901), and what would be valid there. */
export interface RowFault {
  pointer: string
  message: string
}

export type ReadSignal =
  | { ok: true; signal: CatalogueSignal; warnings: readonly RowFault[] }
  | { ok: false; faults: readonly RowFault[] }

/** Default activation time on a platform that does not state one. */
const PLATFORM_MINUTES = 60
const FREE = { cpm: 0, currency: 'USD' }

/** Never throws for JSON values. Its own output, read again, gives the same signal. */
export function readSignal(row: unknown): ReadSignal {
  if (!isObject(row)) {
    const message = 'This must be an object with signal_agent_segment_id, name, description …'
    return { ok: false, faults: [{ pointer: '', message }] }
  }
  const given = putRight(row)
  const parsed = signalShape.safeParse(given)
  if (!parsed.success) {
    const issues = issuesOf(parsed.error, given)
    return { ok: false, faults: issues.map(({ pointer, message }) => ({ pointer, message })) }
  }
  return { ok: true, ...signalOf(parsed.data) }
}

type Row = Readonly<Record<string, unknown>>

function putRight(row: Record<string, unknown>): Record<string, unknown> {
  const { catalog_type, last_updated, ...rest } = withoutNulls(row)
  const type = rest.signal_type ?? catalog_type
  const updated = rest.updated_at ?? last_updated
  return {
    ...rest,
    ...defined({ signal_type: type === undefined ? undefined : wordOf(type), updated_at: updated }),
    ...eachObject(rest, 'deployments', deploymentPutRight),
    ...pricingPutRight(rest),
  }
}

function withoutNulls(row: Record<string, unknown>): Record<string, unknown> {
  if (!Object.values(row).includes(null)) return row
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

function wordOf(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}

/** A list in the row with each of its objects normalized; nothing if there is no such list. */
function eachObject(
  row: Row,
  member: string,
  change: (item: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  const list = row[member]
  if (!Array.isArray(list)) return {}
  const changed = list.map((item: unknown) => (isObject(item) ? change(withoutNulls(item)) : item))
  return { [member]: changed }
}

function deploymentPutRight(deployment: Record<string, unknown>): Record<string, unknown> {
  const { type } = deployment
  if (type === 'platform' || type === 'agent') return deployment
  if (type !== undefined) return { ...deployment, type: wordOf(type) }
  if (deployment.platform !== undefined) return { ...deployment, type: 'platform' }
  return deployment.agent_url === undefined ? deployment : { ...deployment, type: 'agent' }
}

/** The members of each pricing model. */
const OPTION_MEMBERS = new Map<unknown, readonly string[]>(
  pricingOption.options.map(({ shape }) => [shape.model.value, Object.keys(shape)]),
)

/** Gives options their model and an id, and removes members that their model does not have. */
function pricingPutRight(row: Row): Record<string, unknown> {
  const taken = new Set<unknown>()
  return eachObject(row, 'pricing_options', (option) => {
    const model = option.model ?? (option.cpm === undefined ? undefined : 'cpm')
    const id = option.pricing_option_id ?? freeId(String(model ?? 'option'), taken)
    taken.add(id)
    const known = OPTION_MEMBERS.get(model)
    const kept = Object.entries(option).filter(([name]) => !known || known.includes(name))
    return {
      ...Object.fromEntries(kept),
      ...defined({ model }),
      pricing_option_id: id,
    }
  })
}

function freeId(base: string, taken: ReadonlySet<unknown>): string {
  let id = base
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`
  return id
}

function signalOf(members: SignalMembers): { signal: CatalogueSignal; warnings: RowFault[] } {
  const { pricing, pricing_options, countries, tags, deployments, ...rest } = members
  const warnings: RowFault[] = []
  const signal: CatalogueSignal = {
    ...rest,
    countries: [...new Set(countries)],
    pricing_options: pricing_options ?? [cpmOption(pricing ?? FREE)],
    deployments: deployments.map((deployment, index) => {
      if (!deployment.is_live && deployment.activation_key) {
        const pointer = `/deployments/${index}/activation_key`
        warnings.push({ pointer, message: 'Left out: a deployment that is not live has no key.' })
      }
      return deploymentOf(deployment, rest.signal_agent_segment_id)
    }),
    tags: [...new Set(tags)],
  }
  return { signal, warnings }
}

function cpmOption({ cpm, currency }: { cpm: number; currency: string }): PricingOption {
  return { pricing_option_id: 'cpm', model: 'cpm', cpm, currency }
}

function deploymentOf(
  deployment: SignalMembers['deployments'][number],
  signalId: string,
): CatalogueDeployment {
  const { activation_key, estimated_activation_duration_minutes, ...place } = deployment
  if (place.is_live) return { ...place, activation_key: activation_key ?? keyOf(place, signalId) }
  const usual = place.type === 'platform' ? PLATFORM_MINUTES : 0
  const minutes = estimated_activation_duration_minutes ?? usual
  return { ...place, estimated_activation_duration_minutes: minutes }
}

/** The identifier of a live deployment that has no key: always the same. */
function keyOf({ type }: Pick<CatalogueDeployment, 'type'>, signalId: string) {
  return type === 'platform'
    ? { type: 'segment_id' as const, segment_id: signalId }
    : { type: 'key_value' as const, key: AGENT_KEY, value: signalId }
}
