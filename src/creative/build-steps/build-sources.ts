// What a request provides to build from (spec 2.4, 4.2): the assets of its manifest with the purpose of each, the
// offerings, the message and what it requests. Pure.

import { ProtocolError } from '../../protocol/errors.ts'
import type { AssetType } from '../../protocol/schemas/asset-shapes.ts'
import { type Asset, eachAsset } from '../../protocol/schemas/assets.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import { assetTypeOf, offeringsOf, type Promoted } from '../../protocol/schemas/field-map.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { PromotedOfferings } from '../../protocol/schemas/promoted-offerings.ts'
import type { Instruction } from '../directions/instruction.ts'
import { joinedAvoided } from '../directions/joined-avoided.ts'
import { MAX_PROMPT_CHARS } from '../limits.ts'
import { type ImageRequests, readImageRequests } from '../message/image-requests.ts'
import { type ReadMessage, readMessage } from '../message/read-message.ts'
import { readOnce } from '../message/read-once.ts'
import type { GivenReading } from '../message/reading/given-roles.ts'
import { type MotionRequest, readMotionRequest } from '../motion/motion-request.ts'
import { roleOf, type SlotRole, slotsOf } from './slots.ts'
import { instructionsOf, type StructuredWords, structuredWords } from './structured-words.ts'

export interface SourceAsset {
  /** The name of its slot. */
  name: string
  type: AssetType
  role: SlotRole
  asset: Asset
}

export interface BuildSources {
  assets: readonly SourceAsset[]
  promoted: Promoted
  /** The offerings of the request that compete with those of its manifest, if both have some. */
  rival: PromotedOfferings | undefined
  /** The message, and the prompts of a generative format on separate lines. */
  said: string
  /** The same without the parts that are only about motion. */
  message: string | undefined
  /** What the message says about the pictures. */
  preferences: ImageRequests
  /** What it says of motion. */
  motion: MotionRequest | undefined
  /** The rest of what the message says. Texts of `copy` take precedence over those that the message dictates. */
  read: ReadMessage
  /** What the request says outside the message. */
  structured: StructuredWords
  /** First those of the request, then those of the message. */
  instructions: readonly Instruction[]
  /** The format that the manifest was made for, if it is known here. */
  sourceFormat: Format | undefined
  manifest: CreativeManifest
}

/** Throws a ProtocolError when there is too much to read. */
export function buildSourcesOf(
  request: BuildCreativeRequest,
  sourceFormat: Format | undefined,
  reading?: GivenReading,
): BuildSources {
  const manifest = request.creative_manifest ?? {}
  const all = sourceAssets(manifest, sourceFormat)
  const said = [request.message, ...all.filter(isPrompt).map(promptOf)]
    .filter((text) => text !== undefined && text.trim() !== '')
    .join('\n')
  if (said.length > MAX_PROMPT_CHARS) throw tooMuchToRead()
  const { preference: motion, rest: message } = readMotionRequest(said)
  const structured = structuredWords(request)
  const read = reading ? readMessage(message, [], reading) : readOnce(message)
  return {
    assets: all.filter((one) => !isPrompt(one) && !INPUTS.has(one.type)),
    promoted: offeringsOf(request),
    rival: all.some(({ type }) => type === 'promoted_offerings')
      ? request.promoted_offerings
      : undefined,
    said,
    message: message === '' ? undefined : message,
    preferences: readImageRequests(message),
    motion,
    read: {
      ...read,
      texts: { ...read.texts, ...structured.texts },
      avoided: joinedAvoided(read.avoided, structured.avoided),
    },
    structured,
    instructions: instructionsOf(request, { read: message, spans: read.spans }),
    sourceFormat,
    manifest,
  }
}

function tooMuchToRead(): ProtocolError {
  const message = `message and prompts have more than ${MAX_PROMPT_CHARS} characters together: shorten them`
  return new ProtocolError('VALIDATION_ERROR', message, { field: '/message' })
}

/** Whether there is nothing to build from. */
export function isEmpty({ assets, promoted, message, structured }: BuildSources): boolean {
  const isNamed = promoted.brand !== undefined || promoted.brand_manifest !== undefined
  const hasWords = message !== undefined || hasStructuredCopy(structured)
  return assets.length === 0 && !hasWords && !isNamed && promoted.offerings.length === 0
}

/** A disclaimer alone is not an advertisement. */
export function hasStructuredCopy({ texts }: StructuredWords): boolean {
  return Object.keys(texts).length > 0
}

/** Assets that describe what to make, and are not part of the result. */
const INPUTS: ReadonlySet<AssetType> = new Set(['promoted_offerings', 'brief'])

function sourceAssets(manifest: CreativeManifest, format: Format | undefined): SourceAsset[] {
  const all = format ? slotsOf(format) : []
  const slots = new Map(all.map((slot) => [slot.name, slot]))
  const parts = new Map(all.map((slot) => [`${slot.name} ${slot.group?.part}`, slot]))
  return eachAsset(manifest.assets ?? {}).map(({ name, asset }) => {
    const slot = parts.get(`${name} ${asset.asset_id}`) ?? slots.get(name)
    const guessed = name === 'promoted_offerings' ? 'promoted_offerings' : guessType(asset)
    const type = assetTypeOf(asset, slot?.type) ?? guessed
    return { name, type, role: slot?.role ?? roleOf(type, name), asset }
  })
}

/** For an asset without a type, in an unknown slot. */
function guessType({ url, content, width }: Asset): AssetType {
  if (content !== undefined) return /^\s*</.test(content) ? 'html' : 'text'
  const isPicture = width !== undefined || /\.(?:png|jpe?g|webp|gif)(?:[?#]|$)/i.test(url ?? '')
  return isPicture ? 'image' : 'url'
}

function isPrompt({ name, type }: SourceAsset): boolean {
  return type === 'brief' || (type === 'text' && /^(?:generation_)?prompt$/.test(name))
}

function promptOf({ asset }: SourceAsset): string | undefined {
  if (asset.content !== undefined) return asset.content
  return typeof asset.objective === 'string' ? asset.objective : undefined
}
