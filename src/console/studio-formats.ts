// The catalogue of formats for the studio: each with its appearance, and a single format with the slots of its form.

import type { FindFormat } from '../creative/manifest-check/find-format.ts'
import { isGroup, nameOf } from '../creative/manifest-check/format-slots.ts'
import { dimensionsOf, type RenderDimensions, takesDimensions } from '../creative/renders.ts'
import { defined } from '../lib/defined.ts'
import { cursorOf, readCursor } from '../protocol/cursor.ts'
import type { Format, FormatSlot } from '../protocol/schemas/format.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import type {
  FormatDetails,
  FormatItem,
  FormatRef,
  FormatsPage,
  FormatsQuery,
  Slot,
} from './api/studio.ts'
import { type CallTask, refusalOfTask } from './call-task.ts'
import type { Handlers } from './handlers.ts'
import { badCursor, Refused } from './refusal.ts'
import type { Visitor } from './sessions.ts'

export interface FormatPorts {
  callTask: CallTask
  findFormat: FindFormat
  /** The URL in the ids of this server's formats. */
  publicUrl: () => string
}

export function formatHandlers(ports: FormatPorts): Handlers<'listFormats' | 'getFormat'> {
  return {
    listFormats: async ({ visitor, query, signal }) =>
      pageOfFormats(await catalogueOf(ports, visitor, signal), query),
    getFormat: async ({ params, query }) => detailsOf(ports, { id: params.format, ...query }),
  }
}

async function catalogueOf(
  { callTask }: FormatPorts,
  { principal }: Visitor,
  signal: AbortSignal,
): Promise<readonly Format[]> {
  const task = 'list_creative_formats'
  const answer = await callTask({ principal, task, arguments: {}, signal })
  if (!answer.ok) throw refusalOfTask(answer)
  return answer.body.formats as readonly Format[]
}

const LIST = 'console.formats'

function pageOfFormats(
  formats: readonly Format[],
  { q, type, asset_type, family, cursor, limit }: FormatsQuery,
): FormatsPage {
  const all = formats.map(itemOf)
  const isSought = soughtBy(q)
  const found = all.filter(
    (item) =>
      (type === undefined || item.type === type) &&
      (asset_type === undefined || item.asset_types.includes(asset_type)) &&
      (family === undefined || item.family === family) &&
      isSought(item),
  )
  const rest = found.slice(placeOf(found, cursor))
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return {
    items,
    total: found.length,
    asset_types: [...new Set(all.flatMap((item) => item.asset_types))].sort(),
    families: familiesOf(all),
    ...defined({
      next_cursor: last && rest.length > items.length ? cursorOf(LIST, [last.id]) : undefined,
    }),
  }
}

function placeOf(found: readonly FormatItem[], cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [id] = readCursor(LIST, cursor, ['text']) ?? []
  const last = found.findIndex((item) => item.id === id)
  if (last < 0) throw badCursor()
  return last + 1
}

const SIZE = /^(\d{1,5}) ?[x×] ?(\d{1,5})$/i

/** A size, or a part of a name or an id. */
function soughtBy(q: string | undefined): (item: FormatItem) => boolean {
  if (q === undefined) return () => true
  const size = SIZE.exec(q.trim())
  if (size) {
    const [width, height] = [Number(size[1]), Number(size[2])]
    return ({ shape }) =>
      shape?.is_exact === true && shape.width === width && shape.height === height
  }
  const wanted = q.trim().toLowerCase()
  return ({ id, name }) => id.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)
}

/** Families with several sizes. */
function familiesOf(all: readonly FormatItem[]): FormatsPage['families'] {
  const counts = new Map<string, number>()
  for (const { family } of all) counts.set(family, (counts.get(family) ?? 0) + 1)
  return [...counts]
    .filter(([, formats]) => formats > 1)
    .map(([family, formats]) => ({ family, formats }))
}

function itemOf(format: Format): FormatItem {
  const { format_id, name, description, type, accepts_parameters = [], assets_required } = format
  return {
    id: format_id.id,
    name,
    type,
    takes: [...accepts_parameters],
    family: familyOf(format_id.id),
    asset_types: [...new Set(assets_required.flatMap(typesOf))],
    ...defined({ description, shape: shapeOf(format) }),
  }
}

function typesOf(slot: FormatSlot): string[] {
  return isGroup(slot) ? slot.assets.map(({ asset_type }) => asset_type) : [slot.asset_type]
}

/** The id without its size. */
function familyOf(id: string): string {
  return id.replace(/\d{2,5}x\d{2,5}/, '*')
}

type Shape = NonNullable<FormatItem['shape']>

/** Formats that adapt to their place are drawn in a typical shape. */
const LIKENESSES: Partial<Record<Format['type'], Omit<Shape, 'is_exact'>>> = {
  display: { width: 300, height: 250 },
  native: { width: 320, height: 240 },
  video: { width: 640, height: 360 },
  dooh: { width: 640, height: 360 },
  rich_media: { width: 300, height: 250 },
  universal: { width: 300, height: 250 },
}

function shapeOf(format: Format): Shape | undefined {
  const [dimensions] = dimensionsOf(format)
  const exact = dimensions && sizeOf(dimensions)
  if (exact) return { ...exact, is_exact: true }
  const ratio = dimensions?.aspect_ratio?.split(':').map(Number)
  if (ratio?.[0] && ratio[1]) {
    return { width: (ratio[0] / ratio[1]) * 360, height: 360, is_exact: false }
  }
  const alike = format.renders || takesDimensions(format) ? LIKENESSES[format.type] : undefined
  return alike && { ...alike, is_exact: false }
}

function sizeOf({ width, height, unit = 'px' }: RenderDimensions) {
  const isSized = width !== undefined && height !== undefined && (unit === 'px' || unit === 'dp')
  return isSized ? { width, height } : undefined
}

function detailsOf(ports: FormatPorts, ref: FormatRef): FormatDetails {
  const format = formatOf(ports, ref)
  const { format_id, supported_macros = [], assets } = format
  return {
    ...itemOf(format),
    id: format_id.id,
    slots: assets.map(slotOf),
    macros: [...supported_macros],
    format: { ...format },
  }
}

/** Throws a Refused if there is none, or if it does not accept the parameters in the id. */
function formatOf({ findFormat, publicUrl }: FormatPorts, ref: FormatRef): Format {
  const found = findFormat(formatIdOf({ publicUrl }, ref), publicUrl())
  if (found.ok) return found.format
  const isMissing = found.reason !== 'bad_parameters'
  throw new Refused(isMissing ? 404 : 400, isMissing ? 'not_found' : 'bad_size', found.message)
}

export function formatIdOf(
  { publicUrl }: Pick<FormatPorts, 'publicUrl'>,
  ref: FormatRef,
): FormatId {
  const { id, width, height, duration_ms } = ref
  return { agent_url: publicUrl(), id, ...defined({ width, height, duration_ms }) }
}

function slotOf(slot: FormatSlot): Slot {
  if (!isGroup(slot)) return { name: nameOf(slot), required: slot.required, ...membersOf(slot) }
  const { min_count, max_count, assets, required } = slot
  const members = assets.map((member) => ({ name: member.asset_id, ...membersOf(member) }))
  return {
    name: nameOf(slot),
    required,
    asset_type: 'group',
    group: { min: min_count, max: max_count, members },
  }
}

function membersOf({
  asset_type,
  asset_role: role,
  requirements,
}: Pick<
  Extract<FormatSlot, { item_type: 'individual' }>,
  'asset_type' | 'asset_role' | 'requirements'
>) {
  return {
    asset_type,
    ...defined({ role, requirements: requirements && { ...requirements } }),
  }
}
