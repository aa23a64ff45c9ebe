// Turns a template into a concrete format with the size and length given in a format id, so that building, previewing
// and checking find them where the template has none (spec 2.2, 2.3).

import { defined } from '../lib/defined.ts'
import type { Format, FormatSlot, IndividualSlot } from '../protocol/schemas/format.ts'
import { dimensionsOf, takesDimensions } from './renders.ts'

export interface FormatParameters {
  /** In pixels, together with `height`. */
  width?: number | undefined
  height?: number | undefined
  duration_ms?: number | undefined
}

type Render = NonNullable<Format['renders']>[number]

export type ConcreteFormat = { ok: true; format: Format } | { ok: false; message: string }

/** Longest side that a template accepts, in pixels: what is drawn later must fit in memory. */
const MAX_SIDE_PIXELS = 16_384

/**
 * The format with these parameters. Parameters that are not given stay open; an already concrete format accepts only
 * its own size and length.
 */
export function concreteFormat(format: Format, parameters: FormatParameters): ConcreteFormat {
  const { width, height, duration_ms } = parameters
  const isSized = width !== undefined || height !== undefined
  const sized = isSized ? withSize(format, width, height) : done(format)
  if (!sized.ok || duration_ms === undefined) return sized
  return withDuration(sized.format, duration_ms)
}

function withSize(
  format: Format,
  width: number | undefined,
  height: number | undefined,
): ConcreteFormat {
  if (width === undefined || height === undefined) return refuse('set width and height together')
  if (!takesDimensions(format)) {
    const isItsOwn = dimensionsOf(format).some(
      (dimensions) => dimensions.width === width && dimensions.height === height,
    )
    if (isItsOwn) return done(format)
    return refuse(`${format.format_id.id} has a fixed width and height`)
  }
  if (Math.max(width, height) > MAX_SIDE_PIXELS) {
    return refuse(`width and height are at most ${MAX_SIDE_PIXELS} pixels`)
  }
  const size = { min_width: width, max_width: width, min_height: height, max_height: height }
  const renders = format.renders?.map((render) =>
    render.parameters_from_format_id
      ? { role: render.role, dimensions: { width, height } }
      : render,
  )
  return done({
    ...settled(format, DIMENSIONS, size),
    format_id: { ...format.format_id, width, height },
    renders,
  })
}

function withDuration(format: Format, duration_ms: number): ConcreteFormat {
  if (!format.accepts_parameters?.includes('duration')) {
    if (hasDuration(format, duration_ms)) return done(format)
    return refuse(`${format.format_id.id} has a fixed duration_ms`)
  }
  const length = { min_duration_ms: duration_ms, max_duration_ms: duration_ms }
  return done({
    ...settled(format, DURATION, length),
    format_id: { ...format.format_id, duration_ms },
    ...defined({ renders: takesDimensions(format) ? undefined : format.renders?.map(filled) }),
  })
}

/** A template that only has a length needs no size: it is scaled to its place. */
function filled(render: Render): Render {
  if (!render.parameters_from_format_id) return render
  return { role: render.role, dimensions: { responsive: { width: true, height: true } } }
}

interface TemplateParameter {
  name: 'dimensions' | 'duration'
  /** The types of assets that it applies to. */
  types: readonly string[]
}

const DIMENSIONS: TemplateParameter = { name: 'dimensions', types: ['image', 'video'] }
const DURATION: TemplateParameter = { name: 'duration', types: ['video', 'audio', 'vast', 'daast'] }

/** The format with one parameter fixed, and written into the slots that depend on it. */
function settled(
  format: Format,
  { name: parameter, types }: TemplateParameter,
  requirements: Record<string, number>,
): Format {
  const settle = (slot: FormatSlot): FormatSlot => {
    if (!isIndividual(slot) || !slot.requirements || !types.includes(slot.asset_type)) return slot
    const { parameters_from_format_id, ...others } = slot.requirements as Record<string, unknown>
    if (parameters_from_format_id !== true) return slot
    const isOpen = format.accepts_parameters?.some((other) => other !== parameter)
    const kept = isOpen ? slot.requirements : others
    return { ...slot, requirements: { ...kept, ...requirements } }
  }
  const { accepts_parameters, ...rest } = format
  const open = accepts_parameters?.filter((other) => other !== parameter) ?? []
  return {
    ...(rest as Format),
    ...defined({ accepts_parameters: open.length > 0 ? open : undefined }),
    assets_required: format.assets_required.map(settle),
    assets: format.assets.map(settle),
  }
}

function hasDuration({ assets_required }: Format, duration_ms: number): boolean {
  return assets_required.some((slot) => {
    if (!isIndividual(slot)) return false
    const { min_duration_ms, max_duration_ms } = slot.requirements ?? {}
    if (min_duration_ms === undefined || max_duration_ms === undefined) return false
    return min_duration_ms <= duration_ms && duration_ms <= max_duration_ms
  })
}

function isIndividual(slot: FormatSlot): slot is IndividualSlot {
  return slot.item_type === 'individual'
}

function done(format: Format): ConcreteFormat {
  return { ok: true, format }
}

function refuse(message: string): ConcreteFormat {
  return { ok: false, message }
}
