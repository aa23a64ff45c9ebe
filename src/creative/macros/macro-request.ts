// The ad server names to use for the macros of a build (spec 2.5): `ext.macro_names`, with `from` and `to` as the
// name of a known ad server, or as a table from the caller.

import { ProtocolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { SentCreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import { MAX_MACRO_TOKENS } from '../limits.ts'
import { AD_SERVERS, type MacroTable } from './ad-server-macros.ts'
import {
  emptyReport,
  type MacroPlace,
  type MacroReport,
  type MacroRequest,
  translateAssets,
} from './translate-macros.ts'
import { isUniversalMacro } from './universal-macros.ts'

/** Undefined if nothing is requested. Throws INVALID_REQUEST for an unknown ad server. */
export function macroRequestOf({
  ext,
}: Readonly<Record<string, unknown>>): MacroRequest | undefined {
  const requested = isObject(ext) ? ext.macro_names : undefined
  if (requested === undefined) return undefined
  if (!isObject(requested) || (requested.from === undefined && requested.to === undefined)) {
    throw wrong('', 'give from or to: an ad server, or a table of its names')
  }
  return { from: tableOf(requested.from, '/from'), to: tableOf(requested.to, '/to') }
}

/** Excludes characters that would end a URL, an attribute or a tag. */
const TOKEN = /^[^\s"'<>\\]{1,200}$/

function tableOf(given: unknown, at: string): MacroTable | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string') {
    const known = AD_SERVERS.get(given)
    if (known) return known
    throw wrong(at, `must be one of ${[...AD_SERVERS.keys()].join(', ')}, or a table of names`)
  }
  const entries = isObject(given) ? Object.entries(given) : []
  if (entries.length === 0 || entries.length > MAX_MACRO_TOKENS) {
    throw wrong(at, `a table has 1 to ${MAX_MACRO_TOKENS} names`)
  }
  return new Map(
    entries.map(([macro, token]) => {
      if (!isUniversalMacro(macro)) throw wrong(`${at}/${macro}`, 'this is not a universal macro')
      if (typeof token !== 'string' || !TOKEN.test(token)) {
        throw wrong(
          `${at}/${macro}`,
          'a name must be 1 to 200 characters without quotes and spaces',
        )
      }
      return [macro, { plain: token }]
    }),
  )
}

function wrong(at: string, message: string): ProtocolError {
  return new ProtocolError('INVALID_REQUEST', message, { field: `/ext/macro_names${at}` })
}

/** The manifests with these names, and what was done with their macros. Each place is reported once. */
export function withMacroNames(
  manifests: readonly SentCreativeManifest[],
  preference: MacroRequest | undefined,
): { manifests: readonly SentCreativeManifest[]; report?: MacroReport } {
  if (!preference) return { manifests }
  const report = emptyReport()
  const translated = manifests.map((manifest) => ({
    ...manifest,
    assets: translateAssets(manifest.assets, preference, report),
  }))
  return { manifests: translated, report: briefly(report) }
}

const MAX_REPORTED = 200

function briefly(report: MacroReport): MacroReport {
  const once = <One extends MacroPlace>(list: readonly One[]): One[] => {
    const seen = new Map(list.map((one) => [JSON.stringify(one), one]))
    return [...seen.values()].slice(0, MAX_REPORTED)
  }
  const { translated, dropped, dropped_consent, left } = report
  return {
    translated: once(translated),
    dropped: once(dropped),
    dropped_consent: once(dropped_consent),
    left: once(left),
  }
}
