// The canonical kind of a format, and the canonical names of its slots (spec 2.3): determined by the names of its
// slots, and for an operator's formats by the type of what they display.

import type { Format, IndividualSlot } from '../../protocol/schemas/format.ts'
import { isGroup, type ManifestSlot, nameOf } from '../manifest-check/format-slots.ts'

export interface CanonicalKind {
  format_kind: string
  /** The canonical name of each of our slots, if it differs. */
  names: ReadonlyMap<string, string>
  params?: Readonly<Record<string, unknown>>
}

interface NamedKind extends CanonicalKind {
  /** Slots that a format of this kind must have, by our names; `|` separates alternatives. */
  needs: readonly string[]
}

const LANDING_PAGE: readonly (readonly [string, string])[] = [
  ['click_url', 'landing_page_url'],
  ['cta_url', 'landing_page_url'],
]

/** Words and pictures that the placement lays out; this includes cards. */
const NATIVE_NAMES = new Map([
  ...['title', 'headline', 'product_name', 'proposal_name'].map((own) => [own, 'title'] as const),
  ...['description', 'body', 'mention_text', 'product_description', 'proposal_description'].map(
    (own) => [own, 'body_text'] as const,
  ),
  ...['main_image', 'image', 'thumbnail', 'product_image'].map(
    (own) => [own, 'main_image'] as const,
  ),
  ...['sponsored_by', 'author', 'publisher_name'].map((own) => [own, 'advertiser_name'] as const),
  ['cta_text', 'cta'],
  ['disclosure', 'sponsored_label'],
  ['pricing_amount', 'price'],
  ['product_catalog', 'source_catalog'],
  ...LANDING_PAGE,
])

const PICTURES = ['banner_image', 'billboard_image', 'screen_image']

/** The first kind whose slots are all present applies. */
const KINDS: readonly NamedKind[] = [
  {
    format_kind: 'image',
    needs: ['generation_prompt'],
    names: new Map([['generation_prompt', 'generation_prompt'], ...LANDING_PAGE]),
    params: { asset_source: 'agent_synthesized' },
  },
  {
    format_kind: 'native_in_feed',
    needs: ['title|headline|mention_text|product_name|proposal_name|format'],
    names: NATIVE_NAMES,
  },
  {
    format_kind: 'image',
    needs: [PICTURES.join('|')],
    names: new Map([
      ...PICTURES.map((own) => [own, 'image_main'] as const),
      ['banner_image_2x', 'image_main'],
      ...LANDING_PAGE,
    ]),
  },
]

/** What a format displays, by the type of its slots: the first of these that is present, and where it appears. */
const DISPLAYED: readonly (readonly [
  type: string,
  kind: Pick<CanonicalKind, 'format_kind' | 'params'>,
  slot: string,
])[] = [
  ['vast', { format_kind: 'video_vast' }, 'vast_tag'],
  ['daast', { format_kind: 'audio_daast' }, 'daast_tag'],
  ['zip', { format_kind: 'html5' }, 'html5_bundle'],
  ['video', { format_kind: 'video_hosted' }, 'video_main'],
  ['audio', { format_kind: 'audio_hosted' }, 'audio_main'],
  ['html', { format_kind: 'html5' }, 'html5_bundle'],
  [
    'javascript',
    { format_kind: 'display_tag', params: { supported_delivery_types: ['inline_markup'] } },
    'tag',
  ],
  ['image', { format_kind: 'image' }, 'image_main'],
  [
    'url',
    { format_kind: 'display_tag', params: { supported_delivery_types: ['tag_url'] } },
    'tag_url',
  ],
]

/** Undefined if no canonical kind describes it: such a format is known only by its name. */
export function canonicalKindOf(format: Format): CanonicalKind | undefined {
  const slots = format.assets as readonly ManifestSlot[]
  const names = new Set(slots.map(nameOf))
  const named = KINDS.find(({ needs }) =>
    needs.every((one) => one.split('|').some((name) => names.has(name))),
  )
  return named ?? carouselOf(slots) ?? describeKind(slots)
}

/** A group that repeats a picture makes the format a carousel of cards. */
function carouselOf(slots: readonly ManifestSlot[]): CanonicalKind | undefined {
  const cards = slots
    .filter(isGroup)
    .find(({ assets }) => assets.some(({ asset_type }) => asset_type === 'image'))
  if (!cards) return undefined
  const { asset_group_id, min_count, max_count } = cards
  return {
    format_kind: 'image_carousel',
    names: new Map([[asset_group_id, 'cards'], ...LANDING_PAGE]),
    params: { min_cards: min_count, max_cards: max_count },
  }
}

function describeKind(slots: readonly ManifestSlot[]): CanonicalKind | undefined {
  const alone = slots.filter((slot): slot is IndividualSlot => !isGroup(slot) && slot.required)
  const others = alone.filter((slot) => !isAside(slot))
  for (const [type, kind, canonical] of DISPLAYED) {
    const slot = others.find(({ asset_type }) => asset_type === type)
    if (slot) return { ...kind, names: new Map([[slot.asset_id, canonical], ...LANDING_PAGE]) }
  }
  return others.length > 0 && others.every(({ asset_type }) => asset_type === 'text')
    ? { format_kind: 'native_in_feed', names: NATIVE_NAMES }
    : undefined
}

const ASIDE: ReadonlySet<unknown> = new Set([
  'clickthrough',
  'landing_page',
  'impression_tracker',
  'click_tracker',
  'viewability_tracker',
  'third_party_tracker',
])

/** A URL that is called or linked to, and not displayed. */
function isAside({ asset_type, asset_role, requirements }: IndividualSlot): boolean {
  if (asset_type !== 'url') return false
  return ASIDE.has(asset_role) || ASIDE.has((requirements as { role?: unknown } | undefined)?.role)
}

/** Whether it is called when something happens: the canonical kinds include such trackers implicitly. */
export function isTracker(slot: IndividualSlot): boolean {
  return isAside(slot) && !/clickthrough|landing_page/.test(roleOf(slot))
}

function roleOf({ asset_role, requirements }: IndividualSlot): string {
  const { role } = (requirements ?? {}) as { role?: unknown }
  return `${asset_role ?? ''} ${typeof role === 'string' ? role : ''}`
}
