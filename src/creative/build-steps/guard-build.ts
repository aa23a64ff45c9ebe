// The sources that the words of a creative may come from (spec 4.2): everything in the request, and what is known
// about the brand.

import { isUrl } from '../../lib/is-url.ts'
import { tryJson } from '../../lib/try-json.ts'
import type { AdBrand } from '../layout-engine/ad-input.ts'
import { withoutMarkup } from '../message/clean.ts'
import { type KnownWords, knownWords } from '../message/guard-drawn.ts'
import { unsaidIn } from '../message/unsaid.ts'
import type { GeneratedTexts } from '../model/generator.ts'
import type { Draft, DraftAsset } from './draft.ts'

export interface BuildInput {
  known: KnownWords
  /** Figures in a model's words that are not in the input. */
  unsaidBy(words: readonly string[]): string[]
}

export interface InputOfBuild {
  /** The request, as JSON. */
  json: string
  /** The message and the prompts. */
  said: string
  brand: AdBrand
  words: GeneratedTexts | undefined
}

export function inputOf({ json, said, brand, words }: InputOfBuild): BuildInput {
  const { logos: _, ...named } = brand
  const given = [...leavesOf(tryJson(json)), ...leavesOf(named), withoutMarkup(said)]
  const hosts = given.flatMap(hostIn)
  const sources = [...given, ...hosts]
  const known = knownWords([...sources, ...Object.values(words ?? {})])
  return { known, unsaidBy: (texts) => unsaidIn(texts, sources) }
}

/** Longer ones are files. */
const MAX_LEAF = 100_000

/** The texts and numbers of a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.length > MAX_LEAF || value.startsWith('data:') ? [] : [value]
  }
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}

/** The form in which a URL is read aloud; outside ASCII that would be another word. */
function hostIn(text: string): string[] {
  return /^https?:\/\//i.test(text) && isUrl(text) ? [new URL(text).hostname] : []
}

export interface InventedAsset {
  asset: DraftAsset
  /** The words that no one gave. */
  words: readonly string[]
}

/** Assets with words that are not in the input; what is passed on unchanged is not checked. */
export function inventedIn(
  { assets }: Pick<Draft, 'assets'>,
  { known, unsaidBy }: BuildInput,
  isModel: boolean,
): InventedAsset[] {
  return assets.flatMap((asset) => {
    if (asset.isCarried) return []
    const texts = asset.words.map(({ text }) => text)
    const words = texts.flatMap((text) => known.inventedIn(text))
    const figures = isModel ? unsaidBy(texts) : []
    const invented = [...new Set([...words, ...figures])]
    return invented.length > 0 ? [{ asset, words: invented }] : []
  })
}
