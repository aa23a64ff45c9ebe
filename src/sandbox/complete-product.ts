// What the fixture of `seed_product` omits (docs/interop.md): graders send only the part of a product that their test
// needs. It is completed with the protocol's defaults for missing members, and with what a catalogue needs in
// addition.

import type { Capability } from '../creative/canonical/capabilities.ts'
import { declarationOf } from '../creative/canonical/declaration.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { REPORTING_FREQUENCIES } from '../protocol/schemas/push-notification-config.ts'
import type { Fixture } from './seeds.ts'

/** Used until a price is seeded: a product without one cannot be stored. */
export const DEFAULT_PRICE = {
  pricing_option_id: 'sandbox_default',
  pricing_model: 'cpm',
  currency: 'USD',
  fixed_price: 10,
}

export const DEFAULT_FORMATS = [{ id: 'display_300x250' }]

export const DEFAULT_REPORTING = {
  available_reporting_frequencies: ['hourly', 'daily', 'monthly'],
  expected_delay_minutes: 60,
  timezone: 'UTC',
  supports_webhooks: true,
  available_metrics: ['impressions', 'spend', 'clicks', 'conversions'],
  date_range_support: 'date_range',
}

/** Members as the catalogue stores them; those missing in the fixture stay absent. */
export function completeProduct(fixture: Fixture, capabilities: readonly Capability[]): Fixture {
  const { format_ids, format_options, ...others } = fixture
  const formats = format_ids ?? format_options
  return {
    ...others,
    ...mapped(others, 'pricing_options', pricesOf),
    ...mapped(others, 'reporting_capabilities', reportingOf),
    ...mapped(others, 'publisher_properties', (list) => listOf(list, propertiesOf)),
    ...mapped(others, 'channels', (list) => listOf(list, channelOf)),
    ...(formats === undefined ? {} : { format_ids: formatsOf(fixture, capabilities) }),
  }
}

function mapped(
  fixture: Fixture,
  member: string,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const value = fixture[member]
  return value === undefined ? {} : { [member]: change(value) }
}

function listOf(value: unknown, change: (one: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(change) : value
}

function pricesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.length === 0 ? [DEFAULT_PRICE] : value.map(completePrice)
}

/** A price that is neither fixed nor has a floor is an auction price for which any bid counts. */
export function completePrice(value: unknown): unknown {
  if (!isObject(value)) return value
  const { fixed_price, floor_price, rate, is_fixed, ...others } = value
  const fixed = fixed_price ?? (is_fixed === false ? undefined : rate)
  const { pricing_model, currency } = DEFAULT_PRICE
  return {
    pricing_model,
    currency,
    ...others,
    ...(fixed === undefined ? { floor_price: floor_price ?? 0 } : { fixed_price: fixed }),
  }
}

function reportingOf(value: unknown): unknown {
  if (!isObject(value)) return value
  const given = Object.entries(value).flatMap(([member, one]) => {
    if (!Array.isArray(one)) return [[member, one]]
    const kept = FREQUENCIES.has(member) ? one.filter(isFrequency) : one
    return kept.length > 0 ? [[member, kept]] : []
  })
  return { ...DEFAULT_REPORTING, ...Object.fromEntries(given) }
}

const FREQUENCIES = new Set(['available_reporting_frequencies', 'windowed_pull_granularities'])

/** The protocol has more values than a sandbox uses in reports. */
function isFrequency(value: unknown): boolean {
  return (REPORTING_FREQUENCIES as readonly unknown[]).includes(value)
}

function propertiesOf(value: unknown): unknown {
  if (!isObject(value) || value.selection_type !== undefined) return value
  const { property_ids, property_tags } = value
  const selection_type = property_ids ? 'by_id' : property_tags ? 'by_tag' : 'all'
  return { ...value, selection_type }
}

/** Fixtures use informal channel names. */
const CHANNELS: ReadonlyMap<unknown, string> = new Map([
  ['video', 'olv'],
  ['audio', 'streaming_audio'],
])

function channelOf(value: unknown): unknown {
  return CHANNELS.get(value) ?? value
}

function formatsOf(
  { format_ids, format_options }: Fixture,
  capabilities: readonly Capability[],
): unknown {
  const named = listOf(format_ids ?? [], (one) => (typeof one === 'string' ? { id: one } : one))
  if (!Array.isArray(named) || named.length > 0) return named
  const options = Array.isArray(format_options) ? format_options : []
  const ids = options.flatMap((option) => formatOf(option, capabilities) ?? [])
  const known = [...new Map(ids.map((one) => [one.id, one])).values()]
  return known.length > 0 ? known : DEFAULT_FORMATS
}

/** The format of an option: the one with its name, otherwise one of its kind and size, otherwise one of its kind. */
function formatOf(
  option: unknown,
  capabilities: readonly Capability[],
): { id: string } | undefined {
  if (!isObject(option)) return undefined
  const { format_option_id, capability_id, format_kind, params } = option
  const { width, height } = isObject(params) ? params : {}
  const names = [format_option_id, capability_id]
  const ofKind = capabilities
    .map((capability) => ({ capability, declared: declarationOf(capability.format) }))
    .filter(({ declared }) => declared?.format_kind === format_kind)
  const found =
    capabilities.find((one) => names.includes(one.capability_id)) ??
    ofKind.find(
      ({ declared }) => declared?.params.width === width && declared?.params.height === height,
    )?.capability ??
    ofKind[0]?.capability
  return found && { id: found.format.format_id.id }
}
