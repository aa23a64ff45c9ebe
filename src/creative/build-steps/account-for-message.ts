// How the message and the texts of the manifest were used (spec 4.2), derived from the creative as it was composed.

import type { Format } from '../../protocol/schemas/format.ts'
import type { InstructionOutcome } from '../directions/instruction.ts'
import { MAX_READ_CHARS } from '../limits.ts'
import { type Account, accountOf, type Checked } from '../message/account.ts'
import { checkPreference } from '../message/check-preference.ts'
import { unreportedFacts } from '../message/guard-drawn.ts'
import { readImageRequests } from '../message/image-requests.ts'
import { missingIn, printedMessage, quoted } from '../message/printed-message.ts'
import type { MessageRole } from '../message/reading/roles.ts'
import type { BannerMotion } from '../motion/banner-motion.ts'
import { readMotionRequest } from '../motion/motion-request.ts'
import type { SourceAsset } from './build-sources.ts'
import { clickUrlsIn, unusedAddresses } from './click-url.ts'
import { type DraftAsset, isPictureWork, isVideoWork } from './draft.ts'
import type { BuildJob } from './job.ts'
import { rivalNotes } from './rival-offerings.ts'
import { slotsOf } from './slots.ts'

export interface Composed {
  job: BuildJob
  format: Format
  assets: readonly DraftAsset[]
  /** How its banners move. */
  motions: readonly BannerMotion[]
  hasPhoto: boolean
  /** The outcome of each instruction, if it is known. */
  outcomes?: readonly InstructionOutcome[]
}

export function accountForMessage(composed: Composed): Account {
  const { job, assets, outcomes } = composed
  const { material, spans } = job
  const { said } = material
  const printed = textsIn(assets)
  const [clickUrl] = clickUrlsIn(assets, job)
  const { parts, notes } = accountOf({
    text: said,
    spans,
    printed,
    clickUrl,
    outcomes,
    check: (preference) => check(preference, composed, printed),
    reason: (role) => (role === 'legal' ? undefined : reasonFor(role, composed)),
  })
  const isLong = said.length > MAX_READ_CHARS
  const reported = [
    ...(isLong ? [`of the message only the first ${MAX_READ_CHARS} characters were read`] : []),
    ...new Set(notes),
    ...replacedTexts(composed, printed),
    ...furtherTexts(composed),
    ...rivalNotes(material, (name) => isPrinted(name, assets)),
    ...unusedAddresses(assets, job),
  ]
  // A final check for anything the account has missed: no figure is dropped silently.
  const lost = unreportedFacts({
    text: said,
    spans: [...spans, ...job.otherSpans],
    printed,
    notes: reported,
  })
  const figures = [...new Set(lost.map(({ text }) => `“${text}”`))]
  return {
    parts,
    notes: figures.length > 0 ? [...reported, `omitted: ${figures.join(', ')}`] : reported,
  }
}

function textsIn(assets: readonly DraftAsset[]): string[] {
  return assets.flatMap(({ words }) => words.map(({ text }) => text))
}

const ONLY_PICTURE =
  'the picture of the request is used, and words inside a picture cannot be changed'

function isGivenPicture({ content }: DraftAsset): boolean {
  return isPictureWork(content) && 'picture' in content.from
}

/** Why the message's own words were not used. */
function reasonFor(role: MessageRole, composed: Composed): string | undefined {
  const { job, format, assets } = composed
  const { material } = job
  const { texts } = material.structured
  if (role === 'headline' && texts.headline !== undefined) return 'copy has its own headline'
  if (role === 'cta' && texts.call_to_action !== undefined) return 'copy has its own cta'
  const own = material.assets.find(({ type, role }) => type === 'text' && role === 'headline')
  if (own && isPrinted(own.asset.content ?? '', assets))
    return 'creative_manifest has its own headline'
  if (assets.some(isGivenPicture) && textsIn(assets).length === 0) return ONLY_PICTURE
  const headlines = slotsOf(format).filter(({ role }) => role === 'headline')
  const [first] = headlines
  const isInCards = first?.group && headlines.every(({ group }) => group)
  return isInCards ? `each of ${first.name} has its own headline` : undefined
}

function isPrinted(text: string, assets: readonly DraftAsset[]): boolean {
  const all = { start: 0, end: text.length }
  const { missing, isEmpty } = missingIn(all, printedMessage(text, textsIn(assets)))
  return !isEmpty && missing.length === 0
}

/** What is known about a preference besides the words. */
function check(
  preference: string,
  composed: Composed,
  printed: readonly string[],
): Checked | undefined {
  const { material, logo } = composed.job
  return (
    checkMotion(preference, composed) ??
    checkPicture(preference, composed) ??
    checkAddress(preference, composed) ??
    checkPreference(preference, { read: material.read, printed, hasLogo: logo !== undefined })
  )
}

function checkMotion(
  preference: string,
  { job: { material }, assets, motions }: Composed,
): Checked | undefined {
  const { preference: motion } = readMotionRequest(preference)
  if (motion === undefined) return undefined
  if (motion !== material.motion)
    return { outcome: 'not_possible', detail: 'another part of the message contradicts it' }
  const isMoving =
    motions.some((one) => one !== 'still') || assets.some(({ content }) => isVideoWork(content))
  if (isMoving === (motion === 'animated')) return { outcome: 'followed' }
  const detail = isMoving ? 'the format moves' : 'the creative for this format has no motion'
  return { outcome: 'not_possible', detail }
}

const NO_PICTURE = 'the request has no picture that is brought to a size'

function checkPicture(preference: string, { assets, hasPhoto }: Composed): Checked | undefined {
  const { focus, keepsWhole, background } = readImageRequests(preference)
  if (
    (focus === undefined && !keepsWhole && background === undefined) ||
    /logo/i.test(preference)
  ) {
    return undefined
  }
  const isFitted = assets.some(({ content }) => isPictureWork(content) && 'picture' in content.from)
  if (isFitted) {
    return background === undefined || keepsWhole
      ? { outcome: 'followed' }
      : { outcome: 'followed', detail: 'where the picture leaves room' }
  }
  if (hasPhoto && focus !== undefined) return { outcome: 'followed' }
  return background === undefined ? { outcome: 'not_possible', detail: NO_PICTURE } : undefined
}

function checkAddress(preference: string, { job, assets }: Composed): Checked | undefined {
  const { landingPage } = readImageRequests(preference)
  if (landingPage === undefined) return undefined
  if (clickUrlsIn(assets, job).includes(landingPage)) {
    return { outcome: 'followed', detail: 'a click leads there' }
  }
  return { outcome: 'not_possible', detail: 'a click does not lead there' }
}

const TEXT_ROLES = ['headline', 'description', 'call_to_action'] as const

/** Texts of the manifest that the message replaces with others. */
function replacedTexts({ job, assets }: Composed, printed: readonly string[]): string[] {
  const { texts } = job.material.read
  return TEXT_ROLES.flatMap((role) => {
    const own = job.material.assets.find((one) => one.type === 'text' && one.role === role)
    const [said, given] = [texts[role], own?.asset.content]
    if (own === undefined || said === undefined || given === undefined) return []
    if (isPrinted(given, assets) || !hasAnyOf(said, printed)) return []
    return [
      `${own.name}: ${quoted(given)} of creative_manifest was replaced by ${quoted(said)} of ${job.material.structured.texts[role] === undefined ? 'the message' : 'copy'}`,
    ]
  })
}

/** A second headline that the message dictates, if it is printed anyway. */
function furtherTexts({ job: { material }, assets }: Composed): string[] {
  const { texts, further } = material.read
  return further.flatMap(({ role, text }) => {
    if (role !== 'headline' || texts.headline === undefined || !isPrinted(text, assets)) return []
    return [
      `headline: ${quoted(texts.headline)} is the headline, and the second one, ${quoted(text)}, is printed as text`,
    ]
  })
}

function hasAnyOf(text: string, printed: readonly string[]): boolean {
  const all = { start: 0, end: text.length }
  return missingIn(all, printedMessage(text, printed)).hasPrinted
}

/** The part of a manifest text that is not printed, in quotation marks. Undefined if all of it is printed. */
export function unplacedText(
  { asset }: SourceAsset,
  assets: readonly DraftAsset[],
): { words: string; isPart: boolean } | undefined {
  const text = asset.content ?? ''
  const { missing, isEmpty, hasPrinted } = missingIn(
    { start: 0, end: text.length },
    printedMessage(text, textsIn(assets)),
  )
  if (!isEmpty && missing.length === 0) return undefined
  return { words: hasPrinted ? missing.map(quoted).join(', ') : quoted(text), isPart: hasPrinted }
}
