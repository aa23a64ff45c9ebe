// A format of the catalogue as 3.2 declares it: its canonical kind, with parameters and slots by their canonical
// names (spec 2.3). Every built-in format has a declaration; an operator's format has one if a canonical kind
// describes it.

import { defined } from '../../lib/defined.ts'
import type { Format, IndividualSlot } from '../../protocol/schemas/format.ts'
import { isGroup, type ManifestSlot, nameOf } from '../manifest-check/format-slots.ts'
import { type CanonicalKind, canonicalKindOf, isTracker } from './kinds.ts'
import { renditionsOf } from './renditions.ts'

export interface DeclaredSlot {
  asset_group_id: string
  asset_type: string
  required: boolean
  min?: number
  max?: number
  max_chars?: number
  max_size_kb?: number
  pixel_ratios?: readonly number[]
  required_pixel_ratios?: readonly number[]
}

export interface Declaration {
  format_kind: string
  params: Readonly<Record<string, unknown>> & { slots: readonly DeclaredSlot[] }
  v1_format_ref: readonly Format['format_id'][]
}

/** Undefined if no canonical kind describes it. Formats do not change, so each one is analyzed only once. */
export function declarationOf(format: Format): Declaration | undefined {
  const known = declarations.get(format)
  if (known) return known.declaration
  const declaration = declare(format)
  declarations.set(format, { declaration })
  return declaration
}

const declarations = new WeakMap<Format, { declaration: Declaration | undefined }>()

function declare(format: Format): Declaration | undefined {
  const kind = canonicalKindOf(format)
  if (!kind) return undefined
  const ratios = renditionsOf(format).map(({ pixel_ratio }) => pixel_ratio)
  return {
    format_kind: kind.format_kind,
    params: {
      ...kind.params,
      ...sizeOf(format),
      ...(ratios.some((ratio) => ratio !== 1) ? { pixel_ratios: ratios } : {}),
      ...lengthOf(format),
      slots: slotsOf(format, kind),
    },
    v1_format_ref: [format.format_id],
  }
}

/**
 * The canonical name of each of our slots. Two slots with the same name are renditions of one asset, or the second
 * keeps its own name.
 */
export function canonicalNames(format: Format): ReadonlyMap<string, string> {
  const known = namesOf.get(format) ?? findNames(format)
  namesOf.set(format, known)
  return known
}

const namesOf = new WeakMap<Format, ReadonlyMap<string, string>>()

function findNames(format: Format): ReadonlyMap<string, string> {
  const kind = canonicalKindOf(format)
  if (!kind) return new Map()
  const renditions = new Set(renditionsOf(format).map(({ slot }) => slot))
  const taken = new Set<string>()
  const names = new Map<string, string>()
  for (const slot of format.assets as readonly ManifestSlot[]) {
    const own = nameOf(slot)
    const canonical = kind.names.get(own) ?? own
    const isFree = !taken.has(canonical) || renditions.has(own)
    names.set(own, isFree ? canonical : own)
    taken.add(canonical)
  }
  return names
}

/**
 * Inputs of a generation other than its prompt may also be sent outside the manifest, so they are not slots of the
 * kind.
 */
const BESIDE: ReadonlySet<string> = new Set(['promoted_offerings'])

function slotsOf(format: Format, kind: CanonicalKind): DeclaredSlot[] {
  const names = canonicalNames(format)
  const ratios = renditionsOf(format).map(({ pixel_ratio }) => pixel_ratio)
  const declared = new Map<string, DeclaredSlot>()
  for (const slot of format.assets as readonly ManifestSlot[]) {
    const canonical = names.get(nameOf(slot)) ?? nameOf(slot)
    if (BESIDE.has(canonical) || declared.has(canonical)) continue
    if (isGroup(slot)) {
      const { required, min_count: min, max_count: max } = slot
      declared.set(canonical, { asset_group_id: canonical, asset_type: 'card', required, min, max })
      continue
    }
    if (isTracker(slot)) continue
    // A landing page may be known only to the ad server.
    const required = slot.required && canonical !== 'landing_page_url'
    declared.set(canonical, {
      asset_group_id: canonical,
      asset_type: slot.asset_type,
      required,
      ...limitsOf(slot),
      ...(canonical === 'image_main' && kind.format_kind === 'image' ? densityOf(ratios) : {}),
    })
  }
  return [...declared.values()]
}

/** The types whose slots may limit the size of a file (spec 2.3, as in 3.2): markup is not a file. */
const FILES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'zip'])

function limitsOf({ asset_type, requirements }: IndividualSlot): Partial<DeclaredSlot> {
  const { max_length, max_file_size_kb } = (requirements ?? {}) as Record<string, unknown>
  return defined({
    max_chars: asset_type === 'text' && typeof max_length === 'number' ? max_length : undefined,
    max_size_kb:
      FILES.has(asset_type) && typeof max_file_size_kb === 'number' ? max_file_size_kb : undefined,
  })
}

/** A slot without ratios means one rendition with a pixel ratio of 1. */
function densityOf(ratios: readonly number[]): Partial<DeclaredSlot> {
  if (ratios.every((ratio) => ratio === 1)) return {}
  if (ratios.length === 1) return { pixel_ratios: ratios }
  const { length } = ratios
  return { min: length, max: length, pixel_ratios: ratios, required_pixel_ratios: ratios }
}

function sizeOf({ renders = [] }: Format): Record<string, number | string> {
  const { width, height, aspect_ratio } = (renders[0]?.dimensions ?? {}) as Record<string, unknown>
  if (typeof width === 'number' && typeof height === 'number') return { width, height }
  return typeof aspect_ratio === 'string' ? { aspect_ratio } : {}
}

/** As its film or sound must be. */
function lengthOf({ assets }: Format): { duration_ms_exact?: number } {
  for (const slot of assets as readonly ManifestSlot[]) {
    if (isGroup(slot)) continue
    const { min_duration_ms: least, max_duration_ms: most } = (slot.requirements ?? {}) as Record<
      string,
      unknown
    >
    if (typeof least === 'number' && least === most) return { duration_ms_exact: least }
  }
  return {}
}
