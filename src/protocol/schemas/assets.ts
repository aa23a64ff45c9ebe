// The assets of a manifest (spec 2.4). In requests, an asset may omit its type, which is then taken from the slot of
// its format; if given, the type must be valid. In responses, it always has its type.

import { z } from 'zod'
import { ASSET_NEEDS_ONE, ASSET_SHAPES, ASSET_TYPES, type AssetType } from './asset-shapes.ts'
import { hasSound, isObject, type Report, type UncheckedMembers, withRule } from './checks.ts'
import { briefly, toJsonSchema } from './json-schema.ts'
import { mergeShapes } from './merge-shapes.ts'

export const assetType = z.enum(ASSET_TYPES)

/** The members that most code reads; the others are in the body by their names. */
export interface Asset {
  asset_type?: AssetType | undefined
  url?: string | undefined
  content?: string | undefined
  width?: number | undefined
  height?: number | undefined
  duration_ms?: number | undefined
  [member: string]: unknown
}
export type SentAsset = Asset & { asset_type: AssetType }

/** An asset of one type, with all its members. */
export type AssetOf<T extends AssetType> = z.infer<
  z.ZodObject<(typeof ASSET_SHAPES)[T], z.core.$loose>
> & { asset_type?: T | undefined }

/** One schema per type; `asset_type` may be missing, and must be correct if present. */
export const assetOfType = Object.fromEntries(
  ASSET_TYPES.map((type) => [
    type,
    z.looseObject({ asset_type: z.literal(type).optional(), ...ASSET_SHAPES[type] }),
  ]),
) as unknown as { [T in AssetType]: z.ZodType<AssetOf<T>> }

const everyMember = {
  ...mergeShapes(Object.values(ASSET_SHAPES)),
  provenance: z.looseObject({}).optional().describe('Where it comes from.'),
}

const typeMember = assetType.describe('What it is; it decides which members count.')

export const asset: z.ZodType<Asset> = withRule(
  z.looseObject({ asset_type: typeMember.optional(), ...everyMember }),
  checkByType,
)

export const sentAsset = withRule(
  z.looseObject({ asset_type: typeMember, ...everyMember }),
  checkByType,
) as z.ZodType<SentAsset>

/** The required members of an asset type, determined once. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  ASSET_TYPES.map((type) => {
    const members: [string, z.ZodType][] = Object.entries(ASSET_SHAPES[type])
    const required = members.filter(([, schema]) => !schema.safeParse(undefined).success)
    return [type, required.map(([member]) => member)]
  }),
)

/** The missing members of an asset for its type. Wrong value types are reported by the members themselves. */
function checkByType(members: UncheckedMembers, report: Report): void {
  const type = members.asset_type
  if (typeof type !== 'string' || !isAssetType(type)) return
  for (const member of REQUIRED.get(type) ?? []) {
    if (members[member] !== undefined) continue
    const isAddressed = member === 'content' && typeof members.url === 'string'
    const hint = isAddressed ? `: the ${type} itself, which may load what is at the address` : ''
    report([member], `An asset of type ${type} needs ${member}${hint}.`, 'required')
  }
  const choices = ASSET_NEEDS_ONE[type]
  if (choices?.every((member) => members[member] === undefined)) {
    report([], `An asset of type ${type} needs ${choices.join(' or ')}.`, 'anyOf')
  }
}

export function isAssetType(word: string): word is AssetType {
  return Object.hasOwn(ASSET_SHAPES, word)
}

/** Items of a repeatable group. */
export const MAX_GROUP_ITEMS = 200
/** Number of assets in a manifest, including the items of groups. */
export const MAX_ASSETS = 500

const several = (one: z.ZodType<Asset>) =>
  z
    .array(briefly(one, 'An asset, with the members it has alone.'))
    .min(1)
    .max(MAX_GROUP_ITEMS)
    .describe('The assets of a repeatable group.')

const MAX_SLOT_NAME = 200
const slotName = z.string().max(MAX_SLOT_NAME)

const NO_ASSET =
  'An asset is an object such as {"asset_type":"image","url":"https://cdn.example/a.png","width":300,"height":250} or {"asset_type":"text","content":"Words"}, and not a text.'

/** One asset of a slot, or several of a repeatable group. */
const assetRecord = z.record(
  slotName,
  z.union([asset, several(asset)], {
    error: ({ input }) => (typeof input === 'string' ? NO_ASSET : undefined),
  }),
)

/** Counted before they are validated: a manifest of a million empty assets costs no more than its bytes. */
export const assets = z
  .custom<z.input<typeof assetRecord>>(() => true)
  .superRefine((given, refinement) => {
    const count = countAssets(given)
    if (count <= MAX_ASSETS) return
    const message = `A manifest has at most ${MAX_ASSETS} assets, the items of groups counted, not ${count}.`
    refinement.addIssue({
      code: 'custom',
      message,
      params: { keyword: 'maxProperties' },
      continue: false,
    })
  })
  .pipe(assetRecord)
  .meta(toJsonSchema(assetRecord))

const hasSoundMembers = hasSound({ asset_type: typeMember.optional(), ...everyMember })

/** Whether `assets` would accept a value unchanged: much faster for valid values. */
export function areSoundAssets(given: unknown): boolean {
  if (!isObject(given) || countAssets(given) > MAX_ASSETS) return false
  return Object.keys(given).every((name) => {
    const value = given[name]
    if (name.length > MAX_SLOT_NAME) return false
    if (!Array.isArray(value)) return isSoundAsset(value)
    return value.length > 0 && value.length <= MAX_GROUP_ITEMS && value.every(isSoundAsset)
  })
}

function isSoundAsset(value: unknown): boolean {
  if (!isObject(value) || !hasSoundMembers(value)) return false
  let isSound = true
  checkByType(value, () => {
    isSound = false
  })
  return isSound
}

export const sentAssets = z.record(slotName, z.union([sentAsset, several(sentAsset)]))
export type Assets = z.infer<typeof assetRecord>

function countAssets(given: unknown): number {
  if (!isObject(given)) return 0
  let count = 0
  for (const name in given) {
    const value = given[name]
    count += Array.isArray(value) ? Math.max(value.length, 1) : 1
  }
  return count
}

/** Every asset with the name of its slot; groups are flattened. */
export function eachAsset(all: Assets): { name: string; asset: Asset }[] {
  return Object.entries(all).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(isObject)
      .map((one) => ({ name, asset: one as Asset })),
  )
}
