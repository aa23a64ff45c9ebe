// The members that a form requires for each type of asset, the format's constraints as readable text, and how values
// get into the manifest.

import type { Slot } from '../../../src/console/api/studio.ts'

export interface Member {
  name: string
  label: string
  kind: 'text' | 'lines' | 'code' | 'url' | 'number'
  /** One of the members that make the asset exist. */
  isMain?: true
}

const ADDRESS: Member = { name: 'url', label: 'Address', kind: 'url', isMain: true }
const WIDTH: Member = { name: 'width', label: 'Width (px)', kind: 'number' }
const HEIGHT: Member = { name: 'height', label: 'Height (px)', kind: 'number' }
const DURATION: Member = { name: 'duration_ms', label: 'Length (ms)', kind: 'number' }
const code = (label: string): Member => ({ name: 'content', label, kind: 'code', isMain: true })

const MEMBERS: ReadonlyMap<string, readonly Member[]> = new Map([
  ['image', [ADDRESS, WIDTH, HEIGHT, { name: 'alt_text', label: 'Alt text', kind: 'text' }]],
  ['video', [ADDRESS, WIDTH, HEIGHT, DURATION]],
  ['audio', [ADDRESS, DURATION]],
  ['vast', [ADDRESS, { ...code('Or the tag itself'), kind: 'code' }]],
  ['daast', [ADDRESS, { ...code('Or the tag itself'), kind: 'code' }]],
  ['html', [code('HTML')]],
  ['css', [code('CSS')]],
  ['javascript', [code('JavaScript')]],
  ['markdown', [{ name: 'content', label: 'Markdown', kind: 'lines', isMain: true }]],
  ['text', [{ name: 'content', label: 'Text', kind: 'text', isMain: true }]],
  ['url', [ADDRESS]],
  ['pixel_tracker', [ADDRESS]],
  ['vast_tracker', [ADDRESS]],
  ['daast_tracker', [ADDRESS]],
  ['zip', [ADDRESS]],
])

/** Undefined: there is no field for it, and it is written as JSON. */
export function membersOf({
  asset_type,
  requirements,
  group,
}: Slot): readonly Member[] | undefined {
  const members = group ? undefined : MEMBERS.get(asset_type)
  const isLong = asset_type === 'text' && (numberOf(requirements?.max_length) ?? 0) > LONG_TEXT
  return isLong ? members?.map((one) => ({ ...one, kind: 'lines' })) : members
}

const LONG_TEXT = 120

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** If the format allows only one value, it is filled in. */
function givenBy({ requirements = {} }: Slot): Record<string, number> {
  const given: Record<string, number> = {}
  for (const name of ['width', 'height', 'duration_ms']) {
    const [least, most] = [requirements[`min_${name}`], requirements[`max_${name}`]]
    if (typeof least === 'number' && least === most) given[name] = least
  }
  return given
}

export type Assets = Readonly<Record<string, unknown>>

export function assetOf(assets: Assets, { name }: Slot): Readonly<Record<string, unknown>> {
  const asset = assets[name]
  return typeof asset === 'object' && asset !== null ? (asset as Record<string, unknown>) : {}
}

/** The assets, with these members changed in one of them; an asset without its main members is removed. */
export function withMembers(
  assets: Assets,
  slot: Slot,
  changes: Readonly<Record<string, string | number | undefined>>,
): Assets {
  const before = assetOf(assets, slot)
  const isNew = Object.keys(before).length === 0
  const known = isNew ? { asset_type: slot.asset_type, ...givenBy(slot) } : before
  const asset = Object.fromEntries(
    Object.entries({ ...known, ...changes }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  )
  const { [slot.name]: _, ...others } = assets
  const isThere = membersOf(slot)?.some(({ name, isMain }) => isMain && asset[name] !== undefined)
  return isThere ? { ...others, [slot.name]: asset } : others
}

export function withJson(assets: Assets, { name }: Slot, value: unknown): Assets {
  const { [name]: _, ...others } = assets
  return value === undefined ? others : { ...others, [name]: value }
}

/** The format's requirements for the slot, as readable text. */
export function requestOf({ requirements = {}, group }: Slot): string {
  const words: string[] = []
  const number = (name: string) => numberOf(requirements[name])
  if (group) words.push(`${group.min} to ${group.max} items`)
  const [width, height] = [number('min_width'), number('min_height')]
  if (width !== undefined && height !== undefined) {
    const isExact = width === number('max_width') && height === number('max_height')
    words.push(`${isExact ? '' : 'at least '}${width} × ${height} px`)
  }
  if (typeof requirements.aspect_ratio === 'string')
    words.push(`ratio ${requirements.aspect_ratio}`)
  const formats = requirements.formats ?? requirements.containers
  if (Array.isArray(formats)) words.push(formats.join(', '))
  const [least, most] = [number('min_duration_ms'), number('max_duration_ms')]
  if (most !== undefined) {
    words.push(
      least === most ? `${most / 1_000} s` : `${(least ?? 0) / 1_000} to ${most / 1_000} s`,
    )
  }
  const size = number('max_file_size_kb')
  if (size !== undefined) words.push(`at most ${size.toLocaleString()} KB`)
  const length = number('max_length')
  if (length !== undefined) words.push(`at most ${length.toLocaleString()} characters`)
  if (Array.isArray(requirements.allowed_values)) {
    words.push(`one of: ${requirements.allowed_values.join(', ')}`)
  }
  return words.join(' · ')
}
