// What a build knows about a brand (spec 2.4): its name, address, colours, texts and logos, read from a brand
// manifest or from a brand.json, which contain the same data in different members. Lenient: a member with another
// form is omitted, because a missing colour must not stop a build. Values longer than the maximum for a brand
// manifest in a request are shortened, and a note reports it.

import { defined } from '../../lib/defined.ts'
import { isUrl } from '../../lib/is-url.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { readColour } from '../layout-engine/colours.ts'
import { fitWords } from '../layout-engine/fit-words.ts'
import {
  MAX_BRAND_NAME_CHARS,
  MAX_BRAND_TAGLINE_CHARS,
  MAX_BRAND_TONE_CHARS,
  MAX_BRAND_URL_CHARS,
  MAX_DISCLAIMER_CHARS,
  MAX_DISCLAIMERS,
  MAX_LOGOS,
  MAX_PHOTOS,
  MAX_PICTURE_BYTES,
} from '../limits.ts'
import { brandFontsOf, type NamedFont } from './brand-fonts.ts'

export interface BrandContext {
  name?: string
  url?: string
  colors: Partial<Record<(typeof COLOURS)[number], string>>
  tagline?: string
  tone?: string
  disclaimers: readonly { text: string; required?: boolean }[]
  /** The best first. */
  logos: readonly string[]
  /** Photos among its material. */
  photos?: readonly string[]
  fonts?: readonly NamedFont[]
}

const COLOURS = ['primary', 'secondary', 'accent', 'background', 'text'] as const

export const NO_BRAND: BrandContext = { colors: {}, disclaimers: [], logos: [] }

export interface ReadBrandOptions {
  /** Which of several brands to use. Default the first. */
  brandId?: string | undefined
  /** Called with notes about what was shortened or omitted. */
  note?: ((text: string) => void) | undefined
}

/** Undefined when a document describes no brand, or not the requested one. */
export function readBrand(
  document: unknown,
  { brandId, note = () => {} }: ReadBrandOptions = {},
): BrandContext | undefined {
  if (!isObject(document)) return undefined
  if (!Array.isArray(document.brands)) {
    return isBrand(document) ? contextOf(document, note) : undefined
  }
  const brands = document.brands.filter(isObject)
  const meant = brandId === undefined ? brands[0] : brands.find(({ id }) => id === brandId)
  return meant && contextOf(meant, note)
}

/** `first` takes precedence; `second` fills what it does not define. */
export function mergeBrands(first: BrandContext, second: BrandContext): BrandContext {
  return {
    ...second,
    ...first,
    colors: { ...second.colors, ...first.colors },
    disclaimers: first.disclaimers.length > 0 ? first.disclaimers : second.disclaimers,
    logos: [...first.logos, ...second.logos],
    ...defined({ photos: first.photos ?? second.photos, fonts: first.fonts ?? second.fonts }),
  }
}

type Members = Record<string, unknown>
type Note = (text: string) => void

function isBrand(members: Members): boolean {
  return ['name', 'names', 'colors', 'logos', 'url'].some((member) => members[member] !== undefined)
}

function contextOf(members: Members, note: Note): BrandContext {
  const within = (what: string, text: string | undefined, limit: number) => {
    if (text === undefined || text.length <= limit) return text
    note(`the ${what} of the brand was shortened to ${limit} characters`)
    return fitWords(text, limit)
  }
  const name = within(
    'name',
    textOf(members.name) ?? localName(members.names),
    MAX_BRAND_NAME_CHARS,
  )
  const url = webAddress(members.url, note)
  const tagline = within('tagline', textOf(members.tagline), MAX_BRAND_TAGLINE_CHARS)
  const voice = isObject(members.tone) ? textOf(members.tone.voice) : undefined
  const tone = within('tone', textOf(members.tone) ?? voice, MAX_BRAND_TONE_CHARS)
  return {
    ...defined({ name, url, tagline, tone }),
    colors: coloursOf(members.colors),
    disclaimers: disclaimersOf(members.disclaimers, note),
    logos: logosOf(members.logos),
    ...defined({ photos: photosOf(members), fonts: brandFontsOf(members.fonts, note) }),
  }
}

/** `[{ "en": "Acme" }, …]`: English if there is some, else the first. */
function localName(names: unknown): string | undefined {
  const entries = listOf(names).flatMap((one) => Object.entries(one))
  const english = entries.find(([language]) => /^en\b/i.test(language))
  return textOf((english ?? entries[0])?.[1])
}

function coloursOf(colours: unknown): BrandContext['colors'] {
  if (!isObject(colours)) return {}
  const named = COLOURS.flatMap((name) => {
    const given = colours[name]
    const value = readColour(Array.isArray(given) ? given[0] : given)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(named)
}

function disclaimersOf(given: unknown, note: Note): BrandContext['disclaimers'] {
  const all = listOf(given).flatMap(({ text, required }) => {
    const words = textOf(text)
    if (words === undefined) return []
    return [
      {
        text: words,
        ...defined({ required: typeof required === 'boolean' ? required : undefined }),
      },
    ]
  })
  if (all.length > MAX_DISCLAIMERS) {
    note(`the brand has ${all.length} disclaimers: the first ${MAX_DISCLAIMERS} were used`)
  }
  return all.slice(0, MAX_DISCLAIMERS).map((one, index) => {
    if (one.text.length <= MAX_DISCLAIMER_CHARS) return one
    note(`disclaimer ${index + 1} of the brand was shortened to ${MAX_DISCLAIMER_CHARS} characters`)
    return { ...one, text: fitWords(one.text, MAX_DISCLAIMER_CHARS) }
  })
}

/** Logos for a light background first: most backgrounds are painted to suit the logo. */
function logosOf(given: unknown): string[] {
  const logos = listOf(given).flatMap((logo) => {
    const isGiven = typeof logo.url === 'string' && logo.url !== ''
    const url = isGiven && isOfLength(logo.url as string) ? (logo.url as string) : undefined
    const tags = Array.isArray(logo.tags) ? logo.tags : []
    const isSecond = tags.includes('dark-bg') || logo.background === 'dark-bg'
    return url === undefined ? [] : [{ url, isSecond }]
  })
  return [...logos.filter(({ isSecond }) => !isSecond), ...logos.filter(({ isSecond }) => isSecond)]
    .slice(0, MAX_LOGOS)
    .map(({ url }) => url)
}

/** The URLs of the pictures among the assets of a brand or an offering, without logos. */
export function photosOf({ image_url, assets }: Members): string[] | undefined {
  const pictures = listOf(assets).filter((asset) => {
    const { asset_type, type, name, asset_id, tags } = asset
    const words = [name, asset_id, ...(Array.isArray(tags) ? tags : [])].join(' ')
    return (asset_type ?? type) === 'image' && !/logo|icon/i.test(words)
  })
  const urls = [image_url, ...pictures.map(({ url }) => url)].filter(
    (url) => typeof url === 'string' && url !== '' && isOfLength(url),
  )
  return urls.length === 0 ? undefined : ([...new Set(urls)].slice(0, MAX_PHOTOS) as string[])
}

/** Base64 uses four characters for three bytes. */
function isOfLength(url: string): boolean {
  const most = url.startsWith('data:') ? MAX_PICTURE_BYTES * 1.5 : MAX_BRAND_URL_CHARS
  return url.length <= most
}

function listOf(given: unknown): Members[] {
  return Array.isArray(given) ? given.filter(isObject) : []
}

function textOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  return given.trim() === '' ? undefined : given.trim()
}

function webAddress(given: unknown, note: Note): string | undefined {
  const url = textOf(given)
  if (url !== undefined && url.length > MAX_BRAND_URL_CHARS) {
    note(
      `the address of the brand was left out: it has more than ${MAX_BRAND_URL_CHARS} characters`,
    )
    return undefined
  }
  return url !== undefined && /^https?:\/\//i.test(url) && isUrl(url) ? url : undefined
}
