// Draws a creative once for the same format, assets and values of macros, and remembers the pages with
// their digests. What was drawn from a fetched tag is not remembered: the tag may change.

import { hash } from 'node:crypto'
import { createRecentCache } from '../../lib/recent-cache.ts'
import type { CreativeManifest } from '../../protocol/schemas/creative-manifest.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { knownMacros, type MacroValues } from '../macros/universal-macros.ts'
import type { PreviewBody } from '../preview-store.ts'
import { isTag, partsOf } from './parts.ts'
import { type Rendered, type RenderOptions, renderManifest } from './render-manifest.ts'

export interface DrawnPage {
  rendered: Rendered
  body: PreviewBody
}

export interface RenderCache {
  /** A way to draw this creative with any values. */
  drawing(
    manifest: CreativeManifest,
    format: Format,
    options: Omit<RenderOptions, 'macros'>,
  ): (macros: MacroValues) => Promise<readonly DrawnPage[]>
}

/** At most 16 million characters in all. */
const KEPT_CREATIVES = 512
const MAX_KEPT_CHARS = 32 * 1_024

export function createRenderCache(): RenderCache {
  const kept = createRecentCache<readonly DrawnPage[]>(KEPT_CREATIVES)
  return {
    drawing: (manifest, format, options) => {
      const draw = async (macros: MacroValues) =>
        (await renderManifest(manifest, format, { ...options, macros })).map(drawnPage)
      if (partsOf(manifest, format).some(isTag)) return draw
      const { itemLimit = null } = options
      // The same creative in another order of its members is drawn again, and stored once all the same.
      const creative = digestOf(JSON.stringify([format.format_id, manifest.assets, itemLimit]))
      return async (macros) => {
        const key = `${creative} ${JSON.stringify(knownMacros(macros, format))}`
        const known = kept.get(key)
        if (known) return known
        const drawn = await draw(macros)
        const chars = drawn.reduce((sum, { body }) => sum + body.text.length, key.length)
        if (chars <= MAX_KEPT_CHARS) kept.set(key, drawn)
        return drawn
      }
    },
  }
}

export function bodyOf(kind: PreviewBody['kind'], text: string, csp: string): PreviewBody {
  return { digest: digestOf(`${kind}\n${csp}\n${text}`), kind, csp, text }
}

function drawnPage(rendered: Rendered): DrawnPage {
  return { rendered, body: bodyOf('page', rendered.html, rendered.csp) }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
