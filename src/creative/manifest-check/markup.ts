// Whether html, css and javascript are what they claim to be, and what they load (spec 2.4). A plausibility check:
// nothing is run.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { MAX_MARKUP_CHARS } from '../limits.ts'
import { isBelow } from './address.ts'
import type { Faults } from './fault.ts'
import { checkWeight } from './media.ts'

type Members = Readonly<Record<string, unknown>>

const TAG = /<[a-z!][^<>]*>/i

export function checkHtml(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { content } = asset
  if (typeof content !== 'string' || !checkChars(content, faults)) return
  if (!TAG.test(content)) {
    faults.at('content').add('content', 'The html must contain markup, such as <a href="…">…</a>.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults.at('content'))
  checkLoaded(content, requirements, faults)
}

/** False for text that is too long to check further. */
function checkChars(content: string, faults: Faults): boolean {
  if (content.length <= MAX_MARKUP_CHARS) return true
  const message = `This must be at most ${MAX_MARKUP_CHARS} characters long.`
  const values = { expected: MAX_MARKUP_CHARS, actual: content.length }
  faults.at('content').add('max_length', message, values)
  return false
}

export function checkCss(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { content } = asset
  if (typeof content !== 'string' || !checkChars(content, faults)) return
  if (!holdsRule(content)) {
    faults.at('content').add('content', 'The css must contain a rule, such as a { color: red }.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults.at('content'))
}

/** A selector with braces, or an import. Uses searching, since a regular expression is slow for both. */
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
  if (typeof content !== 'string' || !checkChars(content, faults)) return
  if (content.trim() === '') {
    faults.at('content').add('content', 'The script must not be empty.')
  }
  checkWeight(Buffer.byteLength(content), requirements, faults.at('content'))
  checkLoaded(content, requirements, faults)
  if (requirements.strict_mode_required && !/^\s*['"]use strict['"]/.test(content)) {
    faults.at('content').add('strict_mode_required', "The script must begin with 'use strict'.")
  }
  const wanted = requirements.module_type
  if (wanted === undefined || typeof module_type !== 'string') return
  const isModule = module_type === 'esm' || module_type === 'module'
  if (isModule === (wanted === 'module')) return
  const message = `The script must be of the kind ${wanted}.`
  faults.at('module_type').add('module_type', message, { expected: wanted, actual: module_type })
}

const HOST = /\/\/([^/"' )>?#:]+)/g
/** What precedes a host from which a browser loads automatically; a link to click does not count. */
const LOADS =
  /(?:\b(?:src|srcset|poster|data|background) ?= ?["']?|url\( ?["']?|@import ["']) ?(?:https?:)?$/i
/** The maximum length of that, with single spaces. */
const MAX_BEFORE = 32
const LINK = /<link\b[^<>]*/gi
const HREF = /\bhref ?= ?["']? ?(?:https?:)?\/\/([^/"' )>?#:]+)/gi

function hostsIn(content: string): Set<string> {
  const flat = content.replace(/\s+/g, ' ')
  const hosts = new Set<string>()
  for (const { 1: host, index } of flat.matchAll(HOST)) {
    const before = flat.slice(Math.max(index - MAX_BEFORE, 0), index)
    if (LOADS.test(before)) hosts.add((host as string).slice(0, 253))
  }
  for (const [link] of flat.matchAll(LINK)) {
    for (const [, host] of link.matchAll(HREF)) hosts.add((host as string).slice(0, 253))
  }
  return hosts
}

function checkLoaded(content: string, requirements: AssetRequirements, faults: Faults): void {
  const { external_resources_allowed: mayLoad, allowed_external_domains: domains } = requirements
  if (mayLoad !== false && !domains?.length) return
  const allowed = domains ?? []
  const foreign = [...hostsIn(content)].filter((host) => !isBelow(host, allowed))
  if (foreign.length === 0) return
  const reported = foreign.slice(0, 5).join(', ')
  if (allowed.length > 0) {
    const message = `Load only from ${allowed.join(', ')}, not from ${reported}.`
    const values = { expected: allowed, actual: foreign.slice(0, 20) }
    faults.at('content').add('allowed_external_domains', message, values)
  } else {
    const message = `Nothing may be loaded from another host: include everything in content instead of ${reported}.`
    const values = { expected: false, actual: foreign.slice(0, 20) }
    faults.at('content').add('external_resources_allowed', message, values)
  }
}
