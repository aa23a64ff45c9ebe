// validate_input by capability or canonical kind (spec 4.2, 7.1, of 3.2): a manifest in canonical terms is validated
// against the intended format, and the errors are translated back to canonical terms.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { ManifestFault } from '../manifest-check/fault.ts'
import { valueIn } from '../manifest-check/format-slots.ts'
import type { CreativeCapabilities } from './capabilities.ts'
import { canonicalNames, type Declaration, declarationOf } from './declaration.ts'
import { formatOfKind, slotsOfKind } from './default-slots.ts'
import { belowFloors } from './floors.ts'
import { densityFaults, renditionsOf } from './renditions.ts'
import { inSlotWords } from './words.ts'

type Members = Readonly<Record<string, unknown>>

/** What to validate against a format, and how the findings are reported. */
interface CanonicalQuestion {
  format: Format
  /** The manifest in the words of that format. */
  manifest: Members
  warnings: string[]
  /** The faults of that manifest in canonical terms, together with those that are already known. */
  reported(faults: readonly ManifestFault[]): ManifestFault[]
  /** Whether the results of generating it vary. */
  isSynthesized: boolean
}

export type CanonicalQuery = CanonicalQuestion | { faults: ManifestFault[] }

export function askCapability(
  capabilities: CreativeCapabilities,
  capabilityId: unknown,
  manifest: Members,
): CanonicalQuery {
  const found = typeof capabilityId === 'string' ? capabilities.byId(capabilityId) : undefined
  if (found) return question(found.format, manifest)
  const message = 'There is no such capability here: the capabilities list those there are.'
  return refused('known_capability', message, capabilityId)
}

/** By the kind's own slots, narrowed by the given parameters. */
export function askKind(
  { kind, params = {}, agentUrl }: { kind: string; params?: Members | undefined; agentUrl: string },
  manifest: Members,
): CanonicalQuery {
  const known = belowFloors(kind, params).map((one) => ({
    ...one,
    pointer: `/target/params${one.pointer}`,
  }))
  const format = formatOfKind(kind, params, agentUrl)
  return question(format, manifest, [...known, ...unjudgedSlots(kind, params, manifest)])
}

/** Required slots of types that are not checked here: it is only known whether they are filled. */
function unjudgedSlots(kind: string, params: Members, { assets }: Members): ManifestFault[] {
  const checked = new Set(formatOfKind(kind, params, '').assets.map((slot) => nameOf(slot)))
  return slotsOfKind(kind, params).flatMap(({ asset_group_id: name, asset_type, required }) => {
    const isThere = isObject(assets) && valueIn(assets, name) !== undefined
    if (!required || checked.has(name) || isThere) return []
    return [missing(name, asset_type)]
  })
}

function nameOf(slot: Format['assets'][number]): string {
  return slot.item_type === 'individual' ? slot.asset_id : slot.asset_group_id
}

function missing(name: string, asset_type: string): ManifestFault {
  const message = `${name} is required: an asset of type ${asset_type}.`
  return { rule: 'required', pointer: `/assets/${name}`, message, expected: asset_type }
}

function refused(rule: string, message: string, actual: unknown): { faults: ManifestFault[] } {
  return { faults: [{ rule, pointer: '', message, actual }] }
}

/** `known` has the errors found before any check, for a format derived from a kind and parameters. */
function question(
  format: Format,
  manifest: Members,
  known?: readonly ManifestFault[],
): CanonicalQuestion {
  const isDeclared = known === undefined
  const { format_id: _id, format_kind, ...others } = manifest
  const given = isObject(manifest.assets) ? manifest.assets : undefined
  const { assets, renamed } = given
    ? inSlotWords(given, format)
    : { assets: manifest.assets, renamed: [] }
  const declared = isDeclared ? declarationOf(format) : undefined
  const names = declared ? canonicalNames(format) : new Map<string, string>()
  const dense = given && isDeclared ? densityFaults(given, format) : []
  const ownKind = kindFault(format_kind, declared?.format_kind)
  const renditions = new Set(dense.length > 0 ? renditionsOf(format).map((one) => one.slot) : [])
  const required = declared && requiredOf(declared)
  const isFor = ({ rule, pointer }: ManifestFault) => {
    const slot = slotOf(pointer)
    if (slot === undefined || rule !== 'required') return true
    return !renditions.has(slot) && (required?.has(names.get(slot) ?? slot) ?? true)
  }
  return {
    format,
    manifest: { ...others, assets },
    warnings: renamed
      .filter(({ from, to }) => (names.get(to) ?? to) !== from)
      .map(({ from, to }) => `assets.${from} was used as ${names.get(to) ?? to}`),
    reported: (faults) =>
      [...(known ?? []), ...ownKind, ...dense, ...faults.filter(isFor)].map((one) =>
        inCanonicalPlaces(one, names),
      ),
    isSynthesized: declared?.params.asset_source === 'agent_synthesized',
  }
}

function requiredOf({ params }: Declaration): ReadonlySet<string> {
  return new Set(params.slots.flatMap((one) => (one.required ? [one.asset_group_id] : [])))
}

function kindFault(given: unknown, kind: string | undefined): ManifestFault[] {
  if (given === undefined || kind === undefined || given === kind) return []
  const message = `The manifest has another kind: this format is ${kind}.`
  return [{ rule: 'format_kind', pointer: '/format_kind', message, expected: kind, actual: given }]
}

function slotOf(pointer: string): string | undefined {
  return /^\/assets\/([^/]+)$/.exec(pointer)?.[1]
}

/** `assets.image_main.width`; a missing slot has a separate rule. */
function inCanonicalPlaces(
  fault: ManifestFault,
  names: ReadonlyMap<string, string>,
): ManifestFault {
  const [, first = '', second, ...rest] = fault.pointer.split('/')
  const isAsset = first === 'assets' && second !== undefined
  const path = isAsset
    ? [first, names.get(second) ?? second, ...rest]
    : fault.pointer.split('/').slice(1)
  const isMissing = isAsset && rest.length === 0 && fault.rule === 'required'
  return { ...fault, pointer: path.join('.'), rule: isMissing ? 'required_slot' : fault.rule }
}
