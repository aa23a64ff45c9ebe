// The slots of a canonical kind when its parameters list none (spec 2.3, as in 3.2), and a format derived from a kind
// and parameters, so that a manifest can be checked against it like against any other.

import { isAssetType } from '../../protocol/schemas/assets.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Format, FormatSlot } from '../../protocol/schemas/format.ts'
import { valueIn } from '../manifest-check/format-slots.ts'
import type { DeclaredSlot } from './declaration.ts'

type Members = Readonly<Record<string, unknown>>

/** `name:type`, with `*` for required slots, and the minimum and maximum for repeated ones. */
const DEFAULT_SLOTS = new Map<string, string>([
  [
    'image',
    'image_main:image* headline:text body_text:text primary_text:text cta:text landing_page_url:url',
  ],
  ['html5', 'html5_bundle:zip* backup_image:image landing_page_url:url'],
  ['display_tag', 'tag_url:url* backup_image:image'],
  ['image_carousel', 'cards:card*2-10 primary_text:text landing_page_url:url'],
  [
    'video_hosted',
    'video_main:video* headline:text primary_text:text cta:text brand_name:text companion_banner:image landing_page_url:url',
  ],
  ['video_vast', 'vast_tag:vast* landing_page_url:url'],
  ['audio_hosted', 'audio_main:audio* companion_image:image brand_name:text landing_page_url:url'],
  ['audio_vast', 'vast_tag:vast* landing_page_url:url'],
  ['audio_daast', 'daast_tag:daast* landing_page_url:url'],
  [
    'native_in_feed',
    'title:text* advertiser_name:text* landing_page_url:url* body_text:text main_image:image icon:image cta:text sponsored_label:text display_url:url rating:text price:text video:vast',
  ],
  ['sponsored_placement', 'source_catalog:catalog* hero_asset:image landing_page_url:url'],
  [
    'responsive_creative',
    'headlines:text*3-15 descriptions:text*2-5 logo:image*1-5 landing_page_url:url* long_headlines:text0-5 images_landscape:image0-20 images_square:image0-20 images_vertical:image0-20 video:video0-5',
  ],
  ['agent_placement', 'offering_ref:text landing_page_url:url'],
])

export function isCanonicalKind(name: string): boolean {
  return DEFAULT_SLOTS.has(name)
}

/** The slots that the parameters list, or else those of the kind. */
export function slotsOfKind(kind: string, params: Members): DeclaredSlot[] {
  if (Array.isArray(params.slots)) return params.slots.filter(isObject).flatMap(readSlot)
  const written = DEFAULT_SLOTS.get(kind)?.split(' ') ?? []
  return written.map((one) => {
    const [, asset_group_id, asset_type, star, least, most] =
      /^(\w+):([a-z_]+)(\*?)(?:(\d+)-(\d+))?$/.exec(one) as unknown as string[]
    const repeats = least === undefined ? {} : { min: Number(least), max: Number(most) }
    return {
      asset_group_id: asset_group_id as string,
      asset_type: asset_type as string,
      required: star === '*',
      ...repeats,
    }
  })
}

function readSlot(slot: Members): DeclaredSlot[] {
  const { asset_group_id, asset_type, required, min, max, max_chars, max_size_kb } = slot
  if (typeof asset_group_id !== 'string' || typeof asset_type !== 'string') return []
  const numbers = Object.entries({ min, max, max_chars, max_size_kb }).filter(
    ([, value]) => typeof value === 'number',
  )
  return [
    {
      asset_group_id,
      asset_type,
      required: required === true,
      ...(Object.fromEntries(numbers) as Partial<DeclaredSlot>),
    },
  ]
}

/** A format of the kind: asset types that are not checked here are omitted. */
export function formatOfKind(kind: string, params: Members, agent_url: string): Format {
  const assets = slotsOfKind(kind, params).flatMap((slot) => formatSlot(slot, params))
  const required = assets.filter((slot) => slot.required)
  return {
    format_id: { agent_url, id: kind },
    name: kind,
    type: 'universal',
    assets,
    assets_required: required,
  }
}

function formatSlot(slot: DeclaredSlot, params: Members): FormatSlot[] {
  const { asset_group_id: name, asset_type, required, min, max = 1 } = slot
  if (!isAssetType(asset_type)) return []
  const requirements = requirementsOf(slot, params) as FormatSlot['requirements']
  if (max <= 1) {
    return [
      { item_type: 'individual', asset_id: name, asset_type, required, requirements },
    ] as FormatSlot[]
  }
  const assets = [{ asset_id: name, asset_type, requirements }]
  const counts = { min_count: min ?? 0, max_count: max }
  return [
    { item_type: 'repeatable_group', asset_group_id: name, required, ...counts, assets },
  ] as FormatSlot[]
}

const DISPLAYED: ReadonlySet<string> = new Set(['image_main', 'video_main'])
const TIMED: ReadonlySet<string> = new Set(['video_main', 'audio_main', 'vast_tag', 'daast_tag'])

function requirementsOf({ asset_group_id, max_chars, max_size_kb }: DeclaredSlot, params: Members) {
  const { width, height, duration_ms_exact: exact, duration_ms_range: range } = params
  const [least, most] = Array.isArray(range) ? range : [exact, exact]
  const isReturned = DISPLAYED.has(asset_group_id)
  const isTimed = TIMED.has(asset_group_id)
  const all = {
    min_width: isReturned ? width : undefined,
    max_width: isReturned ? width : undefined,
    min_height: isReturned ? height : undefined,
    max_height: isReturned ? height : undefined,
    min_duration_ms: isTimed ? least : undefined,
    max_duration_ms: isTimed ? most : undefined,
    max_length: max_chars ?? valueIn(params, `${asset_group_id}_max_chars`),
    max_file_size_kb: max_size_kb ?? (isReturned ? params.max_file_size_kb : undefined),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => typeof value === 'number'))
}
