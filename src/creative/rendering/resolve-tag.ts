// Follows a VAST or DAAST tag to the ad that it wraps, for display: at most five wrappers, and each document is
// fetched once. The documents that are still needed are reported to the caller, which can fetch them. Trackers are
// collected on the way and never called.

import type { Asset } from '../../protocol/schemas/assets.ts'
import { MAX_MACRO_GROWTH_CHARS, MAX_WRAPPERS } from '../limits.ts'
import { substituteMacros } from '../macros/substitute-macros.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import { type AdTag, readTag } from './read-tag.ts'

/** A URL as it was written, and with its macros substituted. */
export interface TagAddress {
  given: string
  url: string
}

/** The document at a URL; undefined if it has not been requested yet. */
export type FindTag = (address: TagAddress) => FetchedTag | undefined

export type FetchedTag = { ok: true; text: string } | { ok: false; reason: string }

export interface ResolvedTag {
  /** The combined content of the documents: the last one's ad, and the trackers of all. */
  tag: AdTag | undefined
  /** The URLs that were requested, in order. */
  chain: string[]
  /** The macros that were replaced in those URLs. */
  replaced: Set<string>
  /** Why there is no ad to show, or not all of it. */
  fault: string | undefined
  /** The document that is needed to follow it further. */
  wanted?: TagAddress
}

export function resolveTag(
  asset: Asset,
  { macros, findTag }: { macros: MacroValues; findTag: FindTag },
): ResolvedTag {
  const resolved: ResolvedTag = {
    tag: undefined,
    chain: [],
    replaced: new Set(),
    fault: undefined,
  }
  let text = asset.content
  let next = asset.content === undefined ? asset.url : undefined
  for (let wrappers = 0; ; wrappers++) {
    if (next !== undefined) {
      const { replaced } = resolved
      const room = { left: next.length + MAX_MACRO_GROWTH_CHARS, replaced }
      const url = substituteMacros(next, macros, { where: 'url', room }) ?? next
      if (resolved.chain.includes(url)) return { ...resolved, fault: 'the tag wraps itself' }
      resolved.chain.push(url)
      const address = { given: next, url }
      const fetched = findTag(address)
      if (!fetched) return { ...resolved, fault: 'the tag was not fetched', wanted: address }
      if (!fetched.ok) return { ...resolved, fault: fetched.reason }
      text = fetched.text
    }
    const read = readTag(text ?? '')
    if (!read.ok) return { ...resolved, fault: read.reason }
    resolved.tag = resolved.tag ? joined(resolved.tag, read.tag) : read.tag
    next = read.tag.wrapped
    if (next === undefined) return resolved
    if (wrappers === MAX_WRAPPERS) {
      return { ...resolved, fault: `more than ${MAX_WRAPPERS} wrappers in a row` }
    }
  }
}

function joined(outer: AdTag, inner: AdTag): AdTag {
  return {
    ...inner,
    title: inner.title ?? outer.title,
    clickThrough: inner.clickThrough ?? outer.clickThrough,
    companions: inner.companions.length > 0 ? inner.companions : outer.companions,
    trackers: [...outer.trackers, ...inner.trackers],
  }
}
