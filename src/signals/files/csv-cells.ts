// The form of a signal in a CSV file: a column for each member, lists with `|` between their items, and objects as
// JSON. For people who write one manually there are three short columns: cpm, currency and platforms.

import { defined } from '../../lib/defined.ts'
import type { CatalogueSignal } from '../catalogue.ts'
import type { RowFault } from '../read-signal.ts'

type Kind = 'text' | 'number' | 'list' | 'json' | 'principals'

/** The columns of an export, in order, and how their cells are read. */
const COLUMNS: Readonly<Record<keyof CatalogueSignal, Kind>> = {
  signal_agent_segment_id: 'text',
  name: 'text',
  description: 'text',
  signal_type: 'text',
  data_provider: 'text',
  data_provider_domain: 'text',
  coverage_percentage: 'number',
  countries: 'list',
  pricing_options: 'json',
  deployments: 'json',
  visibility: 'principals',
  custom_pricing: 'json',
  tags: 'list',
  updated_at: 'text',
  value_type: 'text',
  categories: 'list',
  range: 'json',
  taxonomy: 'json',
  methodology: 'text',
  refresh_cadence: 'text',
  restricted_attributes: 'list',
  demographic_predicate: 'json',
}

/** Columns that only an import supports. */
const ALSO_READ: Readonly<Record<string, Kind>> = {
  catalog_type: 'text',
  last_updated: 'text',
  pricing: 'json',
  cpm: 'number',
  currency: 'text',
  platforms: 'list',
}

export const CSV_HEADER = Object.keys(COLUMNS) as (keyof CatalogueSignal)[]

const KINDS = new Map(Object.entries({ ...COLUMNS, ...ALSO_READ }))

/** The names in a header line, spelled like the members. */
export function readHeader(fields: readonly string[]): string[] {
  return fields.map((field) =>
    field
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
}

export type ReadCells =
  | { ok: true; row: Record<string, unknown> }
  | { ok: false; faults: readonly RowFault[] }

/** A record as the object that a JSON file would have; an empty cell counts as an omitted member. */
export function readCells(header: readonly string[], fields: readonly string[]): ReadCells {
  const row: Record<string, unknown> = {}
  const faults: RowFault[] = []
  for (const [column, cell] of fields.entries()) {
    const name = header[column]
    if (name === undefined) {
      if (cell.trim() === '') continue
      const message = `There are ${fields.length} fields and ${header.length} columns: quote fields that hold a separator.`
      return { ok: false, faults: [{ pointer: '', message }] }
    }
    const kind = KINDS.get(name)
    if (kind === undefined || cell.trim() === '') continue
    const value = cellValue(kind, cell.trim())
    if (value === undefined) faults.push({ pointer: `/${name}`, message: 'This must be JSON.' })
    else row[name] = value
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, row: withoutShort(row) }
}

/** Undefined for a cell that should be JSON and is not. */
function cellValue(kind: Kind, cell: string): unknown {
  switch (kind) {
    case 'text':
      return cell
    case 'number':
      // Text that is not a number is left unchanged, for the schema to reject.
      return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(cell) ? Number(cell) : cell
    case 'list':
      return cell.startsWith('[') ? jsonOf(cell) : itemsOf(cell)
    case 'principals':
      return cell.startsWith('{') ? jsonOf(cell) : { principals: itemsOf(cell) }
    case 'json':
      return jsonOf(cell)
  }
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}

function itemsOf(cell: string): string[] {
  return cell
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The short columns as the members they represent; the members themselves take precedence. */
function withoutShort(row: Record<string, unknown>): Record<string, unknown> {
  const { cpm, currency, platforms, ...members } = row
  const deployments = (Array.isArray(platforms) ? platforms : []).map((platform: unknown) => ({
    type: 'platform',
    platform,
  }))
  return {
    ...defined({
      pricing: cpm === undefined ? undefined : { cpm, currency },
      deployments: platforms === undefined ? undefined : deployments,
    }),
    ...members,
  }
}

/** The cells of a signal, which `readCells` turns back into the same signal. */
export function cellsOf(signal: CatalogueSignal): string[] {
  return CSV_HEADER.map((name) => {
    const value = signal[name]
    if (value === undefined) return ''
    if (typeof value !== 'object') return String(value)
    const isPlain = Array.isArray(value) && COLUMNS[name] === 'list' && value.every(isPlainItem)
    return isPlain ? value.join('|') : JSON.stringify(value)
  })
}

/** Whether the text survives unchanged between two `|`. */
function isPlainItem(item: unknown, index: number): boolean {
  if (typeof item !== 'string' || item === '' || item !== item.trim()) return false
  return !item.includes('|') && !(index === 0 && item.startsWith('['))
}
