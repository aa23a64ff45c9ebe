// One creative composed slot by slot (spec 4.2), with what must not be lost on the way: trackers,
// click-through and disclosures that the new format has no slot for are handed on under their names.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import type { AdInput, AdTexts, TextLimits } from '../layout-engine/ad-input.ts'
import { type ComposedAd, composeAd } from '../layout-engine/compose.ts'
import { withBrandFonts } from '../layout-engine/letters/brand-fonts.ts'
import { type WrittenTexts, writeTexts } from '../layout-engine/texts.ts'
import { MAX_READ_CHARS } from '../limits.ts'
import { unfollowedIn } from '../message/unfollowed.ts'
import { composeFilm, safeMarginOf } from '../video/compose-film.ts'
import { videoSpec } from '../video/video-spec.ts'
import { type Draft, type DraftAsset, isPictureWork, isVideoWork } from './draft.ts'
import type { Drawn, SlotRun } from './fill-slot.ts'
import { fillSlots } from './fill-slots.ts'
import { type BuildJob, type Known, withoutFonts } from './job.ts'
import type { SourceAsset } from './material.ts'
import { photoKey, photoSource } from './photos.ts'
import { offeringOf, type PlanRequest, planBuild } from './plan-build.ts'
import { disclosesItself, settingOf } from './setting.ts'
import { type PixelSize, renderSize, slotsOf } from './slots.ts'
import { tellDrawn, tellMissing } from './tell-drawn.ts'
import { writeBanner } from './write-banner.ts'

export interface ComposeRequest {
  plan: PlanRequest
  known: Known
}

/** Tells the draft for each format, in their order. Throws a ProtocolError for what cannot be made. */
export function composeCreatives(
  { plan, known }: ComposeRequest,
  tell: (draft: Draft) => void,
): undefined {
  const { material, formats, containers } = planBuild(plan)
  const [first] = material.promoted.offerings
  const offering = first && offeringOf(first)
  const job: BuildJob = { ...known, material, offering, containers, variant: 0 }
  for (const [index, format] of formats.entries()) {
    tell(inBrandFonts(format, { ...job, variant: index % plan.variants }))
  }
}

function inBrandFonts(format: Format, job: BuildJob): Draft {
  const compose = (one: BuildJob) => withBrandFonts(one.fonts, () => composeCreative(format, one))
  try {
    return compose(job)
  } catch (error) {
    if (job.fonts.length === 0 || error instanceof ProtocolError) throw error
    return compose(withoutFonts(job))
  }
}

function composeCreative(format: Format, job: BuildJob): Draft {
  const notes: string[] = [...job.notes]
  const run = slotRun(format, job, (text) => {
    if (!notes.includes(text)) notes.push(text)
  })
  const used = new Set<SourceAsset>()
  const assets: DraftAsset[] = []
  for (const { slot, filling } of fillSlots(slotsOf(format), run)) {
    if (filling.source) used.add(filling.source)
    if (filling.replaced) used.add(filling.replaced)
    const { isCarried, content } = filling
    const part = slot.group && { part: slot.group.part }
    assets.push({
      name: slot.name,
      isGroup: slot.group !== undefined,
      isCarried,
      content,
      ...part,
    })
  }
  const heard = new Set(assets.map(({ content }) => isVideoWork(content) && content.sound))
  const rest = job.material.assets.filter(
    (source) =>
      !used.has(source) && !(source.type === 'audio' && heard.has(source.asset.url ?? '')),
  )
  for (const source of rest) {
    if (mustStay(source)) assets.push(handedOn(source, assets))
    else notes.push(`${source.name}: left out, the format has no place for it`)
  }
  notes.push(...unfollowed(job, assets, run))
  return { assets, notes }
}

function slotRun(format: Format, job: BuildJob, note: (text: string) => void): SlotRun {
  const limits = limitsOf(format)
  let written: WrittenTexts | undefined
  const write = () => {
    written ??= writeTexts(adInput(job, renderSize(format), { limits, format }))
    return written
  }
  const compose = (size: PixelSize, about?: Offering) => {
    const photo = about ? undefined : job.photo?.crops.get(photoKey(size))
    const of = about ? { ...job, offering: offeringOf(about) } : job
    const input = adInput(of, size, { limits, format })
    return tellDrawn(composeAd({ ...input, ...defined({ photo }) }), note, photo)
  }
  const source = job.photo && photoSource(job.material, job.photo.url)
  const drawn = ({ scene }: ComposedAd, markup: string): Drawn => {
    const hasPhoto = scene.photo !== undefined
    return { markup, hasPhoto, ...defined({ source: hasPhoto ? source : undefined }) }
  }
  return {
    job,
    format,
    note,
    texts: () => write().texts,
    leftOut: () => write().leftOut,
    drawSvg: (size, about) => {
      const ad = compose(size, about)
      return drawn(ad, ad.svg)
    },
    writeHtml: (slot, size, clickUrl) => {
      const ad = compose(size)
      return drawn(ad, writeBanner(ad, { slot, clickUrl, wish: job.material.motion, note }))
    },
    drawFilm: (slot, url) => {
      const asked = videoSpec(slot, format, job)
      if (!asked.ok) return undefined
      const { spec } = asked
      const photo = job.photo?.crops.get(photoKey(spec))
      const { width, height } = spec
      const safeMargin = safeMarginOf(spec)
      const input = { ...adInput(job, { width, height }, { limits, format }), safeMargin }
      const ad = tellMissing(composeAd({ ...input, ...defined({ photo }) }), note)
      const last = { callToAction: ad.texts.call_to_action, url }
      const { film, notes } = composeFilm(ad, spec, last)
      for (const text of notes) note(`${slot.name}: ${text}`)
      const { markup: _, ...others } = drawn(ad, '')
      return { film, ...others }
    },
  }
}

/** The words asked for, those of the request and those of a model are given to the engine as they are. */
function adInput(
  job: BuildJob,
  size: PixelSize,
  { limits, format }: { limits: TextLimits; format: Format },
): AdInput {
  const { offering, words, material, variant } = job
  const { message, read } = material
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
  const { landingPage } = material.wishes
  return {
    ...size,
    brand,
    limits,
    texts,
    setting,
    variant,
    ...defined({ offering, message, landingPage }),
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

/** Under its own name, or one beside it: a second tracker of a slot is not lost either. */
function handedOn({ name, type, asset }: SourceAsset, taken: readonly DraftAsset[]): DraftAsset {
  const content: SentAsset = { ...asset, asset_type: asset.asset_type ?? type }
  const names = new Set(taken.map((other) => other.name))
  let free = name
  for (let number = 2; names.has(free); number++) free = `${name}_${number}`
  return { name: free, isGroup: false, isCarried: true, content }
}

/** What the message asked for and this creative does not do. */
function unfollowed(job: BuildJob, assets: readonly DraftAsset[], run: SlotRun): string[] {
  const { read, wishes, assets: sources } = job.material
  const isTransformed = assets.some(
    ({ content }) => isPictureWork(content) && 'picture' in content.from,
  )
  if (!isTransformed || !sources.some(({ type }) => type === 'image')) return unwritten(job, run)
  const hasTexts = assets.some(
    ({ content }) => 'asset_type' in content && content.asset_type === 'text',
  )
  const words = Object.keys(read.texts)
  return [
    ...wishes.others.map((sentence) => `not followed: “${sentence}”`),
    ...(words.length > 0 && !hasTexts
      ? [`not followed: words inside a picture cannot be changed (${words.join(', ')})`]
      : []),
  ]
}

/** Of a creative that was written here: what was not followed, and what there was no room for. */
function unwritten({ material: { read, message }, logo }: BuildJob, run: SlotRun): string[] {
  const isLong = (message?.length ?? 0) > MAX_READ_CHARS
  const written = { ...run.texts(), leftOut: run.leftOut(), hasLogo: logo !== undefined }
  return [
    ...(isLong ? [`of the message only the first ${MAX_READ_CHARS} characters were read`] : []),
    ...unfollowedIn(read, written),
  ]
}
