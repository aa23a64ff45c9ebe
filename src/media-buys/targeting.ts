// The targeting of a package: which members are allowed, and the signals that it references by their activation keys
// (spec 2.8). A key counts only while the signal is live for the caller: no one can target with another's signals.

import { isLongerAsJson } from '../lib/json-size.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import {
  type ActivationKey,
  activationKey,
  activationKeyText,
} from '../protocol/schemas/deployment.ts'
import type { Faults } from './faults.ts'
import { BUY_LIMITS } from './limits.ts'
import { capOf } from './sources/audience.ts'

/** The members that may be passed to a delivery source; anything else is refused, never ignored. */
const TARGETING_MEMBERS: ReadonlySet<string> = new Set([
  'activation_keys',
  'age_restriction',
  'audience_include',
  'audience_exclude',
  'browser',
  'collection_list',
  'collection_list_exclude',
  'daypart_targets',
  'demographics',
  'device_platform',
  'device_type',
  'frequency_cap',
  'geo_countries',
  'geo_countries_exclude',
  'geo_metros',
  'geo_metros_exclude',
  'geo_postal_areas',
  'geo_postal_areas_exclude',
  'geo_proximity',
  'geo_regions',
  'geo_regions_exclude',
  'keyword_targets',
  'language',
  'property_list',
  'property_list_exclude',
  'signal_targeting_groups',
])

/** Members whose strings are segment ids. */
const SEGMENTS: ReadonlySet<string> = new Set(['audience_include', 'audience_exclude'])

export interface NamedKey {
  pointer: string
  key: ActivationKey
}

/** The keys that an overlay references, each text once, and the errors in it. */
export function readTargeting(
  overlay: Readonly<Record<string, unknown>>,
  pointer: string,
  faults: Faults,
): NamedKey[] {
  const { targetingBytes, targetedKeys } = BUY_LIMITS
  if (isLongerAsJson(overlay, targetingBytes.value)) {
    faults.add('VALIDATION_ERROR', `Keep it below ${targetingBytes.value} bytes.`, { pointer })
    return []
  }
  for (const member of Object.keys(overlay)) {
    if (TARGETING_MEMBERS.has(member)) continue
    const known = [...TARGETING_MEMBERS].join(', ')
    faults.add('UNSUPPORTED_FEATURE', `This must be one of ${known}.`, {
      pointer: `${pointer}/${escaped(member)}`,
    })
  }
  refuseContradictions(overlay, pointer, faults)
  refuseEmptyCap(overlay, pointer, faults)
  const found = new Map<string, NamedKey>()
  for (const named of keysIn(overlay, pointer, false)) {
    const text = activationKeyText(named.key)
    if (!found.has(text)) found.set(text, named)
  }
  if (found.size > targetedKeys.value) {
    faults.add('VALIDATION_ERROR', `At most ${targetedKeys.value} activation keys are accepted.`, {
      pointer,
    })
  }
  return [...found.values()]
}

/** A cap without a limit would otherwise be ignored silently. */
function refuseEmptyCap(
  { frequency_cap: cap }: Readonly<{ frequency_cap?: unknown }>,
  pointer: string,
  faults: Faults,
): void {
  if (cap === undefined || cap === null || capOf(cap, 1)) return
  const message =
    'Give max_impressions with window ({interval, unit}), or suppress with the same, or suppress_minutes.'
  faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/frequency_cap` })
}

/** These kinds of places may be included and excluded. */
const GEO_LISTS = ['geo_countries', 'geo_regions', 'geo_metros', 'geo_postal_areas'] as const

/** spec 4.5: of a search for products. Targeting that is not offered is refused, never dropped. */
export function refuseOverlay(
  overlay: Readonly<Record<string, unknown>> | undefined,
  pointer: string,
  faults: Faults,
): void {
  if (overlay === undefined) return
  const unknown = Object.keys(overlay).find((member) => !TARGETING_MEMBERS.has(member))
  if (unknown !== undefined) {
    const at = `${pointer}/${escaped(unknown.slice(0, 100))}`
    faults.add('UNSUPPORTED_FEATURE', 'This targeting is not offered.', { pointer: at })
  }
  refuseContradictions(overlay, pointer, faults)
}

/** Including and excluding the same value is ambiguous: the seller must not choose which one counts. */
function refuseContradictions(
  overlay: Readonly<Record<string, unknown>>,
  pointer: string,
  faults: Faults,
): void {
  const members = new Map(Object.entries(overlay))
  for (const name of GEO_LISTS) {
    const [included, excluded] = [members.get(name), members.get(`${name}_exclude`)]
    if (!Array.isArray(included) || !Array.isArray(excluded)) continue
    const places = new Set(included.map(placeText))
    const at = excluded.findIndex((place) => places.has(placeText(place)))
    if (at < 0) continue
    const message = `It is also in ${name}: list it in only one of the two.`
    faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/${name}_exclude/${at}` })
  }
}

/** Equal for the same place: codes are read in any case. */
function placeText(place: unknown): string {
  return JSON.stringify(place).toUpperCase()
}

/** Recursion is as deep as the overlay, which its size limits. */
function* keysIn(value: unknown, pointer: string, isSegment: boolean): Generator<NamedKey> {
  if (isSegment && typeof value === 'string') {
    yield { pointer, key: { type: 'segment_id', segment_id: value } }
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* keysIn(item, `${pointer}/${index}`, isSegment)
    }
  }
  if (!isObject(value)) return
  const read = activationKey.safeParse(value)
  if (read.success) {
    yield { pointer, key: read.data }
    return
  }
  for (const [name, member] of Object.entries(value)) {
    yield* keysIn(member, `${pointer}/${escaped(name)}`, SEGMENTS.has(name))
  }
}

/** RFC 6901. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
