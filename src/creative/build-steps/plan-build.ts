// What a build will make, and everything that can be refused immediately (spec 4.2, 7.1): unknown formats, nothing to
// build from, and what cannot be made from the input. Pure: the formats are found where the catalogue is, the rest is
// planned in the worker pool.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BuildCreativeRequest } from '../../protocol/schemas/build-creative.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { type BrandContext, NO_BRAND, photosOf, readBrand } from '../brand/brand-context.ts'
import type { NamedBrand } from '../brand/named-brand.ts'
import type { AdOffering } from '../layout-engine/ad-input.ts'
import { MAX_BUILT_PIXELS, MAX_PICTURES, MAX_VIDEOS } from '../limits.ts'
import { hasMacros } from '../macros/has-macros.ts'
import { cardIssues, withCards } from '../manifest-check/cards.ts'
import { hasCopySpans } from '../message/given-reading.ts'
import type { GivenReading } from '../message/reading/given-roles.ts'
import type { VideoContainer } from '../video/video-encoder.ts'
import { videoSpec } from '../video/video-spec.ts'
import { type BuildSources, buildSourcesOf, hasStructuredCopy, isEmpty } from './build-sources.ts'
import { distinctOfferings, refuseFewCards } from './card-count.ts'
import { type PhotoPlan, photoPlan } from './photos.ts'
import { recipeHash } from './recipe.ts'
import { offeringOfTurn, repetitionCount } from './repetitions.ts'
import { type BuildSlot, pictureSize, slotsOf } from './slots.ts'

export interface PlanRequest {
  /** The request of the call, as JSON. */
  json: string
  /** The formats of the manifests to make, in the order of the targets; each one once per variant. */
  formats: readonly Format[]
  /** Variants of each target. */
  variants: number
  /** The format that the request's own manifest was made for, if it is known here. */
  sourceFormat: Format | undefined
  /** Whether the manifest is a library creative that the request only refers to. */
  isFromLibrary: boolean
  /** The video containers that can be produced here. Default: none, since there is no encoder. */
  containers?: readonly VideoContainer[]
}

export interface BuildPlan extends Required<Pick<PlanRequest, 'formats' | 'containers'>> {
  material: BuildSources
}

/** What a build needs to know for fetching and answering. */
export interface PlannedBuild extends NamedBrand {
  /** The pictures to fetch, each URL once. */
  pictures: readonly PlannedPicture[]
  /** The sound of the videos that are made, if the request has one. */
  sound: PlannedPicture | undefined
  /** Whether there is more to build from than pictures. */
  hasWords: boolean
  /** Whether the request includes pictures, so that no model has to draw any. */
  hasPictures: boolean
  /** What is promoted: the first of the offerings. */
  offering: AdOffering | undefined
  /** The message, with the prompt of a generative format, and without the parts that are only about motion. */
  message: string | undefined
  /** The same with it; '' for nothing. */
  said: string
  /** Whether a headline or a text is given outside the message, or dictated by it. */
  hasOwnTexts: boolean
  /** Whether the message has finished copy, according to the built-in reader. */
  hasCopy: boolean
  /** Photos that may appear next to the words, and in which sizes. */
  photo: PhotoPlan
  recipe_hash: string
  notes: readonly string[]
}

export interface PlannedPicture {
  /** The name of its slot. */
  name: string
  url: string
  /** Whether it belongs to an offering, which can be drawn without it. Default false. */
  isOffered?: boolean
}

/**
 * Throws a ProtocolError for a request that cannot be built. `reading` is how a model read the message, if one did.
 */
export function planBuild(
  { json, formats, sourceFormat, containers = [] }: PlanRequest,
  reading?: GivenReading,
): BuildPlan {
  const request = withCardsLaidOut(
    JSON.parse(json) as BuildCreativeRequest,
    sourceFormat ?? formats[0],
  )
  const read = buildSourcesOf(request, sourceFormat, reading)
  const offerings = distinctOfferings(read.promoted.offerings)
  const material = { ...read, promoted: { ...read.promoted, offerings } }
  if (isEmpty(material)) throw nothingToBuildFrom()
  for (const format of formats) {
    refuseImpossible(format, material, containers)
    refuseFewCards(request, { format, material })
    refuseHuge(format)
  }
  refuseMany(formats, material)
  return { formats, material, containers }
}

/** Cards are in the format they were made for, or in the target format. */
function withCardsLaidOut(
  request: BuildCreativeRequest,
  format: Format | undefined,
): BuildCreativeRequest {
  const { creative_manifest: manifest } = request
  if (!manifest || !format) return request
  const issues = cardIssues(manifest, format).map((issue) => ({
    ...issue,
    pointer: `/creative_manifest${issue.pointer}`,
  }))
  if (issues.length > 0) {
    const [first] = issues
    throw new ProtocolError('VALIDATION_ERROR', `${first?.pointer}: ${first?.message}`, { issues })
  }
  return { ...request, creative_manifest: withCards(manifest, format) }
}

export function planned(plan: PlanRequest): PlannedBuild {
  const { material, formats } = planBuild(plan)
  const { promoted, message, said, assets, structured, read } = material
  const notes: string[] = []
  const [first] = promoted.offerings
  return {
    ...brandOf(material, (text) => notes.push(text)),
    pictures: picturesOf(material, formats),
    sound: formats.some((format) => madeVideos(format, material).length > 0)
      ? soundOf(material)
      : undefined,
    hasWords:
      message !== undefined ||
      hasStructuredCopy(structured) ||
      first !== undefined ||
      assets.some(({ type }) => type === 'text'),
    hasPictures: assets.some(({ type }) => type === 'image'),
    offering: first && offeringOf(first),
    message,
    said,
    hasOwnTexts:
      read.texts.headline !== undefined ||
      read.texts.description !== undefined ||
      assets.some(({ type, role }) => type === 'text' && TEXTS.has(role)),
    hasCopy: hasCopySpans(message ?? '', read.spans),
    photo: photoPlan(material, formats),
    recipe_hash: recipeHash(requestOf(plan), targetsOf(plan)),
    notes,
  }
}

const TEXTS: ReadonlySet<string> = new Set(['headline', 'description'])

/** Each once. */
function targetsOf({ formats, variants }: PlanRequest): Format[] {
  return formats.filter((_, index) => index % variants === 0)
}

/** Without the manifest that came from the library rather than from the request. */
function requestOf({ json, isFromLibrary }: PlanRequest): BuildCreativeRequest {
  const { creative_manifest, ...others } = JSON.parse(json) as BuildCreativeRequest
  return isFromLibrary ? others : { ...others, creative_manifest }
}

function brandOf({ promoted }: BuildSources, note: (text: string) => void): NamedBrand {
  const { brand_manifest: given, brand } = promoted
  const isAddress = typeof given === 'string'
  const described: BrandContext | undefined =
    given === undefined || isAddress ? undefined : (readBrand(given, { note }) ?? NO_BRAND)
  return { described, manifestUrl: isAddress ? given : undefined, brand }
}

export function offeringOf({ name, description }: Offering): AdOffering {
  return { name, ...defined({ description }) }
}

/** The pictures of the manifest, if there is a slot for any. */
function picturesOf(material: BuildSources, formats: readonly Format[]): PlannedPicture[] {
  const isWanted = formats.some((format) => slotsOf(format).some(({ type }) => type === 'image'))
  if (!isWanted) return []
  const pictures = new Map<string, PlannedPicture>()
  for (const { name, type, asset } of material.assets) {
    const { url } = asset
    if (type !== 'image' || url === undefined || hasMacros(url) || pictures.has(url)) continue
    pictures.set(url, { name, url })
  }
  if (pictures.size > MAX_PICTURES) {
    const message = `the manifest has ${pictures.size} pictures: at most ${MAX_PICTURES}`
    throw new ProtocolError('VALIDATION_ERROR', message, { field: '/creative_manifest/assets' })
  }
  for (const picture of offeredPictures(material, formats)) {
    if (pictures.size < MAX_PICTURES && !pictures.has(picture.url)) {
      pictures.set(picture.url, picture)
    }
  }
  return [...pictures.values()]
}

/** Pictures of offerings that have their own repetition of a group. */
function offeredPictures(material: BuildSources, formats: readonly Format[]): PlannedPicture[] {
  const groups = formats
    .flatMap(slotsOf)
    .filter(({ type, role, group }) => group && type === 'image' && role === 'picture')
  return groups.flatMap((slot) =>
    Array.from({ length: repetitionCount(slot, material) }, (_, turn) => {
      const offered = offeringOfTurn(slot, material, turn)
      const url = offered && photosOf(offered)?.[0]
      if (url === undefined || hasMacros(url)) return []
      return [{ name: `the picture of offering ${turn + 1}`, url, isOffered: true }]
    }).flat(),
  )
}

function nothingToBuildFrom(): ProtocolError {
  const message =
    'the request has no content: send a message, copy, a brand, promoted_offerings or a manifest with assets'
  return new ProtocolError('VALIDATION_ERROR', message, {
    issues: [{ pointer: '/creative_manifest', message, keyword: 'required' }],
  })
}

/** What cannot be drawn or written: it must be in the request. */
const CANNOT_BE_MADE: ReadonlyMap<string, string> = new Map([
  ['audio', 'a sound'],
  ['vast', 'a VAST tag'],
  ['daast', 'a DAAST tag'],
  ['javascript', 'a script'],
  ['zip', 'an archive'],
  ['webhook', 'a webhook'],
  ['published_post', 'a published post'],
])

function refuseImpossible(
  format: Format,
  material: BuildSources,
  containers: readonly VideoContainer[],
): void {
  for (const slot of madeVideos(format, material)) refuseVideo(slot, format, containers)
  for (const slot of slotsOf(format)) {
    const what = CANNOT_BE_MADE.get(slot.type)
    if (!slot.isRequired || what === undefined || isGiven(slot, material)) continue
    throw new ProtocolError(
      'UNSUPPORTED_FEATURE',
      `${format.format_id.id} requires ${what} as ${slot.name}, and ${what} cannot be generated: send it in creative_manifest.assets`,
      { field: `/creative_manifest/assets/${slot.name}` },
    )
  }
}

function isGiven(slot: BuildSlot, { assets }: BuildSources): boolean {
  return assets.some(
    ({ type, name }) => type === slot.type || (name === slot.name && isTag(type, slot)),
  )
}

/** The slots that require a video, for which the request has none. */
function madeVideos(format: Format, material: BuildSources): BuildSlot[] {
  return slotsOf(format).filter(
    (slot) => slot.type === 'video' && slot.isRequired && !isGiven(slot, material),
  )
}

function refuseVideo(slot: BuildSlot, format: Format, containers: readonly VideoContainer[]): void {
  const needs = `${format.format_id.id} requires a video as ${slot.name}`
  const give = 'give it in creative_manifest.assets'
  const requested = videoSpec(slot, format, { containers })
  if (containers.length > 0 && requested.ok) return
  const message =
    containers.length === 0
      ? `${needs}, and videos are not made here, since there is no ffmpeg: ${give}, or have the operator install ffmpeg with libx264 (apt-get install ffmpeg) or name it in ADWIRE_FFMPEG`
      : `${needs}, which cannot be made: ${requested.ok ? '' : requested.reason}; ${give}`
  throw new ProtocolError('UNSUPPORTED_FEATURE', message, {
    field: `/creative_manifest/assets/${slot.name}`,
  })
}

function refuseMany(formats: readonly Format[], material: BuildSources): void {
  const count = formats.flatMap((format) => madeVideos(format, material)).length
  if (count <= MAX_VIDEOS) return
  const message = `${count} videos would have to be made: at most ${MAX_VIDEOS} in one build`
  throw new ProtocolError('VALIDATION_ERROR', message, { field: '/target_format_ids' })
}

/** The first sound of the request with a complete URL. */
export function soundOf({ assets }: Pick<BuildSources, 'assets'>): PlannedPicture | undefined {
  for (const { name, type, asset } of assets) {
    const { url } = asset
    if (type === 'audio' && url !== undefined && !hasMacros(url)) return { name, url }
  }
  return undefined
}

function refuseHuge(format: Format): void {
  for (const slot of slotsOf(format)) {
    if (slot.type !== 'image') continue
    const { width, height } = pictureSize(slot, format)
    if (width * height <= MAX_BUILT_PIXELS) continue
    throw new ProtocolError(
      'UNSUPPORTED_FEATURE',
      `${slot.name} of ${format.format_id.id} has ${width}x${height} pixels: a picture of at most ${MAX_BUILT_PIXELS} pixels can be made`,
      { field: '/target_format_id' },
    )
  }
}

/** A video or audio asset may itself be the tag (spec 2.4). */
function isTag(type: string, slot: BuildSlot): boolean {
  return (type === 'vast' && slot.type === 'video') || (type === 'daast' && slot.type === 'audio')
}
