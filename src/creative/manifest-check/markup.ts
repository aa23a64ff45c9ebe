// Whether html, css and javascript are what they say, and what they load (spec 2.4). A plausibility
// check: nothing is run.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { isBelow } from './address.ts'
import type { Faults } from './fault.ts'
import { checkWeight } from './media.ts'

type Members = Readonly<Record<string, unknown>>

const TAG = /<[a-z!][^<>]*>/i

export function checkHtml(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { content } = asset
  if (typeof content !== 'string') return
  if (!TAG.test(content)) {
    faults.add('content', ['content'], 'The html must hold markup, such as <a href="…">…</a>.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults, 'content')
  checkLoaded(content, requirements, faults)
}

export function checkCss(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { content } = asset
  if (typeof content !== 'string') return
  if (!holdsRule(content)) {
    faults.add('content', ['content'], 'The css must hold a rule, such as a { color: red }.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults, 'content')
}

/** A selector and its braces, or an import. By searching, since a pattern takes its time over both. */
function holdsRule(content: string): boolean {
  const open = content.indexOf('{')
  if (open > 0 && content.slice(0, open).trim() !== '' && content.indexOf('}', open) > 0)
    return true
  return /@import\s/i.test(content)
}

export function checkJavascript(
  asset: Members,
  requirements: AssetRequirements,
  faults: Faults,
): void {
  const { content, module_type } = asset
  if (typeof content !== 'string') return
  if (content.trim() === '') {
    faults.add('content', ['content'], 'The script is empty: give its source.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults, 'content')
  checkLoaded(content, requirements, faults)
  if (requirements.strict_mode_required && !/^\s*['"]use strict['"]/.test(content)) {
    faults.add('strict_mode_required', ['content'], "The script must begin with 'use strict'.")
  }
  const wanted = requirements.module_type
  if (wanted === undefined || typeof module_type !== 'string') return
  const isModule = module_type === 'esm' || module_type === 'module'
  if (isModule === (wanted === 'module')) return
  const message = `The script must be of the kind ${wanted}.`
  faults.add('module_type', ['module_type'], message, { expected: wanted, actual: module_type })
}

/** Places from which a browser loads by itself; a link that is clicked is none. */
const LOADED =
  /(?:\b(?:src|srcset|poster|data|background)\s{0,9}=\s{0,9}["']?|<link\b[^<>]{0,500}?\bhref\s{0,9}=\s{0,9}["']?|url\(\s{0,9}["']?|@import\s{1,9}["'])\s{0,9}(?:https?:)?\/\/([^/"'\s)>?#:]{1,253})/gi

function checkLoaded(content: string, requirements: AssetRequirements, faults: Faults): void {
  const { external_resources_allowed: mayLoad, allowed_external_domains: domains } = requirements
  if (mayLoad !== false && !domains?.length) return
  const hosts = new Set([...content.matchAll(LOADED)].map(([, host]) => host as string))
  const allowed = domains ?? []
  const foreign = [...hosts].filter((host) => !isBelow(host, allowed))
  if (foreign.length === 0) return
  const told = foreign.slice(0, 5).join(', ')
  if (allowed.length > 0) {
    const message = `Load only from ${allowed.join(', ')}, not from ${told}.`
    const values = { expected: allowed, actual: foreign.slice(0, 20) }
    faults.add('allowed_external_domains', ['content'], message, values)
  } else {
    const message = `Load nothing from elsewhere: everything stands in the content, not at ${told}.`
    const values = { expected: false, actual: foreign.slice(0, 20) }
    faults.add('external_resources_allowed', ['content'], message, values)
  }
}
