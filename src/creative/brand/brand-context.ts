// What a brand is for a build (spec 2.4): its name, address, colours, words and logos, read from a brand
// manifest or from a brand.json, which say the same things in different members. Lenient: what has
// another shape is left out, because a missing colour must not stop a build.

import { isObject } from '../../protocol/schemas/checks.ts'

export interface BrandContext {
  name?: string
  url?: string
  colors: Partial<Record<(typeof COLOURS)[number], string>>
  tagline?: string
  tone?: string
  disclaimers: readonly { text: string; required?: boolean }[]
  /** The best first. */
  logos: readonly string[]
}

const COLOURS = ['primary', 'secondary', 'accent', 'background', 'text'] as const

export const NO_BRAND: BrandContext = { colors: {}, disclaimers: [], logos: [] }

/** Undefined when a document describes no brand, or not the one that is meant. */
export function readBrand(document: unknown, brandId?: string): BrandContext | undefined {
  if (!isObject(document)) return undefined
  if (!Array.isArray(document.brands)) return isBrand(document) ? contextOf(document) : undefined
  const brands = document.brands.filter(isObject)
  const meant = brandId === undefined ? brands[0] : brands.find(({ id }) => id === brandId)
  return meant && contextOf(meant)
}

/** `first` where it says something, else `second`. */
export function mergeBrands(first: BrandContext, second: BrandContext): BrandContext {
  return {
    ...second,
    ...first,
    colors: { ...second.colors, ...first.colors },
    disclaimers: first.disclaimers.length > 0 ? first.disclaimers : second.disclaimers,
    logos: [...first.logos, ...second.logos],
  }
}

type Members = Record<string, unknown>

function isBrand(members: Members): boolean {
  return ['name', 'names', 'colors', 'logos', 'url'].some((member) => members[member] !== undefined)
}

function contextOf(members: Members): BrandContext {
  const name = textOf(members.name) ?? localName(members.names)
  const url = webAddress(members.url)
  const tagline = textOf(members.tagline)
  const tone =
    textOf(members.tone) ?? (isObject(members.tone) ? textOf(members.tone.voice) : undefined)
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(tagline === undefined ? {} : { tagline }),
    ...(tone === undefined ? {} : { tone }),
    colors: coloursOf(members.colors),
    disclaimers: disclaimersOf(members.disclaimers),
    logos: logosOf(members.logos),
  }
}

/** `[{ "en": "Acme" }, …]`: English where there is some, else the first. */
function localName(names: unknown): string | undefined {
  const entries = listOf(names).flatMap((one) => Object.entries(one))
  const english = entries.find(([language]) => /^en\b/i.test(language))
  return textOf((english ?? entries[0])?.[1])
}

function coloursOf(colours: unknown): BrandContext['colors'] {
  if (!isObject(colours)) return {}
  const named = COLOURS.flatMap((name) => {
    const given = colours[name]
    const value = Array.isArray(given) ? given[0] : given
    return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(named)
}

function disclaimersOf(given: unknown): BrandContext['disclaimers'] {
  return listOf(given).flatMap(({ text, required }) => {
    const words = textOf(text)
    if (words === undefined) return []
    return [{ text: words, ...(typeof required === 'boolean' ? { required } : {}) }]
  })
}

/** Those for a light ground first: most grounds are painted to suit the logo. */
function logosOf(given: unknown): string[] {
  const logos = listOf(given).flatMap((logo) => {
    const url = typeof logo.url === 'string' && logo.url !== '' ? logo.url : undefined
    const tags = Array.isArray(logo.tags) ? logo.tags : []
    const isSecond = tags.includes('dark-bg') || logo.background === 'dark-bg'
    return url === undefined ? [] : [{ url, isSecond }]
  })
  return [
    ...logos.filter(({ isSecond }) => !isSecond),
    ...logos.filter(({ isSecond }) => isSecond),
  ].map(({ url }) => url)
}

function listOf(given: unknown): Members[] {
  return Array.isArray(given) ? given.filter(isObject) : []
}

function textOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  return given.trim() === '' ? undefined : given.trim()
}

function webAddress(given: unknown): string | undefined {
  const url = textOf(given)
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
