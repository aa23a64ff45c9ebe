// The font files of a brand (spec 2.4): URLs in a list with their families, or URLs next to each family. A member
// with another form is omitted.

import { isObject } from '../../protocol/schemas/checks.ts'
import { MAX_BRAND_FONTS, MAX_BRAND_NAME_CHARS, MAX_BRAND_URL_CHARS } from '../limits.ts'

export interface NamedFont {
  url: string
  /** Its purpose; undefined when only its own family name shows it. */
  role?: 'primary' | 'secondary'
  /** The family for body text, used to recognize files of that family. */
  secondary?: string
}

/** Undefined when there is none with a URL. */
export function brandFontsOf(
  given: unknown,
  note: (text: string) => void,
): NamedFont[] | undefined {
  const all = Array.isArray(given) ? listed(given) : isObject(given) ? byRole(given) : []
  if (all.length === 0) reportFileless(given, note)
  const fonts = [...new Map(all.map((font) => [font.url, font])).values()]
  if (fonts.length > MAX_BRAND_FONTS) {
    note(`the brand has ${fonts.length} fonts: the first ${MAX_BRAND_FONTS} were used`)
  }
  return fonts.length === 0 ? undefined : fonts.slice(0, MAX_BRAND_FONTS)
}

/** A family without a file cannot be used: a note reports what is missing. */
function reportFileless(given: unknown, note: (text: string) => void): void {
  const fonts = Array.isArray(given)
    ? given
    : isObject(given)
      ? [given.primary, given.secondary]
      : []
  const families = fonts.map((font) => (typeof font === 'string' ? font : familyOf(font)))
  const named = [...new Set(families)].filter((family) => family !== undefined && family !== '')
  if (named.length === 0) return
  const reported = named.slice(0, MAX_BRAND_FONTS).join(', ').slice(0, MAX_BRAND_NAME_CHARS)
  note(`the font ${reported} was not used: the brand gives no URL of its file (fonts.font_urls)`)
}

/** `{ primary: "Acme Sans" | { family, files }, secondary: …, font_urls: […] }` */
function byRole(fonts: Record<string, unknown>): NamedFont[] {
  const { primary, secondary, font_urls } = fonts
  const family = typeof secondary === 'string' ? secondary : familyOf(secondary)
  const listedUrls = urlsOf(Array.isArray(font_urls) ? font_urls : [])
  return [
    ...filesOf(primary).map((url) => ({ url, role: 'primary' as const })),
    ...filesOf(secondary).map((url) => ({ url, role: 'secondary' as const })),
    ...listedUrls.map((url) => (family === undefined ? { url } : { url, secondary: family })),
  ]
}

/** `[{ role, family, files: [{ url }] }]` */
function listed(fonts: readonly unknown[]): NamedFont[] {
  return fonts.flatMap((font) => {
    const role = isObject(font) && SECOND.has(String(font.role)) ? 'secondary' : 'primary'
    return filesOf(font).map((url): NamedFont => ({ url, role }))
  })
}

const SECOND: ReadonlySet<string> = new Set(['secondary', 'body', 'text'])

function familyOf(font: unknown): string | undefined {
  const family = isObject(font) ? (font.family ?? font.name) : undefined
  return typeof family === 'string' && family !== '' ? family : undefined
}

function filesOf(font: unknown): string[] {
  if (!isObject(font)) return []
  const lists = [font.files, font.font_urls, font.urls].filter(Array.isArray).flat()
  return urlsOf([font.url, ...lists])
}

function urlsOf(given: readonly unknown[]): string[] {
  return given
    .map((one) => (isObject(one) ? one.url : one))
    .filter((url) => typeof url === 'string' && /^https?:\/\//i.test(url))
    .filter((url) => (url as string).length <= MAX_BRAND_URL_CHARS) as string[]
}
