// Reads one file of formats, the project's own or an operator's, and reports every error with its format (spec 2.3).
// A file is shorter than what is sent: members shared by all its formats are in `defaults`, slots shared by many are
// in `common_assets`, and ids are names without an agent URL.

import { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { parseStrictJson } from '../lib/strict-json.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { FORMAT_TYPES, type Format, format } from '../protocol/schemas/format.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import type { FormatParameters } from './concrete-format.ts'

/** Another name for a format, or for a template with some of its parameters. */
export interface FormatAlias extends FormatParameters {
  id: string
}

export interface FormatFile {
  formats: Format[]
  aliases: [name: string, alias: FormatAlias][]
  /** The errors, each with its format and location; empty if there are none. */
  faults: string[]
}

/** Placeholder for this server in every format id until the format is sent. */
const THIS_AGENT = 'https://this-agent.invalid'

/** Never throws. Formats with errors are omitted. */
export function readFormatFile(bytes: Uint8Array): FormatFile {
  const nothing = { formats: [], aliases: [] }
  const json = parseStrictJson(bytes)
  if (!json.ok) return { ...nothing, faults: [`is not plain JSON (${json.reason})`] }
  const shape = checkShape(fileShape, json.value)
  if (!shape.ok) return { ...nothing, faults: shape.issues.map(reported) }

  const { formats = [], aliases = {}, ...shared } = shape.value
  const read: FormatFile = { formats: [], aliases: Object.entries(aliases), faults: [] }
  for (const [index, members] of formats.entries()) {
    const label = typeof members.id === 'string' ? `format ${members.id}` : `formats/${index}`
    const one = readFormat(members, shared)
    if (one.ok) read.formats.push(one.format)
    else read.faults.push(...one.faults.map((fault) => `${label}: ${fault}`))
  }
  return read
}

const members = z.record(z.string(), z.unknown())

const fileShape = z.strictObject({
  type: z.enum(FORMAT_TYPES).optional(),
  defaults: members.optional(),
  common_assets: z.record(z.string(), members).optional(),
  formats: z.array(members).optional(),
  aliases: z
    .record(
      z.string().regex(/^[a-zA-Z0-9_-]+$/),
      z.strictObject({
        id: z.string(),
        width: z.int().min(1).optional(),
        height: z.int().min(1).optional(),
        duration_ms: z.number().min(1).optional(),
      }),
    )
    .optional(),
})

type Shared = Pick<z.infer<typeof fileShape>, 'type' | 'defaults' | 'common_assets'>
type Read = { ok: true; format: Format } | { ok: false; faults: string[] }

/** In the order in which they are sent. A member that is not listed here is a typing error. */
const MEMBERS = [
  'name',
  'description',
  'type',
  'example_url',
  'accepts_parameters',
  'renders',
  'assets',
  'delivery',
  'supported_macros',
  'input_format_ids',
  'output_format_ids',
  'accessibility',
  'supported_disclosure_positions',
  'disclosure_capabilities',
  'reported_metrics',
  'ext',
] as const

/** Clients expect a render in every format: a format without a size has a render with empty dimensions. */
const ONLY_HEARD = [{ role: 'primary', dimensions: {} }]

function readFormat(own: Record<string, unknown>, shared: Shared): Read {
  const { id, assets, ...others }: Record<string, unknown> = {
    ...defined({ type: shared.type ? shared.type : undefined }),
    ...shared.defaults,
    ...own,
  }
  const unknown = Object.keys(others).filter(
    (name) => !(MEMBERS as readonly string[]).includes(name),
  )
  if (unknown.length > 0) {
    return { ok: false, faults: unknown.map((name) => `${name} is not a member of a format`) }
  }
  if (!Array.isArray(assets)) return { ok: false, faults: ['assets must be a list of slots'] }

  const slots = assets.map((slot: unknown) => expandSlot(slot, shared.common_assets ?? {}))
  const parsed = checkShape(format, {
    renders: ONLY_HEARD,
    ...withoutEmptyLists(others),
    ...disclosurePositions(others),
    format_id: { agent_url: THIS_AGENT, id },
    ...formatIds(others, 'input_format_ids'),
    ...formatIds(others, 'output_format_ids'),
    assets: slots,
    assets_required: [],
  })
  if (!parsed.ok) return { ok: false, faults: parsed.issues.map(reported) }
  const faults = contradictions(parsed.value)
  if (faults.length > 0) return { ok: false, faults }
  const assets_required = parsed.value.assets.filter(({ required }) => required)
  return { ok: true, format: { ...parsed.value, assets_required } }
}

/** A slot that is a name refers to one of `common_assets`; without `item_type` it is individual. */
function expandSlot(slot: unknown, common: Record<string, Record<string, unknown>>): unknown {
  if (typeof slot === 'string') {
    const named = Object.hasOwn(common, slot) ? common[slot] : undefined
    return named ? { item_type: 'individual', asset_id: slot, ...named } : slot
  }
  return isObject(slot) ? { item_type: 'individual', ...slot } : slot
}

/** An empty list removes a default. */
function withoutEmptyLists(own: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(own).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  )
}

/** Callers that do not support capabilities read only the positions. */
function disclosurePositions(own: Record<string, unknown>): Record<string, unknown> {
  const { supported_disclosure_positions, disclosure_capabilities: capabilities } = own
  if (supported_disclosure_positions !== undefined || !Array.isArray(capabilities)) return {}
  const positions = capabilities.map((one: unknown) => (isObject(one) ? one.position : one))
  return positions.length > 0 ? { supported_disclosure_positions: positions } : {}
}

function formatIds(own: Record<string, unknown>, member: string): Record<string, unknown> {
  const ids = own[member]
  if (!Array.isArray(ids) || ids.length === 0) return {}
  return { [member]: ids.map((id: unknown) => ({ agent_url: THIS_AGENT, id })) }
}

/** What the schema cannot check: duplicate names, and templates with no parameter for the size. */
function contradictions({ assets, accepts_parameters, renders }: Format): string[] {
  const names = assets.map((slot) =>
    slot.item_type === 'individual' ? slot.asset_id : slot.asset_group_id,
  )
  const faults = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `assets: two slots are called ${name}`,
  )
  const isOpen = renders?.some(
    ({ parameters_from_format_id }) => parameters_from_format_id === true,
  )
  if (isOpen && !accepts_parameters) {
    faults.push('renders: parameters_from_format_id needs accepts_parameters')
  }
  if (accepts_parameters?.includes('dimensions') && !isOpen) {
    faults.push('renders: one must have parameters_from_format_id, since dimensions are accepted')
  }
  return faults
}

function reported({ pointer, message }: { pointer: string; message: string }): string {
  return pointer ? `${pointer}: ${message}` : message
}
