// The capability for a manifest of a canonical kind that refers to none (spec 4.2, 7.1): of its kind, with the size
// and length of its content, and with the slots that it fills. A manifest with too little information fits no fixed
// size.

import { isObject } from '../../protocol/schemas/checks.ts'
import { valueIn } from '../manifest-check/format-slots.ts'
import type { Capability, CreativeCapabilities, Operation } from './capabilities.ts'
import {
  canonicalNames,
  type Declaration,
  type DeclaredSlot,
  declarationOf,
} from './declaration.ts'
import { inSlotWords } from './words.ts'

type Manifest = Readonly<Record<string, unknown>>

/** Undefined when there is none; if several fit equally, the first in the catalogue. */
export function fittingCapability(
  capabilities: CreativeCapabilities,
  manifest: Manifest,
  operation: Operation,
): Capability | undefined {
  const { format_kind, assets } = manifest
  if (typeof format_kind !== 'string' || !isObject(assets)) return undefined
  const ranked = capabilities.all
    .filter((one) => one.operations.includes(operation))
    .flatMap((capability) => {
      const declared = declarationOf(capability.format)
      if (declared?.format_kind !== format_kind) return []
      const place = rank(declared, canonically(assets, capability), assets)
      return place === undefined ? [] : [{ capability, place }]
    })
    .sort((a, b) => a.place - b.place)
  return ranked[0]?.capability
}

/** Under canonical names, whatever names they had in the request. */
function canonically(assets: Manifest, { format }: Capability): Manifest {
  const names = canonicalNames(format)
  const { assets: slots } = inSlotWords(assets, format)
  return Object.fromEntries(
    Object.entries(slots).map(([name, asset]) => [names.get(name) ?? name, asset]),
  )
}

const MAIN = ['image_main', 'video_main', 'audio_main']

/** Lower is better: missing slots count more than extra ones. Undefined when it cannot fit. */
function rank({ params }: Declaration, assets: Manifest, given: Manifest): number | undefined {
  const returned = MAIN.map((name) => valueIn(given, name) ?? valueIn(assets, name)).find(
    (one) => one !== undefined,
  )
  const first = Array.isArray(returned) ? returned[0] : returned
  if (!isSized(params, isObject(first) ? first : {})) return undefined
  const { slots } = params
  const missing = slots.filter(
    (one) => one.required && valueIn(assets, one.asset_group_id) === undefined,
  )
  const mistyped = slots.filter((one) => isOfOtherType(valueIn(assets, one.asset_group_id), one))
  const names = new Set(slots.map(({ asset_group_id }) => asset_group_id))
  const strange = Object.keys(assets).filter((name) => !names.has(name))
  const [density = 1] = (params.pixel_ratios as readonly number[] | undefined) ?? []
  const isList = Array.isArray(returned) && returned.length > 1
  const isPair = slots.some(({ min = 1 }) => min > 1)
  const open = isOpen(params) ? 1 : 0
  const misfit = isList === isPair ? 0 : 1
  const faults = missing.length * 1_000 + mistyped.length * 500
  return faults + misfit * 200 + strange.length * 10 + open + (density - 1) * 0.1
}

function isOfOtherType(value: unknown, { asset_type }: DeclaredSlot): boolean {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return isObject(first) && typeof first.asset_type === 'string' && first.asset_type !== asset_type
}

/** Whether it fixes no size or length: then it comes after one that does. */
function isOpen({ width, duration_ms_exact }: Declaration['params']): boolean {
  return width === undefined && duration_ms_exact === undefined
}

function isSized(params: Declaration['params'], returned: Manifest): boolean {
  const { width, height, pixel_ratios = [1], duration_ms_exact: exact, asset_source } = params
  const { aspect_ratio } = params
  if (asset_source === 'agent_synthesized') return Object.keys(returned).length === 0
  if (typeof exact === 'number' && returned.duration_ms !== exact) return false
  if (typeof aspect_ratio === 'string') return isOfRatio(returned, aspect_ratio)
  if (typeof width !== 'number' || typeof height !== 'number') return true
  return (pixel_ratios as readonly number[]).some(
    (ratio) => returned.width === width * ratio && returned.height === height * ratio,
  )
}

/** Whether the size has a ratio such as `16:9`, except for rounding to whole pixels. */
function isOfRatio({ width, height }: Manifest, ratio: string): boolean {
  const [across = 0, down = 1] = ratio.split(':').map(Number)
  if (typeof width !== 'number' || typeof height !== 'number') return false
  return Math.abs(width * down - height * across) < Math.max(across, down)
}
