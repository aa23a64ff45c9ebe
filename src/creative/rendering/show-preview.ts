// What is behind the addresses of previews: a page that was drawn, the interactive page of a creative, or
// the creative drawn with the values of that page.

import type { MacroValues } from '../macros/universal-macros.ts'
import type { FoundPreview, PreviewBody, PreviewStore } from '../preview-store.ts'
import { keptTags } from './fetch-tag.ts'
import { interactivePage } from './interactive-page.ts'
import { readRecipe } from './recipe.ts'
import { renderManifest } from './render-manifest.ts'

export interface ShowPreviewPorts {
  previews: Pick<PreviewStore, 'get'>
  /** Hosts that markup and scripts of a creative may load from. Default none. */
  allowHosts?: readonly string[]
}

export type ShownPage = { ok: true; html: string; csp: string } | ShowRefusal

export interface ShowRefusal {
  ok: false
  status: 404 | 410
  error: string
}

export interface PreviewPages {
  page(previewId: string): Promise<ShownPage>
  interactive(previewId: string): Promise<ShownPage>
  /** `role` is the place among the renders, from 0. Macros that the format does not know are ignored. */
  render(previewId: string, wanted: { role: number; macros: MacroValues }): Promise<ShownPage>
}

export function showPreview({ previews, allowHosts = [] }: ShowPreviewPorts): PreviewPages {
  const find = async (previewId: string, kind: PreviewBody['kind']) =>
    IS_ID.test(previewId) ? liveBody(await previews.get(previewId), kind) : UNKNOWN
  return {
    page: async (previewId) => {
      const body = await find(previewId, 'page')
      return 'ok' in body ? body : { ok: true, html: body.text, csp: body.csp }
    },
    interactive: async (previewId) => {
      const body = await find(previewId, 'recipe')
      return 'ok' in body ? body : { ok: true, ...interactivePage(readRecipe(body.text)) }
    },
    render: async (previewId, { role, macros }) => {
      const body = await find(previewId, 'recipe')
      if ('ok' in body) return body
      const { manifest, format, tags, itemLimit } = readRecipe(body.text)
      const fetchTag = keptTags(tags)
      const all = await renderManifest(manifest, format, {
        macros,
        fetchTag,
        allowHosts,
        itemLimit,
      })
      const one = all[role]
      return one ? { ok: true, html: one.html, csp: one.csp } : UNKNOWN
    },
  }
}

const IS_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const UNKNOWN: ShowRefusal = { ok: false, status: 404, error: 'there is no such preview' }
const GONE: ShowRefusal = {
  ok: false,
  status: 410,
  error: 'this preview has expired: call preview_creative for a new one',
}

function liveBody(found: FoundPreview, kind: PreviewBody['kind']): PreviewBody | ShowRefusal {
  if (!found) return UNKNOWN
  if (found.state === 'gone') return GONE
  return found.body.kind === kind ? found.body : UNKNOWN
}
