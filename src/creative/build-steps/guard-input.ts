// Which input besides the message is missing in the creative (spec 4.2), derived from what was drawn: figures in
// texts, copy, disclaimers and offerings, with their words, and offerings that are not mentioned.

import { defined } from '../../lib/defined.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { priceWords } from '../brand/offering-price.ts'
import { MAX_GUARDED_CHARS } from '../limits.ts'
import { type PrintedFacts, printedFacts } from '../message/guard-drawn.ts'
import { quoted } from '../message/printed-message.ts'
import { type DraftAsset, isPictureWork, isVideoWork } from './draft.ts'
import { wordsOfAsset } from './drawn-words.ts'
import type { BuildJob } from './job.ts'

interface InputText {
  /** Such as `body` or `price of the offering “Oak desk”`. */
  name: string
  text: string
}

const MAX_NOTES = 20
const MAX_NAMED = 10

export interface InputToGuard {
  job: BuildJob
  assets: readonly DraftAsset[]
  /** What the answer says already. */
  notes: readonly string[]
}

/** The notes that are missing. */
export function inputNotes({ job, assets, notes }: InputToGuard): string[] {
  const returned = [
    ...assets.flatMap(({ words }) => words.map(({ text }) => text)),
    ...assets.flatMap(catalogWords),
  ]
  const facts = printedFacts(returned)
  const reported = printedFacts(notes)
  const { texts, isCut } = withinLimit(textsOf(job))
  const lost = texts.flatMap(({ name, text }) => {
    const words = facts.missingOf(text).filter((fact) => !reported.has(fact.text))
    const named = [...new Set(words.map((fact) => quoted(fact.text)))]
    return named.length > 0 ? [`${name}, omitted: ${named.join(', ')}`] : []
  })
  const more = lost.length - MAX_NOTES
  return [
    ...unnamedOfferings(job, facts, notes),
    ...lost.slice(0, MAX_NOTES),
    ...(more > 0 ? [`${more} more texts of the request have figures that are omitted`] : []),
    ...(isCut
      ? [
          `figures of texts and offerings were compared in the first ${MAX_GUARDED_CHARS} characters`,
        ]
      : []),
  ]
}

function textsOf({ material, brand }: BuildJob): InputText[] {
  const { assets, promoted, structured } = material
  const own = assets.flatMap(({ name, role, asset, type }) =>
    wordsOfAsset(role, { ...asset, asset_type: type }).map(({ text }) => ({ name, text })),
  )
  const copy = Object.entries({ ...structured.texts, legal: structured.legal }).flatMap(
    ([name, text]) =>
      text === undefined ? [] : [{ name: `copy.${COPY_NAMES.get(name) ?? name}`, text }],
  )
  const disclaimers = (brand.disclaimers ?? [])
    .filter(({ required = true, text }) => required && text !== structured.legal)
    .map(({ text }) => ({ name: 'disclaimer of the brand', text }))
  return [...own, ...copy, ...disclaimers, ...promoted.offerings.flatMap(textsOfOffering)]
}

const COPY_NAMES = new Map([
  ['description', 'body'],
  ['call_to_action', 'cta'],
])

function textsOfOffering(offering: Offering): InputText[] {
  const { name, description } = offering
  const texts = defined({ name, description, price: priceWords(offering) })
  return Object.entries(texts).flatMap(([member, text]) =>
    typeof text === 'string'
      ? [{ name: `${member} of the offering ${quoted(name ?? '')}`, text }]
      : [],
  )
}

/** A creative that displays a catalogue includes its items. */
function catalogWords({ content }: DraftAsset): string[] {
  if (isPictureWork(content) || isVideoWork(content)) return []
  const { asset_type, items } = content as SentAsset & { items?: unknown }
  if (asset_type !== 'catalog' || !Array.isArray(items)) return []
  return (items as Offering[]).flatMap((one) => textsOfOffering(one).map(({ text }) => text))
}

function withinLimit(texts: readonly InputText[]): { texts: InputText[]; isCut: boolean } {
  let left = MAX_GUARDED_CHARS
  const kept: InputText[] = []
  for (const one of texts) {
    if (left <= 0) return { texts: kept, isCut: true }
    kept.push({ ...one, text: one.text.slice(0, left) })
    left -= one.text.length
  }
  return { texts: kept, isCut: left < 0 }
}

/**
 * A single offering is the subject of everything: if it is not mentioned, the words of the message appear instead.
 */
function unnamedOfferings(
  { material }: BuildJob,
  facts: PrintedFacts,
  notes: readonly string[],
): string[] {
  const { offerings } = material.promoted
  if (offerings.length < 2) return []
  const names = offerings.map(({ name }) => name ?? '').filter((name) => !facts.hasWords(name))
  const left = [...new Set(names)].filter(
    (name) => !notes.some((note) => note.includes(`“${name}”`)),
  )
  if (left.length === 0) return []
  const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : ''
  return [`offerings that are not named: ${left.slice(0, MAX_NAMED).map(quoted).join(', ')}${more}`]
}
