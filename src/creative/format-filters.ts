// Which formats of the catalogue match a list_creative_formats request (spec 4.2). Filters combine
// with AND; a list inside a filter means any of it, except where noted.

import type { Format } from '../protocol/schemas/format.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { dimensionsOf, type RenderDimensions, takesDimensions } from './renders.ts'

/** Members of the request that filter. If one is absent or an empty list, it filters nothing. */
export interface FormatFilters {
  format_ids?: readonly FormatId[] | undefined
  type?: string | undefined
  asset_types?: readonly string[] | undefined
  /** Sizes in pixels, inclusive. */
  max_width?: number | undefined
  max_height?: number | undefined
  min_width?: number | undefined
  min_height?: number | undefined
  is_responsive?: boolean | undefined
  name_search?: string | undefined
  wcag_level?: string | undefined
  disclosure_positions?: readonly string[] | undefined
  disclosure_persistence?: readonly string[] | undefined
  output_format_ids?: readonly FormatId[] | undefined
  input_format_ids?: readonly FormatId[] | undefined
}

/** The catalogue's name for a format id; undefined if the id is not in the catalogue. */
export type NameOf = (formatId: FormatId) => string | undefined

/** The formats that pass every filter, in catalogue order. */
export function filterFormats(
  formats: readonly Format[],
  filters: FormatFilters,
  nameOf: NameOf,
): Format[] {
  const tests = testsOf(filters, nameOf)
  return formats.filter((format) => tests.every((passes) => passes(format)))
}

type Test = (format: Format) => boolean

function testsOf(filters: FormatFilters, nameOf: NameOf): Test[] {
  const { type, is_responsive, name_search, wcag_level } = filters
  const tests: Test[] = []
  if (type !== undefined) tests.push((format) => format.type === type)
  if (is_responsive !== undefined) {
    tests.push((format) => isResponsive(format) === is_responsive)
  }
  if (name_search !== undefined) {
    const wanted = name_search.toLowerCase()
    tests.push(({ name }) => name.toLowerCase().includes(wanted))
  }
  if (wcag_level !== undefined) {
    tests.push(({ accessibility }) => reaches(accessibility?.wcag_level, wcag_level))
  }
  if (SIZE_FILTERS.some((name) => filters[name] !== undefined)) {
    tests.push((format) => fitsSize(format, filters))
  }
  tests.push(...listTests(filters), ...idTests(filters, nameOf))
  return tests
}

function listTests(filters: FormatFilters): Test[] {
  const { asset_types, disclosure_positions, disclosure_persistence } = filters
  const tests: Test[] = []
  if (asset_types?.length) {
    tests.push((format) => assetTypesOf(format).some((type) => asset_types.includes(type)))
  }
  // All of them: a creative that requires several disclosures must be able to show each.
  if (disclosure_positions?.length) {
    tests.push(({ supported_disclosure_positions: positions = [] }) =>
      disclosure_positions.every((position) => positions.includes(position)),
    )
  }
  // All of them, in one position.
  if (disclosure_persistence?.length) {
    tests.push(({ disclosure_capabilities = [] }) =>
      disclosure_capabilities.some(({ persistence }) =>
        disclosure_persistence.every((mode) => persistence.includes(mode)),
      ),
    )
  }
  return tests
}

function idTests(filters: FormatFilters, nameOf: NameOf): Test[] {
  const tests: Test[] = []
  const namesIn = (ids: readonly FormatId[]) => new Set(ids.map(nameOf))
  if (filters.format_ids?.length) {
    const names = namesIn(filters.format_ids)
    tests.push(({ format_id }) => names.has(format_id.id))
  }
  for (const member of ['output_format_ids', 'input_format_ids'] as const) {
    const wanted = filters[member]
    if (!wanted?.length) continue
    const names = namesIn(wanted)
    tests.push((format) => (format[member] ?? []).some(({ id }) => names.has(id)))
  }
  return tests
}

const SIZE_FILTERS = ['max_width', 'max_height', 'min_width', 'min_height'] as const

/** Passes if one render can have a size within all bounds. A template can have any size. */
function fitsSize(format: Format, bounds: FormatFilters): boolean {
  if (takesDimensions(format)) {
    return (
      fitsSide(ANY_SIZE, bounds.min_width, bounds.max_width) &&
      fitsSide(ANY_SIZE, bounds.min_height, bounds.max_height)
    )
  }
  return dimensionsOf(format).some(
    (dimensions) =>
      fitsSide(sideOf(dimensions, 'width'), bounds.min_width, bounds.max_width) &&
      fitsSide(sideOf(dimensions, 'height'), bounds.min_height, bounds.max_height),
  )
}

interface Side {
  least: number
  most: number
}

/** Nothing is 0 pixels wide. */
const ANY_SIZE: Side = { least: 1, most: Number.POSITIVE_INFINITY }

/** The possible lengths of a side; undefined if the render has no such size, or not in pixels. */
function sideOf(dimensions: RenderDimensions, side: 'width' | 'height'): Side | undefined {
  const { unit = 'px' } = dimensions
  const fixed = dimensions[side]
  const least = fixed ?? dimensions[`min_${side}`]
  const most = fixed ?? dimensions[`max_${side}`]
  if ((least === undefined && most === undefined) || (unit !== 'px' && unit !== 'dp')) {
    return undefined
  }
  return { least: least ?? 1, most: most ?? Number.POSITIVE_INFINITY }
}

function fitsSide(
  side: Side | undefined,
  least: number | undefined,
  most: number | undefined,
): boolean {
  if (least === undefined && most === undefined) return true
  return side !== undefined && side.least <= (most ?? side.least) && side.most >= (least ?? 0)
}

/** Whether a side of any render adapts to its container. */
function isResponsive(format: Format): boolean {
  return dimensionsOf(format).some(({ responsive }) => responsive?.width || responsive?.height)
}

function assetTypesOf({ assets }: Format): string[] {
  return assets.flatMap((slot) =>
    slot.item_type === 'individual'
      ? kindsOf(slot.asset_type)
      : slot.assets.flatMap(({ asset_type }) => kindsOf(asset_type)),
  )
}

/** A tag also counts as the type it delivers: a client that has a video also looks for VAST. */
const BROUGHT: ReadonlyMap<string, string> = new Map([
  ['vast', 'video'],
  ['daast', 'audio'],
])

function kindsOf(assetType: string): string[] {
  const brought = BROUGHT.get(assetType)
  return brought === undefined ? [assetType] : [assetType, brought]
}

const WCAG_LEVELS = ['A', 'AA', 'AAA']

/** Whether a level is at least the requested one. */
function reaches(level: string | undefined, wanted: string): boolean {
  return level !== undefined && WCAG_LEVELS.indexOf(level) >= WCAG_LEVELS.indexOf(wanted)
}
