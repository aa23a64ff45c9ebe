// Draws a creative (spec 2.5, 4.2): one page for each render of its format. How a part is drawn depends only on its
// type, so that operators' formats are drawn like the built-in ones.

import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { MAX_SHOWN_ITEMS } from '../limits.ts'
import { type MacroValues, orderedMacros } from '../macros/universal-macros.ts'
import type { RenderDimensions } from '../renders.ts'
import { BRIEF_TYPES } from './brief.ts'
import { drawParts } from './draw-parts.ts'
import { lengthOf } from './media.ts'
import { type PageSize, pageOf } from './page.ts'
import { belongsTo, isTag, type ManifestPart, partsOf, rolesOf } from './parts.ts'
import { type FindTag, type ResolvedTag, resolveTag, type TagAddress } from './resolve-tag.ts'
import { createStage } from './stage.ts'

export interface Rendered {
  /** Its role in the creative: primary, companion … */
  role: string
  /** In pixels, if the format or the creative states it. */
  width?: number
  height?: number
  /** A complete document. */
  html: string
  /** The content-security-policy header to serve it with. */
  csp: string
  /** Whether it runs code of the creative, in a frame: then an embedder must allow scripts. */
  hasFrame: boolean
  /** URLs of the images that it displays, for callers that have to supply them. */
  loads: readonly string[]
}

export interface RenderOptions {
  /** Values of macros, including those that neither the protocol nor the format defines. */
  macros?: MacroValues | undefined
  /** The tags available by URL. Default: none, and the page says so. */
  findTag?: FindTag | undefined
  /** Hosts from which markup and scripts may load. Default none. */
  allowHosts?: readonly string[] | undefined
  /** Whether the frame of a creative reports to the page around it what it could not load. Default false. */
  isReporting?: boolean | undefined
  /** Maximum number of items shown for a group or catalogue. Default 50. */
  itemLimit?: number | undefined
}

export function renderManifest(
  manifest: CreativeManifest,
  format: Format,
  {
    macros = {},
    findTag = notFetched,
    allowHosts = [],
    isReporting = false,
    itemLimit = MAX_SHOWN_ITEMS,
  }: RenderOptions = {},
): Rendered[] {
  const parts = partsOf(manifest, format)
  const values = orderedMacros(macros)
  const tags = resolveTags(parts, values, findTag)
  const renders = rolesOf(format)
  const roles = renders.map(({ role }) => role)
  return renders.map(({ role, dimensions }, index) => {
    const own = parts.filter((part) => belongsTo(part, roles) === role)
    const size = sizeOf(dimensions as RenderDimensions | undefined, own)
    const stage = createStage(values, allowHosts, { isReporting })
    const blocks = drawParts(own, stage, {
      format,
      size,
      itemLimit,
      tags,
      // Companions of a tag are drawn with it, unless the format has a render for them.
      companions: index > 0 ? 'only' : roles.length > 1 ? 'none' : 'also',
    })
    const chips = chipsOf(format, role, own)
    const { html, csp } = pageOf({ title: format.name, chips, size, blocks }, stage)
    return { role, ...size, html, csp, hasFrame: stage.hasFrame, loads: [...stage.loads] }
  })
}

const notFetched: FindTag = () => ({ ok: false, reason: 'tags are not fetched here' })

function resolveTags(
  parts: readonly ManifestPart[],
  macros: MacroValues,
  findTag: FindTag,
): Map<ManifestPart, ResolvedTag> {
  return new Map(
    parts.filter(isTag).map((part) => [part, resolveTag(part.asset, { macros, findTag })]),
  )
}

interface TagSearch {
  /** The variants to draw, each with its macro values. */
  inputs: readonly { macros?: MacroValues | undefined }[]
  findTag: FindTag
}

/** The tags that have to be fetched before the creative can be drawn in all these variants. */
export function wantedTags(
  manifest: CreativeManifest,
  format: Format,
  { inputs, findTag }: TagSearch,
): TagAddress[] {
  const tags = partsOf(manifest, format).filter(isTag)
  if (tags.length === 0) return []
  const wanted = new Map<string, TagAddress>()
  for (const { macros = {} } of inputs) {
    const values = orderedMacros(macros)
    for (const { wanted: address } of resolveTags(tags, values, findTag).values()) {
      if (address) wanted.set(address.url, address)
    }
  }
  return [...wanted.values()]
}

/** The render's own size in pixels, or the size of the largest element displayed in it. */
function sizeOf(
  dimensions: RenderDimensions | undefined,
  parts: readonly ManifestPart[],
): PageSize | undefined {
  const { width, height, unit = 'px' } = dimensions ?? {}
  if (width !== undefined && height !== undefined) {
    return unit === 'px' || unit === 'dp' ? { width, height } : undefined
  }
  if (dimensions?.responsive?.width || dimensions?.responsive?.height) return undefined
  const main = parts.filter(({ name, isGrouped }) => !isGrouped && !/icon|logo/.test(name))
  const sized = main.flatMap(({ type, asset }) =>
    (type === 'image' || type === 'video') && asset.width && asset.height
      ? [{ width: asset.width, height: asset.height }]
      : [],
  )
  return sized.sort((a, b) => b.width * b.height - a.width * a.height)[0]
}

function chipsOf(format: Format, role: string, parts: readonly ManifestPart[]): string[] {
  const durationMs = parts.find(({ asset }) => asset.duration_ms !== undefined)?.asset.duration_ms
  const isBrief = parts.some(({ type }) => BRIEF_TYPES.has(type)) && !!format.output_format_ids
  return [
    ...(durationMs === undefined ? [] : [lengthOf(durationMs)]),
    format.type,
    ...(role === 'primary' ? [] : [role]),
    ...(isBrief ? ['not generated yet'] : []),
  ]
}
