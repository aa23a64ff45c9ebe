// A format of the catalogue as 3.2 declares it: its canonical kind, with parameters and slots by their canonical names
// (spec 2.3). What has no canonical kind that says the same is not declared, and stays a named format.

import type { Format } from '../../protocol/schemas/format.ts'
import { isGroup, nameOf, type Slot } from '../manifest-check/format-slots.ts'

interface DeclaredSlot {
  asset_group_id: string
  asset_type: string
  required: boolean
}

export interface Declaration {
  format_kind: string
  params: Readonly<Record<string, unknown>> & { slots: readonly DeclaredSlot[] }
  v1_format_ref: readonly Format['format_id'][]
}

/** The canonical names of our slots, kind by kind; the first kind whose slots are all there is meant. */
const KINDS: readonly {
  format_kind: string
  /** Slots that a format of this kind must have, by our names; `|` between alternatives. */
  needs: readonly string[]
  names: ReadonlyMap<string, string>
  params?: Readonly<Record<string, unknown>>
}[] = [
  {
    format_kind: 'image',
    needs: ['generation_prompt'],
    names: new Map([
      ['generation_prompt', 'generation_prompt'],
      ['click_url', 'landing_page_url'],
    ]),
    params: { asset_source: 'agent_synthesized' },
  },
  {
    format_kind: 'native_in_feed',
    needs: ['title', 'main_image', 'sponsored_by'],
    names: new Map([
      ['title', 'title'],
      ['description', 'body_text'],
      ['main_image', 'main_image'],
      ['icon', 'icon'],
      ['cta_text', 'cta'],
      ['sponsored_by', 'advertiser_name'],
      ['click_url', 'landing_page_url'],
    ]),
  },
  {
    format_kind: 'image',
    needs: ['banner_image|billboard_image|screen_image'],
    names: new Map([
      ['banner_image', 'image_main'],
      ['billboard_image', 'image_main'],
      ['screen_image', 'image_main'],
      ['click_url', 'landing_page_url'],
    ]),
  },
  {
    format_kind: 'video_vast',
    needs: ['vast_tag'],
    names: new Map([
      ['vast_tag', 'vast_tag'],
      ['click_url', 'landing_page_url'],
    ]),
  },
  {
    format_kind: 'video_hosted',
    needs: ['video_file'],
    names: new Map([
      ['video_file', 'video_main'],
      ['click_url', 'landing_page_url'],
    ]),
  },
  {
    format_kind: 'audio_hosted',
    needs: ['audio_file'],
    names: new Map([
      ['audio_file', 'audio_main'],
      ['click_url', 'landing_page_url'],
    ]),
  },
]

type Kind = (typeof KINDS)[number]

/** Undefined where nothing canonical says the same. */
export function declarationOf(format: Format): Declaration | undefined {
  const kind = kindOf(format)
  if (!kind) return undefined
  return {
    format_kind: kind.format_kind,
    params: {
      ...kind.params,
      ...sizeOf(format),
      ...lengthOf(format),
      slots: slotsOf(format, kind),
    },
    v1_format_ref: [format.format_id],
  }
}

/** The canonical name of each of our slots that has one. */
export function canonicalNames(format: Format): ReadonlyMap<string, string> {
  return kindOf(format)?.names ?? new Map()
}

function kindOf(format: Format): Kind | undefined {
  // A size or length that the caller names is no capability of its own.
  if (format.accepts_parameters && format.accepts_parameters.length > 0) return undefined
  const slots = format.assets as readonly Slot[]
  if (slots.some(isGroup)) return undefined
  const names = new Set(slots.map(nameOf))
  // Renditions of one image are not told apart here.
  if (names.has('banner_image_2x') || /_2x$/.test(format.format_id.id)) return undefined
  return KINDS.find(({ needs }) =>
    needs.every((one) => one.split('|').some((name) => names.has(name))),
  )
}

function slotsOf(format: Format, { names }: Kind): DeclaredSlot[] {
  return (format.assets as readonly Slot[]).flatMap((slot) => {
    const canonical = names.get(nameOf(slot))
    if (canonical === undefined || isGroup(slot)) return []
    // A landing page may be known to the ad server alone.
    const required = slot.required && canonical !== 'landing_page_url'
    return [{ asset_group_id: canonical, asset_type: slot.asset_type, required }]
  })
}

function sizeOf({ renders = [] }: Format): { width?: number; height?: number } {
  const { width, height } = (renders[0]?.dimensions ?? {}) as Record<string, unknown>
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : {}
}

/** By the name, as 15s in it. */
function lengthOf({ format_id: { id }, type }: Format): { duration_ms_exact?: number } {
  const seconds = type === 'video' || type === 'audio' ? /_(\d{1,3})s$/.exec(id)?.[1] : undefined
  return seconds === undefined ? {} : { duration_ms_exact: Number(seconds) * 1_000 }
}
