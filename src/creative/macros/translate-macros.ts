// Translates universal macros to the names of an ad server, and back (spec 2.5). Tokens are inserted raw: the ad
// server fills them in. If the ad server has no equivalent of a macro, a URL parameter with it is removed, since its
// value would never be filled in; elsewhere the macro is left. All of this is reported, with consent macros listed
// separately.

import { defined } from '../../lib/defined.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { MAX_TRANSLATED_CHARS } from '../limits.ts'
import type { MacroTable } from './ad-server-macros.ts'
import { macrosIn } from './substitute-macros.ts'
import { isUniversalMacro } from './universal-macros.ts'

export interface MacroRequest {
  /** The ad server that the material was written for. Default: universal macros only. */
  from?: MacroTable | undefined
  /** The ad server whose names are used. Default: they stay universal. */
  to?: MacroTable | undefined
}

export interface MacroPlace {
  macro: string
  /** Such as `impression_tracker.url`. */
  at: string
}

export interface MacroReport {
  translated: (MacroPlace & { to: string })[]
  /** No equivalent: their parameters were removed. */
  dropped: MacroPlace[]
  /** The same for macros that carry a person's consent: without them a call may be unlawful. */
  dropped_consent: MacroPlace[]
  /** No equivalent, or not a universal macro, where nothing could be removed. */
  left: MacroPlace[]
}

const CONSENT: ReadonlySet<string> = new Set([
  'GDPR',
  'GDPR_CONSENT',
  'US_PRIVACY',
  'GPP_STRING',
  'GPP_SID',
  'LIMIT_AD_TRACKING',
])

export function emptyReport(): MacroReport {
  return { translated: [], dropped: [], dropped_consent: [], left: [] }
}

/** For one report: its content so far, and how many characters the names have added. */
const kept = new WeakMap<MacroReport, { reported: Set<string>; added: number }>()

function keptOf(report: MacroReport): { reported: Set<string>; added: number } {
  const known = kept.get(report) ?? { reported: new Set<string>(), added: 0 }
  kept.set(report, known)
  return known
}

/** Each place once: a text may contain one macro a million times. */
function note<List extends keyof MacroReport>(
  report: MacroReport,
  list: List,
  place: MacroReport[List][number],
): void {
  const { reported } = keptOf(report)
  const key = JSON.stringify([list, place])
  if (reported.has(key)) return
  reported.add(key)
  ;(report[list] as (typeof place)[]).push(place)
}

/** Short names become long ones, so this limits the size of a build's response. */
function grow(report: MacroReport, chars: number): void {
  const known = keptOf(report)
  known.added += chars
  if (known.added <= MAX_TRANSLATED_CHARS) return
  const message = `the names of macros would add more than ${MAX_TRANSLATED_CHARS} characters: use fewer or shorter ones`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/ext/macro_names' })
}

type Assets = Readonly<Record<string, unknown>>

/** The URLs and contents of all assets. Findings are added to the report. */
export function translateAssets<Given extends Assets>(
  assets: Given,
  preference: MacroRequest,
  report: MacroReport,
): Given {
  const one = (asset: unknown, at: string): unknown => {
    if (!isObject(asset)) return asset
    const { url, content } = asset
    return {
      ...asset,
      ...defined({
        url:
          typeof url === 'string'
            ? translateAddress(url, preference, { report, at: `${at}.url` })
            : undefined,
        content:
          typeof content === 'string'
            ? translateText(content, preference, { report, at: `${at}.content` })
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

/** The report, and the place in it of what is found. */
interface Findings {
  report: MacroReport
  at: string
}

/** A URL: its parameters one by one. @internal */
export function translateAddress(
  url: string,
  preference: MacroRequest,
  { report, at }: Findings,
): string {
  const universal = toUniversal(url, preference, { report, at })
  if (!preference.to) return universal
  const { to } = preference
  const hash = universal.indexOf('#')
  const [whole, fragment] =
    hash < 0 ? [universal, ''] : [universal.slice(0, hash), universal.slice(hash)]
  const question = whole.indexOf('?')
  const base = question < 0 ? whole : whole.slice(0, question)
  const parameters = question < 0 ? [] : whole.slice(question + 1).split('&')
  const kept = parameters.filter((parameter) => {
    const lost = macrosIn(parameter).filter((name) => isUniversalMacro(name) && !to.has(name))
    for (const macro of lost) {
      note(report, CONSENT.has(macro) ? 'dropped_consent' : 'dropped', { macro, at })
    }
    return lost.length === 0
  })
  const outer = (text: string) => put(text, to, { report, at, isEncoded: false })
  const head = outer(base)
  const query = kept.map((text) => put(text, to, { report, at, isEncoded: true })).join('&')
  return `${head}${kept.length > 0 ? `?${query}` : ''}${outer(fragment)}`
}

/** Markup, a tag, or words. @internal */
export function translateText(text: string, preference: MacroRequest, findings: Findings): string {
  const universal = toUniversal(text, preference, findings)
  return preference.to
    ? put(universal, preference.to, { ...findings, isEncoded: false })
    : universal
}

const MACRO = /\{([A-Z][A-Z0-9_]*)\}/g

/** `$` before the brace is the notation of another ad server. */
function put(
  text: string,
  to: MacroTable,
  { report, at, isEncoded }: Findings & { isEncoded: boolean },
): string {
  return text.replace(MACRO, (written, macro: string, place: number) => {
    if (text.charAt(place - 1) === '$') return written
    const token = to.get(macro)
    if (!token || !isUniversalMacro(macro)) {
      note(report, 'left', { macro, at })
      return written
    }
    const meant = isEncoded ? (token.encoded ?? token.plain) : token.plain
    note(report, 'translated', { macro, at, to: meant })
    grow(report, meant.length - written.length)
    return meant
  })
}

/** Converts tokens of another ad server to universal macros: the longest match wins; output is not scanned again. */
function toUniversal(text: string, { from }: MacroRequest, { report, at }: Findings): string {
  if (!from) return text
  const tokens = tokensOf(from)
  const parts: string[] = []
  let done = 0
  for (let place = 0; place < text.length; ) {
    const found = longestAt(text, place, tokens)
    if (!found) {
      place += 1
      continue
    }
    const { macro, length } = found
    const to = `{${macro}}`
    note(report, 'translated', { macro, at, to })
    grow(report, to.length - length)
    parts.push(text.slice(done, place), to)
    place += length
    done = place
  }
  return parts.length === 0 ? text : [...parts, text.slice(done)].join('')
}

/** The characters that may follow, and the macro if a token ends here. */
interface Branch {
  next: Map<number, Branch>
  macro?: string
}

function tokensOf(from: MacroTable): Branch {
  const root: Branch = { next: new Map() }
  for (const [macro, { plain, encoded }] of from) {
    for (const token of encoded === undefined ? [plain] : [plain, encoded]) {
      let branch = root
      for (let at = 0; at < token.length; at++) {
        const code = token.charCodeAt(at)
        const next = branch.next.get(code) ?? { next: new Map() }
        branch.next.set(code, next)
        branch = next
      }
      branch.macro ??= macro
    }
  }
  return root
}

function longestAt(
  text: string,
  from: number,
  tokens: Branch,
): { macro: string; length: number } | undefined {
  let found: { macro: string; length: number } | undefined
  let branch = tokens.next.get(text.charCodeAt(from))
  for (let at = from + 1; branch; at++) {
    if (branch.macro !== undefined) found = { macro: branch.macro, length: at - from }
    branch = branch.next.get(text.charCodeAt(at))
  }
  return found
}
