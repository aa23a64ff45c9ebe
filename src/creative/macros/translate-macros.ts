// Universal macros as an ad server calls them, and back (spec 2.5). Tokens are put in raw: the ad server fills them in.
// A parameter of an address whose macro the ad server has no equal for is taken out, since its value would never come;
// elsewhere such a macro is left. All of it is told, what was said about consent apart.

import { defined } from '../../lib/defined.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { MacroTable } from './ad-server-macros.ts'
import { macrosIn } from './substitute-macros.ts'
import { isUniversalMacro } from './universal-macros.ts'

export interface MacroWish {
  /** What the material was written for. Default universal macros alone. */
  from?: MacroTable | undefined
  /** Whose names they get. Default they stay universal. */
  to?: MacroTable | undefined
}

export interface MacroPlace {
  macro: string
  /** Such as `impression_tracker.url`. */
  at: string
}

export interface MacroReport {
  translated: (MacroPlace & { to: string })[]
  /** No equal: their parameters were taken out. */
  dropped: MacroPlace[]
  /** The same, of macros that say what a person has agreed to: without them a call may be unlawful. */
  dropped_consent: MacroPlace[]
  /** No equal, or no universal macro, where nothing could be taken out. */
  left: MacroPlace[]
}

const CONSENT: ReadonlySet<string> = new Set([
  ...['GDPR', 'GDPR_CONSENT', 'US_PRIVACY', 'GPP_STRING', 'GPP_SID', 'LIMIT_AD_TRACKING'],
])

export function emptyReport(): MacroReport {
  return { translated: [], dropped: [], dropped_consent: [], left: [] }
}

type Assets = Readonly<Record<string, unknown>>

/** The addresses and contents of all assets. What was found is added to the report. */
export function translateAssets<Given extends Assets>(
  assets: Given,
  wish: MacroWish,
  report: MacroReport,
): Given {
  const one = (asset: unknown, at: string): unknown => {
    if (!isObject(asset)) return asset
    const { url, content } = asset
    return {
      ...asset,
      ...defined({
        url: typeof url === 'string' ? translateAddress(url, wish, report, `${at}.url`) : undefined,
        content:
          typeof content === 'string'
            ? translateText(content, wish, report, `${at}.content`)
            : undefined,
      }),
    }
  }
  const entries = Object.entries(assets).map(([name, asset]) => [
    name,
    Array.isArray(asset)
      ? asset.map((item, index) => one(item, `${name}[${index}]`))
      : one(asset, name),
  ])
  return Object.fromEntries(entries) as Given
}

/** An address: its parameters one by one. @internal */
export function translateAddress(
  url: string,
  wish: MacroWish,
  report: MacroReport,
  at: string,
): string {
  const universal = toUniversal(url, wish, report, at)
  if (!wish.to) return universal
  const { to } = wish
  const hash = universal.indexOf('#')
  const [whole, fragment] =
    hash < 0 ? [universal, ''] : [universal.slice(0, hash), universal.slice(hash)]
  const question = whole.indexOf('?')
  const base = question < 0 ? whole : whole.slice(0, question)
  const parameters = question < 0 ? [] : whole.slice(question + 1).split('&')
  const kept = parameters.filter((parameter) => {
    const lost = macrosIn(parameter).filter((name) => isUniversalMacro(name) && !to.has(name))
    for (const macro of lost) {
      const place = { macro, at }
      if (CONSENT.has(macro)) report.dropped_consent.push(place)
      else report.dropped.push(place)
    }
    return lost.length === 0
  })
  const outer = (text: string) => put(text, to, report, { at, isEncoded: false })
  const head = outer(base)
  const query = kept.map((text) => put(text, to, report, { at, isEncoded: true })).join('&')
  return `${head}${kept.length > 0 ? `?${query}` : ''}${outer(fragment)}`
}

/** Markup, a tag, or words. @internal */
export function translateText(
  text: string,
  wish: MacroWish,
  report: MacroReport,
  at: string,
): string {
  const universal = toUniversal(text, wish, report, at)
  return wish.to ? put(universal, wish.to, report, { at, isEncoded: false }) : universal
}

const MACRO = /\{([A-Z][A-Z0-9_]*)\}/g

/** `$` before the brace is another ad server's way to write one. */
function put(
  text: string,
  to: MacroTable,
  report: MacroReport,
  { at, isEncoded }: { at: string; isEncoded: boolean },
): string {
  return text.replace(MACRO, (written, macro: string, place: number) => {
    if (text.charAt(place - 1) === '$') return written
    const token = to.get(macro)
    if (!token || !isUniversalMacro(macro)) {
      report.left.push({ macro, at })
      return written
    }
    const meant = isEncoded ? (token.encoded ?? token.plain) : token.plain
    report.translated.push({ macro, at, to: meant })
    return meant
  })
}

/** The tokens of another ad server as universal macros, the longest first so that none is part of another. */
function toUniversal(text: string, { from }: MacroWish, report: MacroReport, at: string): string {
  if (!from) return text
  const tokens = [...from]
    .flatMap(([macro, { plain, encoded }]) =>
      (encoded === undefined ? [plain] : [plain, encoded]).map((token) => ({ macro, token })),
    )
    .sort((a, b) => b.token.length - a.token.length)
  let universal = text
  for (const { macro, token } of tokens) {
    if (!universal.includes(token)) continue
    universal = universal.split(token).join(`{${macro}}`)
    report.translated.push({ macro, at, to: `{${macro}}` })
  }
  return universal
}
