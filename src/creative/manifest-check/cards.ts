// Cards: how people write the items of a repeatable group, one object for each repetition with its parts by name:
// `[{image, title, link}]`. The protocol has them as a list of single assets, so they are converted to that, each
// with the asset id that the group defines for it.

import { boundedIssues } from '../../protocol/error-limits.ts'
import type { Issue } from '../../protocol/errors.ts'
import { pointerTo } from '../../protocol/manifest-issues.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format, RepeatableSlot } from '../../protocol/schemas/format.ts'
import { isGroup, type ManifestSlot, nameOf } from './format-slots.ts'

/** What people call the list when they do not look up the name of the group. */
const CARDS = 'cards'

/** A part of a card: an asset of the group, or what is wrong with it. */
export type CardPart = { name: string } & (
  | { ok: true; asset: Record<string, unknown> }
  | { ok: false; message: string }
)

/** The manifest with every card converted to assets; parts that do not fit are left for the check to report. */
export function withCards(manifest: CreativeManifest, format: Format): CreativeManifest {
  const placed = withCardsInPlace(manifest, format)
  if (!isObject(placed.assets)) return placed
  const groups = format.assets.filter((slot: ManifestSlot) => isGroup(slot)) as RepeatableSlot[]
  const laidOut = groups.flatMap((group) => {
    const items = memberOf(placed.assets as Record<string, unknown>, group.asset_group_id)
    if (!Array.isArray(items) || !items.some(isCard)) return []
    return [[group.asset_group_id, items.flatMap((item) => assetsOf(item, group))] as const]
  })
  if (laidOut.length === 0) return placed
  const assets = { ...(placed.assets as object), ...Object.fromEntries(laidOut) }
  return { ...placed, assets } as CreativeManifest
}

/**
 * The errors in the cards of a manifest, by their location in it: at most the number that is reported, and how many
 * more there are.
 */
export function cardIssues(manifest: CreativeManifest, format: Format): Issue[] {
  const { assets } = withCardsInPlace(manifest, format)
  if (!isObject(assets)) return []
  const groups = format.assets.filter((slot: ManifestSlot) => isGroup(slot)) as RepeatableSlot[]
  const issues = groups.flatMap((group) => {
    const items = memberOf(assets as Record<string, unknown>, group.asset_group_id)
    if (!Array.isArray(items)) return []
    return items.flatMap((item, index) =>
      (isCard(item) ? partsOfCard(item, group) : []).flatMap((part) => {
        if (part.ok) return []
        const pointer = pointerTo(['assets', group.asset_group_id, index, part.name])
        return [{ pointer, message: part.message, keyword: 'card' }]
      }),
    )
  })
  return boundedIssues(issues)
}

/** With the cards under the name of their group, if they are only called cards. */
export function withCardsInPlace(manifest: CreativeManifest, format: Format): CreativeManifest {
  if (!isObject(manifest.assets) || format.assets.some(isIndividualCards)) return manifest
  const { [CARDS]: cards, ...rest } = manifest.assets as Record<string, unknown>
  const groups = format.assets.filter((slot: ManifestSlot) => isGroup(slot)).map(nameOf)
  const [only, ...others] = groups
  if (!Array.isArray(cards) || only === undefined || others.length > 0) return manifest
  if (only === CARDS || Object.hasOwn(rest, only)) return manifest
  return { ...manifest, assets: { ...rest, [only]: cards } } as CreativeManifest
}

function isIndividualCards(slot: ManifestSlot): boolean {
  return !isGroup(slot) && nameOf(slot) === CARDS
}

/** The members that make an object an asset. */
const ASSET_MEMBERS = ['asset_type', 'asset_id', 'url', 'content']

/** An object that is not itself an asset and has parts. */
export function isCard(item: unknown): item is Record<string, unknown> {
  if (!isObject(item) || Object.keys(item).length === 0) return false
  return !ASSET_MEMBERS.some((member) => item[member] !== undefined)
}

/** The parts of a card, in the card's order. */
export function partsOfCard(
  card: Readonly<Record<string, unknown>>,
  group: RepeatableSlot,
): CardPart[] {
  return Object.entries(card).map(([name, value]) => {
    const member = memberCalled(name, group)
    if (!member) {
      return {
        name,
        ok: false,
        message: `A card of ${group.asset_group_id} has ${namesOf(group)}: this is none of them. ${rightShape(group)}`,
      }
    }
    const { asset_id, asset_type } = member
    if (isObject(value)) return { name, ok: true, asset: { asset_type, ...value, asset_id } }
    if (typeof value === 'string') {
      const content = TEXTS.has(asset_type) ? { content: value } : { url: value }
      return { name, ok: true, asset: { asset_type, ...content, asset_id } }
    }
    const message = `${asset_id} of a card is an asset of type ${asset_type}, or its ${TEXTS.has(asset_type) ? 'text' : 'address'}. ${rightShape(group)}`
    return { name, ok: false, message }
  })
}

function namesOf({ assets }: RepeatableSlot): string {
  return assets.map(({ asset_id }) => asset_id).join(', ')
}

/** Number of group members shown in an example: an operator's format may have many. */
const MAX_EXAMPLE_MEMBERS = 8

/** Why a list of cards fits nowhere in a format; undefined for anything that is not such a list. */
export function misplacedCards(name: string, value: unknown, format: Format): string | undefined {
  if (name !== CARDS || !Array.isArray(value) || !value.some(isCard)) return undefined
  const groups = format.assets.filter((slot: ManifestSlot) => isGroup(slot)) as RepeatableSlot[]
  const [first] = groups
  const slots = format.assets.map(nameOf).join(', ')
  if (!first) return `This format has no cards: its slots are ${slots}.`
  const names = groups.map(nameOf).join(', ')
  return `Give cards under the name of their group, one of ${names}. ${rightShape(first)}`
}

/** Per group: a manifest may have very many parts that do not fit, all reported with the same text. */
const shapes = new WeakMap<RepeatableSlot, string>()

/** The cards of this group, written as they would be accepted. */
export function rightShape(group: RepeatableSlot): string {
  const known = shapes.get(group) ?? shapeOf(group)
  shapes.set(group, known)
  return known
}

function shapeOf({ asset_group_id, assets }: RepeatableSlot): string {
  const parts = assets.slice(0, MAX_EXAMPLE_MEMBERS).map(({ asset_id, asset_type }) => {
    return [asset_id, exampleOf(asset_type)] as const
  })
  const example = { assets: { [asset_group_id]: [Object.fromEntries(parts)] } }
  return `Write, for example: ${JSON.stringify(example)}`
}

function exampleOf(asset_type: string): unknown {
  if (TEXTS.has(asset_type)) return 'Text'
  if (asset_type === 'image') return { url: 'https://cdn.example/a.png', width: 600, height: 600 }
  if (asset_type !== 'video') return 'https://brand.example/'
  return { url: 'https://cdn.example/a.mp4', width: 1280, height: 720, duration_ms: 15_000 }
}

/** A standalone asset of a type; undefined for types that are more than a text or a file. */
export function exampleAsset(asset_type: string): object | undefined {
  const example = exampleOf(asset_type)
  if (isObject(example)) return { asset_type, ...example }
  if (TEXTS.has(asset_type)) return { asset_type, content: example }
  return asset_type === 'url' || asset_type === 'audio' ? { asset_type, url: example } : undefined
}

const TEXTS: ReadonlySet<string> = new Set(['text', 'markdown', 'html', 'css', 'javascript'])

/** Whether an asset of this type is given by its text rather than its URL. */
export function isWords(asset_type: string): boolean {
  return TEXTS.has(asset_type)
}

/** What people call a part, by the type that it then has. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['picture', 'image'],
  ['video', 'video'],
  ['title', 'text'],
  ['headline', 'text'],
  ['text', 'text'],
  ['link', 'url'],
  ['click_url', 'url'],
  ['landing_page_url', 'url'],
])

/** Names of the same part. */
const ALIKE: readonly ReadonlySet<string>[] = [
  'headline|title|name|heading|card_title|product_name',
  'description|body|text|subtitle|body_text|caption',
  'image|picture|photo|image_url|media|card_image|product_image',
  'price|card_price|product_price',
  'landing_url|link|click_url|landing_page_url|landing_page|clickthrough_url|product_url|card_link',
].map((names) => new Set(names.split('|')))

type Member = RepeatableSlot['assets'][number]

/**
 * By its own name, by a name that ends with it, as the only one with that other name, or as the only one of the type
 * that the name implies.
 */
function memberCalled(name: string, { assets }: RepeatableSlot): Member | undefined {
  const own = assets.find(({ asset_id }) => asset_id === name)
  if (own) return own
  const [longer, ...others] = assets.filter(({ asset_id }) => asset_id.endsWith(`_${name}`))
  if (longer && others.length === 0) return longer
  const names = ALIKE.find((one) => one.has(name))
  const alike = assets.filter(({ asset_id }) => names?.has(asset_id))
  if (alike.length === 1) return alike[0]
  const ofType = assets.filter(({ asset_type }) => asset_type === USUAL.get(name))
  return ofType.length === 1 ? ofType[0] : undefined
}

function assetsOf(item: unknown, group: RepeatableSlot): unknown[] {
  if (!isCard(item)) return [item]
  return partsOfCard(item, group).flatMap((part) => (part.ok ? [part.asset] : []))
}

function memberOf(assets: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(assets, name) ? assets[name] : undefined
}
