// What goes into one slot of the target format (spec 4.2): what the request already has for it, else what can be made
// for it. Words that must not change, URLs and trackers are never changed.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { priceWords } from '../brand/offering-price.ts'
import type { AdTexts } from '../layout-engine/ad-input.ts'
import { fitWords } from '../layout-engine/fit-words.ts'
import { hasMacros } from '../macros/has-macros.ts'
import { languageOf } from '../message/language.ts'
import { SPONSORED } from '../message/lexicon/buttons.ts'
import { hasStructuredCopy, type SourceAsset } from './build-sources.ts'
import { clickUrlOf } from './click-url.ts'
import { fillPicture, offeredPicture } from './fill-picture.ts'
import type { BuildJob } from './job.ts'
import { ownAsset } from './own-asset.ts'
import { soundOf } from './plan-build.ts'
import { offeringFor, offeringOfTurn } from './repetitions.ts'
import { shortenText } from './shorten-text.ts'
import { carry, type Filling, make, type SlotRun } from './slot-run.ts'
import { type BuildSlot, renderSize, slotsOf } from './slots.ts'

/** Undefined to leave the slot empty. `turn` counts the repetitions of a group, from 0. */
export function fillSlot(slot: BuildSlot, run: SlotRun, turn: number): Filling | undefined {
  const { material } = run.job
  const own = ownAsset(slot, { format: run.format, material }, turn)
  if (slot.role === 'price' && !own) return fillPrice(slot, run, offeringFor(slot, material, turn))
  const offered = own ? undefined : offeringOfTurn(slot, material, turn)
  const forIt = offered && fillFromOffering(slot, run, offered)
  if (forIt) return forIt
  // A description of another offering does not apply to this one.
  if (offered && slot.role === 'description' && !slot.isRequired) return undefined
  switch (slot.type) {
    case 'image':
      return fillPicture(slot, run, own)
    case 'text':
    case 'markdown':
      return fillText(slot, run, own)
    case 'url':
      return fillUrl(slot, run, own)
    case 'html':
      return fillHtml(slot, run, own)
    case 'video':
      return own ? carry(slot, own) : fillVideo(slot, run)
    case 'catalog':
      return own ? carry(slot, own) : fillCatalog(slot, run)
    default:
      return own && carry(slot, own)
  }
}

/**
 * Fills a part of a repetition that is about one of several offerings; undefined for parts that all offerings share.
 */
function fillFromOffering(slot: BuildSlot, run: SlotRun, offered: Offering): Filling | undefined {
  if (slot.type === 'image' && slot.role === 'picture') return offeredPicture(slot, run, offered)
  if (slot.type === 'url' && slot.role === 'clickthrough') {
    const url = clickUrlOf(run.job, offered)
    return url === undefined
      ? undefined
      : make({ asset_type: 'url', url, url_type: 'clickthrough' })
  }
  const text = slot.type === 'text' || slot.type === 'markdown' ? saidOf(slot, offered) : undefined
  if (text === undefined) return undefined
  const fitted = shortenText(text, slot.requirements)
  if (!fitted.ok) return undefined
  if (fitted.isCut) run.note(`${slot.name}: “${text}” was shortened to fit`)
  return make({ asset_type: slot.type as 'text', content: fitted.text })
}

/** Also undefined for blank texts: an empty text fits no slot. */
function saidOf(slot: BuildSlot, offered: Offering): string | undefined {
  const said = memberFor(slot, offered)?.trim()
  return said === '' ? undefined : said
}

function memberFor({ role, group, isRequired }: BuildSlot, offered: Offering): string | undefined {
  const { name, description = '' } = offered
  if (role === 'headline') return name
  if (role === 'description') {
    if (description.trim() !== '') return description
    return isRequired ? name : undefined
  }
  const member = group?.part.split('_').at(-1) ?? ''
  // For example an older price: the current price has its own role.
  if (member === 'price') return undefined
  const said = role === 'other' && Object.hasOwn(offered, member) ? offered[member] : undefined
  return typeof said === 'string' || typeof said === 'number' ? String(said) : undefined
}

function fillPrice(
  slot: BuildSlot,
  run: SlotRun,
  offered: Offering | undefined,
): Filling | undefined {
  const price = offered && priceWords(offered)
  const fitted = price === undefined ? undefined : shortenText(price, slot.requirements)
  // Half a price is another price.
  if (fitted?.ok && !fitted.isCut) {
    return make({ asset_type: slot.type as 'text', content: fitted.text })
  }
  if (slot.isRequired) {
    throw missing(
      slot,
      price === undefined
        ? 'a price: give it here, or as price of the offering, such as "€ 99" or {"amount": 99, "currency": "EUR"}'
        : `a price, and ${JSON.stringify(price)} does not fit`,
    )
  }
  if (price !== undefined)
    run.note(`${slot.name}: the price “${price}” was omitted: it does not fit`)
  return undefined
}

/** Optional slots with these names are filled too: the words for them already exist. */
const USUAL_TEXTS = /^(?:headline|title|description|body|cta|cta_text|call_to_action)$/

/** A brand has one name, also in every item of a group. */
function isUsual({ name, role }: BuildSlot): boolean {
  return role === 'sponsor' || USUAL_TEXTS.test(name)
}

function fillText(
  slot: BuildSlot,
  run: SlotRun,
  own: SourceAsset | undefined,
): Filling | undefined {
  const { job } = run
  // Required words are a commitment to a third party: they are kept verbatim, or refused.
  if (slot.role === 'disclosure' && own) return carry(slot, own)
  const requested = requestedText(slot, job)
  if (!own && requested === undefined && !slot.isRequired && !isUsual(slot)) return undefined
  const text = requested ?? own?.asset.content ?? writtenText(slot, run)
  if (text === undefined || text === '') {
    if (!slot.isRequired) return undefined
    throw missing(slot, missingText(slot))
  }
  const fitted = shortenText(text, slot.requirements)
  if (!fitted.ok)
    throw missing(slot, `a text, and ${JSON.stringify(text)} does not fit: ${fitted.reason}`)
  const isCarried = own !== undefined && fitted.text === own.asset.content
  const members = own && requested === undefined ? own.asset : {}
  const asset_type = slot.type as 'text'
  return {
    isCarried,
    content: { ...members, asset_type, content: fitted.text },
    isShortened: fitted.isCut && own !== undefined && requested === undefined,
    ...defined({ source: own }),
  }
}

function missingText({ role, group }: BuildSlot): string {
  const elsewhere = role === 'sponsor' ? ', or give the brand in brand_manifest' : ''
  const where = group ? ` as ${group.part} of each item` : ''
  return `a text${where} that the request does not have: give it as {"asset_type": "text", "content": "…"}${elsewhere}`
}

/** The text that the message dictates. */
function requestedText({ role }: BuildSlot, { material }: BuildJob): string | undefined {
  const { texts } = material.read
  return role in texts ? texts[role as keyof typeof texts] : undefined
}

function writtenText(slot: BuildSlot, run: SlotRun): string | undefined {
  const { job, texts, format } = run
  const { role } = slot
  const { brand } = job
  if (role === 'sponsor') return brand.name
  if (role === 'headline' || role === 'call_to_action') return texts()[role]
  if (role === 'description') return hasHeadline(format) ? described(run) : wholeText(slot, run)
  if (role !== 'disclosure') return undefined
  const required = (brand.disclaimers ?? []).filter(({ required = true }) => required)
  if (required.length > 0) return required.map(({ text }) => text).join(' ')
  return sponsored(job)
}

function hasHeadline(format: Format): boolean {
  return slotsOf(format).some(({ role, type }) => role === 'headline' && type !== 'image')
}

function described({ job, texts }: SlotRun): string {
  return texts().description || plainDescription(texts(), job)
}

/** If no slot takes the headline, the slot for text begins with it. */
function wholeText({ requirements }: BuildSlot, run: SlotRun): string {
  const { headline, description } = run.texts()
  const isOwn = headline !== '' && headline !== run.job.brand.name
  if (!isOwn) return described(run)
  const ended = /[.!?…。！？]$/.test(headline) || description === '' ? headline : `${headline}.`
  const text = `${ended} ${description}`.trim()
  return fitWords(text, requirements.max_length ?? text.length)
}

/** In the language of the message or the offering. */
function sponsored({ brand, offering, material }: BuildJob): string {
  const about = `${offering?.name ?? ''} ${offering?.description ?? ''}`
  const language = material.read.language ?? languageOf(about) ?? 'en'
  const word = SPONSORED.get(language) ?? 'Sponsored'
  if (brand.name === undefined) return word
  return word === 'Sponsored' ? `Sponsored by ${brand.name}` : `${word}: ${brand.name}`
}

/** If nothing is said about an offering, only what it is and whose it is can be said. */
function plainDescription({ headline }: AdTexts, { brand, offering }: BuildJob): string {
  const parts = [offering?.name ?? headline, brand.name]
  return [...new Set(parts.filter((part) => part !== undefined))].join(' – ')
}

function fillUrl(slot: BuildSlot, run: SlotRun, own: SourceAsset | undefined): Filling | undefined {
  if (own) return carry(slot, own)
  if (slot.role !== 'clickthrough') {
    if (slot.isRequired) throw missing(slot, 'an address that cannot be made up')
    return undefined
  }
  const url = clickUrlOf(run.job)
  if (url !== undefined) return make({ asset_type: 'url', url, url_type: 'clickthrough' })
  if (!slot.isRequired) return undefined
  throw missing(slot, 'a click URL: set it there, as the url of the brand, or in the message')
}

function fillHtml(
  slot: BuildSlot,
  run: SlotRun,
  own: SourceAsset | undefined,
): Filling | undefined {
  const { job, format, note } = run
  const size = renderSize(format)
  if (own) {
    const { sourceFormat } = job.material
    const was = sourceFormat && renderSize(sourceFormat)
    if (!was || (was.width === size.width && was.height === size.height)) return carry(slot, own)
    if (!hasWords(job)) {
      throw new ProtocolError(
        'UNSUPPORTED_FEATURE',
        `markup made for ${was.width}x${was.height} cannot be brought to ${size.width}x${size.height}: send the message, texts or promoted_offerings that it was made from to compose it again, or build all sizes at once with target_format_ids`,
        {
          field: `/creative_manifest/assets/${own.name}`,
          suggestion: 'repeat what it was built from, for this size or for all sizes in one call',
        },
      )
    }
    note(`${slot.name}: composed again, because markup of another size cannot be adapted`)
    if (job.brand.name === undefined) {
      note(`${slot.name}: without a brand, its colours differ: give brand_manifest or brand`)
    }
  } else if (!slot.isRequired) {
    return undefined
  }
  const { markup, source, words, hasPhoto } = run.writeHtml(slot, size, clickUrlOf(job))
  const made = { ...make({ asset_type: 'html', content: markup }, source), words, hasPhoto }
  return own ? { ...made, replaced: own } : made
}

/** The name of what a manifest promotes is not enough to replace what its markup said. */
function hasWords({ material }: BuildJob): boolean {
  const { assets, message, promoted, manifest, structured } = material
  const isOnlyNamed = ({ name, ...others }: Offering) =>
    name === manifest.promoted_offering && Object.keys(others).length === 0
  return (
    message !== undefined ||
    hasStructuredCopy(structured) ||
    assets.some(({ type }) => type === 'text') ||
    promoted.offerings.some((one) => !isOnlyNamed(one))
  )
}

function fillVideo(slot: BuildSlot, run: SlotRun): Filling | undefined {
  if (!slot.isRequired) return undefined
  const { material, brand } = run.job
  const own = clickUrlOf(run.job)
  const drawn = run.drawFilm(slot, own !== undefined && !hasMacros(own) ? own : brand.url)
  if (!drawn) throw missing(slot, 'a video')
  const { film, source, words, hasPhoto } = drawn
  const sound = soundOf(material)?.url
  return { ...make({ kind: 'video', film, ...defined({ sound }) }, source), words, hasPhoto }
}

function fillCatalog(slot: BuildSlot, { job }: SlotRun): Filling | undefined {
  const { offerings } = job.material.promoted
  if (offerings.length > 0) {
    return make({ asset_type: 'catalog', items: offerings.map((one) => ({ ...one })) })
  }
  if (slot.isRequired) throw missing(slot, 'what is offered: give promoted_offerings')
  return undefined
}

function missing({ name }: BuildSlot, what: string): ProtocolError {
  const pointer = `/creative_manifest/assets/${name}`
  const message = `The format requires ${what}.`
  return new ProtocolError('VALIDATION_ERROR', `${pointer}: ${message}`, {
    issues: [{ pointer, message, keyword: 'required' }],
  })
}
