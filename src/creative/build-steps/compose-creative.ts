// One creative composed slot by slot (spec 4.2), with everything that must not be lost: trackers, click-through and
// disclosures that the new format has no slot for are passed on under their names.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { readInstructions } from '../directions/read-instructions.ts'
import type { AdBrand, AdInput, AdTexts, TextLimits } from '../layout-engine/ad-input.ts'
import type { ComposedAd } from '../layout-engine/compose.ts'
import { withBrandFonts } from '../layout-engine/shaping/brand-fonts.ts'
import { once } from '../layout-engine/shaping/once.ts'
import { styleName } from '../layout-engine/style.ts'
import type { WrittenTexts } from '../layout-engine/texts.ts'
import { MAX_BRAND_NAME_CHARS } from '../limits.ts'
import { readMessage } from '../message/read-message.ts'
import { spansOf } from '../message/reading/spans.ts'
import type { BannerMotion } from '../motion/banner-motion.ts'
import { composeFilm, safeMarginOf } from '../video/compose-film.ts'
import { videoSpec } from '../video/video-spec.ts'
import { accountForMessage, unplacedText } from './account-for-message.ts'
import type { BuildSources, SourceAsset } from './build-sources.ts'
import { type Draft, type DraftAsset, isVideoWork } from './draft.ts'
import { wordsOfAsset, wordsOfScenes } from './drawn-words.ts'
import { fillSlots } from './fill-slots.ts'
import { type Director, directorFor } from './follow-instructions.ts'
import { type InventedAsset, inputOf, inventedIn } from './guard-build.ts'
import { inputNotes } from './guard-input.ts'
import { type BuildJob, type Known, withoutFonts } from './job.ts'
import { noteDrawn, noteMissing } from './note-drawn.ts'
import { photoKey, photoSource } from './photos.ts'
import { offeringOf, type PlanRequest, planBuild } from './plan-build.ts'
import { disclosesItself, settingOf } from './setting.ts'
import type { DrawnMarkup, SlotRun } from './slot-run.ts'
import { type PixelSize, renderSize, slotsOf } from './slots.ts'
import { writeBanner } from './write-banner.ts'

export interface ComposeRequest {
  plan: PlanRequest
  known: Known
}

/** Returns the drafts of the formats, in their order. Throws a ProtocolError for what cannot be made. */
export function composeCreatives(
  { plan, known }: ComposeRequest,
  report: (draft: Draft) => void,
): undefined {
  const { material, formats, containers } = planBuild(plan, known.reading)
  const [first] = material.promoted.offerings
  const offering = first && offeringOf(first)
  const { said, message, read, structured } = material
  const spans = said === (message ?? '') ? read.spans : spansOf(said, known.reading)
  const otherSpans = known.reading ? spansOf(said) : []
  const { json } = plan
  const brand = withLegal(withSponsor(known.brand, material), structured.legal)
  const input = once(() => inputOf({ json, said, brand, words: known.words }))
  const instructions = readInstructions(material.instructions)
  const more = { brand, spans, otherSpans, input, instructions, containers, variant: 0 }
  const job: BuildJob = { ...known, material, offering, ...more }
  for (const [index, format] of formats.entries()) {
    report(inBrandFonts(format, { ...job, variant: index % plan.variants }))
  }
}

/** A creative without a brand uses its sponsor as the brand. */
function withSponsor(brand: AdBrand, { assets }: BuildSources): AdBrand {
  if (brand.name !== undefined) return brand
  const sponsor = assets.find(({ type, role }) => type === 'text' && role === 'sponsor')
  const name = sponsor?.asset.content?.trim().slice(0, MAX_BRAND_NAME_CHARS)
  return name ? { ...brand, name } : brand
}

/** Printed with the disclaimers of the brand. */
function withLegal(brand: AdBrand, legal: string | undefined): AdBrand {
  if (legal === undefined) return brand
  return { ...brand, disclaimers: [...(brand.disclaimers ?? []), { text: legal }] }
}

function inBrandFonts(format: Format, job: BuildJob): Draft {
  const compose = (one: BuildJob) => withBrandFonts(one.fonts, () => composeGuarded(format, one))
  try {
    return compose(job)
  } catch (error) {
    if (job.fonts.length === 0 || error instanceof ProtocolError) throw error
    return compose(withoutFonts(job))
  }
}

/** Without invented words: if there are any, only texts of the brand and its offerings are used. */
function composeGuarded(format: Format, job: BuildJob): Draft {
  const draft = composeCreative(format, job)
  const invented = inventedIn(draft, job.input(), job.words !== undefined)
  if (invented.length === 0) return draft
  const faults = [faultOf(format, invented)]
  const plain = composeCreative(format, wordless(job))
  const left = new Set(inventedIn(plain, job.input(), false).map(({ asset }) => asset))
  const required = new Set(
    slotsOf(format).flatMap(({ name, isRequired }) => (isRequired ? name : [])),
  )
  const isKept = (asset: DraftAsset) => !left.has(asset) || required.has(asset.name)
  const assets = plain.assets.filter(isKept)
  return { ...plain, assets, faults }
}

function faultOf(format: Format, invented: readonly InventedAsset[]): string {
  const named = invented.map(({ asset, words }) => `${asset.name}: ${words.slice(0, 5).join(' ')}`)
  return `${format.format_id.id} had words that are in no source (${named.slice(0, 5).join('; ')}): built from the brand and its offerings alone`
}

/** The message is still recorded, so that the answer can report that it is not printed. */
function wordless(job: BuildJob): BuildJob {
  const { texts: _, ...nothing } = readMessage(undefined)
  const material = { ...job.material, message: undefined, read: { ...nothing, texts: {} } }
  const note =
    'only words of the brand and its offerings were used: others could not be traced to the request'
  return { ...job, material, words: undefined, notes: [...job.notes, note] }
}

function composeCreative(format: Format, job: BuildJob): Draft {
  const notes: string[] = [...job.notes]
  const director = directorFor(job)
  const motions: BannerMotion[] = []
  const note = (text: string) => {
    if (!notes.includes(text)) notes.push(text)
  }
  let style: string | undefined
  const onStyle = (name: string) => {
    style ??= name
  }
  const run = slotRun(format, job, { director, note, motions, onStyle })
  const used = new Set<SourceAsset>()
  const assets: DraftAsset[] = []
  const shortened: { slot: string; source: SourceAsset }[] = []
  let hasPhoto = false
  for (const { slot, filling } of fillSlots(slotsOf(format), run)) {
    if (filling.source) used.add(filling.source)
    if (filling.replaced) used.add(filling.replaced)
    if (filling.isShortened && filling.source)
      shortened.push({ slot: slot.name, source: filling.source })
    hasPhoto ||= filling.hasPhoto === true
    const { isCarried, content } = filling
    const part = slot.group && { part: slot.group.part }
    assets.push({
      name: slot.name,
      isGroup: slot.group !== undefined,
      isCarried,
      content,
      words: filling.words ?? wordsOfAsset(slot.role, content),
      ...part,
    })
  }
  notes.push(...placeOthers(job.material.assets, used, assets))
  for (const { slot, source } of shortened) {
    const lost = unplacedText(source, assets)
    if (lost) note(`${slot}: shortened to fit, omitted: ${lost.words}`)
  }
  const outcomes = director.outcomes(assets, slotsOf(format))
  const { parts, notes: reported } = accountForMessage({
    job,
    format,
    assets,
    motions,
    hasPhoto,
    outcomes,
  })
  for (const text of reported) note(text)
  for (const text of inputNotes({ job, assets, notes })) note(text)
  return { assets, notes, reading: parts, outcomes, ...defined({ style }) }
}

/** Passes on what must be kept; returns the parts of the manifest that are not in the creative. */
function placeOthers(
  sources: readonly SourceAsset[],
  used: ReadonlySet<SourceAsset>,
  assets: DraftAsset[],
): string[] {
  const received = new Set(assets.map(({ content }) => isVideoWork(content) && content.sound))
  const rest = sources.filter(
    (source) =>
      !used.has(source) && !(source.type === 'audio' && received.has(source.asset.url ?? '')),
  )
  for (const source of rest) if (mustStay(source)) assets.push(handedOn(source, assets))
  return rest.flatMap((source) => {
    if (mustStay(source)) return []
    if (source.type === 'text') {
      const lost = unplacedText(source, assets)
      if (!lost) return []
      const why = lost.isPart ? 'shortened, omitted' : 'omitted, the format has no place for it'
      return `${source.name}: ${why}: ${lost.words}`
    }
    return `${source.name}: omitted, the format has no place for it`
  })
}

interface TaskUpdate {
  director: Director
  note: (text: string) => void
  /** The motion of the banners that were written. */
  motions: BannerMotion[]
  /** Called with the name of the style of what is drawn. */
  onStyle: (name: string) => void
}

function slotRun(
  format: Format,
  job: BuildJob,
  { director, note, motions, onStyle }: TaskUpdate,
): SlotRun {
  const limits = limitsOf(format)
  let written: WrittenTexts | undefined
  const write = () => {
    written ??= director.write(adInput(job, renderSize(format), { limits, format }))
    return written
  }
  const compose = (size: PixelSize, about?: Offering) => {
    const photo = about ? undefined : job.photo?.crops.get(photoKey(size))
    const of = about ? { ...job, offering: offeringOf(about) } : job
    const input = adInput(of, size, { limits, format })
    const { ad, isPhotoUnwanted } = director.compose({ ...input, ...defined({ photo }) })
    onStyle(styleName(ad.style))
    return noteDrawn(ad, note, isPhotoUnwanted ? undefined : photo)
  }
  const source = job.photo && photoSource(job.material, job.photo.url)
  const drawnFrom = ({ scene }: ComposedAd, markup: string, scenes = [scene]): DrawnMarkup => {
    const hasPhoto = scene.photo !== undefined
    const words = wordsOfScenes(scenes)
    return { markup, hasPhoto, words, ...defined({ source: hasPhoto ? source : undefined }) }
  }
  return {
    job,
    format,
    note,
    texts: () => write().texts,
    drawSvg: (size, about) => {
      const ad = compose(size, about)
      return drawnFrom(ad, ad.svg)
    },
    writeHtml: (slot, size, clickUrl) => {
      const ad = compose(size)
      const banner = writeBanner(ad, { slot, clickUrl, preference: job.material.motion, note })
      motions.push(banner.motion)
      return drawnFrom(ad, banner.markup, [...banner.scenes])
    },
    drawFilm: (slot, url) => {
      const requested = videoSpec(slot, format, job)
      if (!requested.ok) return undefined
      const { spec } = requested
      const photo = job.photo?.crops.get(photoKey(spec))
      const { width, height } = spec
      const safeMargin = safeMarginOf(spec)
      const input = { ...adInput(job, { width, height }, { limits, format }), safeMargin }
      const { ad: drawn } = director.compose({ ...input, ...defined({ photo }) })
      onStyle(styleName(drawn.style))
      const ad = noteMissing(drawn, note)
      const last = { callToAction: ad.texts.call_to_action, url }
      const { film, scenes, notes } = composeFilm(ad, spec, last)
      for (const text of notes) note(`${slot.name}: ${text}`)
      const { markup: _, ...others } = drawnFrom(ad, '', [...scenes])
      return { film, ...others }
    },
  }
}

/** The requested words, those of the request and those of a model are passed to the engine as they are. */
function adInput(
  job: BuildJob,
  size: PixelSize,
  { limits, format }: { limits: TextLimits; format: Format },
): AdInput {
  const { offering, words, material, variant } = job
  const { message, read, structured } = material
  const own = (role: keyof AdTexts) =>
    material.assets.find((one) => one.type === 'text' && one.role === role)?.asset.content
  const textOf = (role: keyof AdTexts) => read.texts[role] ?? own(role) ?? words?.[role]
  const texts = defined({
    headline: textOf('headline'),
    description: textOf('description'),
    call_to_action: textOf('call_to_action'),
  })
  const setting = settingOf(format)
  const { disclaimers: _, ...bare } = job.brand
  const brand = setting === 'native' && disclosesItself(format) ? bare : job.brand
  const { landingPage } = material.preferences
  return {
    ...size,
    brand,
    limits,
    texts,
    setting,
    variant,
    wording: { avoided: structured.avoided, verbatim: new Set(Object.keys(structured.texts)) },
    read,
    ...defined({ offering, message, landingPage, style: structured.style }),
  }
}

function limitsOf(format: Format): TextLimits {
  const limits: TextLimits = {}
  for (const { role, type, requirements } of slotsOf(format)) {
    if (type !== 'text' || requirements.max_length === undefined) continue
    if (role === 'headline' || role === 'description' || role === 'call_to_action') {
      limits[role] ??= requirements.max_length
    }
  }
  return limits
}

const TRACKERS: ReadonlySet<string> = new Set([
  'url',
  'pixel_tracker',
  'vast_tracker',
  'daast_tracker',
])

function mustStay({ type, role }: SourceAsset): boolean {
  return TRACKERS.has(type) || role === 'disclosure'
}

/** Under its own name, or a similar one: a second tracker of a slot is kept too. */
function handedOn(
  { name, type, role, asset }: SourceAsset,
  taken: readonly DraftAsset[],
): DraftAsset {
  const content: SentAsset = { ...asset, asset_type: asset.asset_type ?? type }
  const names = new Set(taken.map((other) => other.name))
  let free = name
  for (let number = 2; names.has(free); number++) free = `${name}_${number}`
  const words = wordsOfAsset(role, content)
  return { name: free, isGroup: false, isCarried: true, content, words }
}
