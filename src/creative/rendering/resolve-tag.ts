// Follows a VAST or DAAST tag to the ad that it wraps, for display: at most five wrappers, each document
// fetched once through the egress guard. Trackers are gathered on the way and never called.

import type { Asset } from '../../protocol/schemas/assets.ts'
import { substituteMacros } from '../macros/substitute-macros.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import { type AdTag, readTag } from './read-tag.ts'

/** How the documents of tags are had. `given` is the address as it was written, before its macros. */
export type FetchTag = (address: { given: string; url: string }) => Promise<FetchedTag>

export type FetchedTag = { ok: true; text: string } | { ok: false; reason: string }

export interface ResolvedTag {
  /** What the documents said together: the last one's ad, and everybody's trackers. */
  tag: AdTag | undefined
  /** The addresses that were fetched, in order. */
  chain: string[]
  /** Why there is no ad to show, or not all of it. */
  fault: string | undefined
}

export const MAX_WRAPPERS = 5

export async function resolveTag(
  asset: Asset,
  { macros, fetchTag }: { macros: MacroValues; fetchTag: FetchTag },
): Promise<ResolvedTag> {
  const resolved: ResolvedTag = { tag: undefined, chain: [], fault: undefined }
  let text = asset.content
  let next = asset.content === undefined ? asset.url : undefined
  for (let wrappers = 0; ; wrappers++) {
    if (next !== undefined) {
      const url = substituteMacros(next, macros, 'url')
      if (resolved.chain.includes(url)) return { ...resolved, fault: 'the tag wraps itself' }
      resolved.chain.push(url)
      const fetched = await fetchTag({ given: next, url })
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
