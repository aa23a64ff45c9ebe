// A format of the agent that can be previewed and built with what the doctor has: one whose required assets are only
// pictures, URLs, texts or markup.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { AgentContext } from './context.ts'

export interface UsableFormat {
  format_id: Record<string, unknown>
  /** An asset for each that is required. */
  assets: Record<string, Record<string, unknown>>
}

export function anyFormat(context: AgentContext): Promise<UsableFormat | undefined> {
  return context.once('format', async () => {
    const answer = await context.call('list_creative_formats', { type: 'display' })
    const formats = answer.ok && Array.isArray(answer.body.formats) ? answer.body.formats : []
    const usable = formats.filter(isObject).flatMap(usableFormat)
    return usable.find(({ assets }) => Object.values(assets).some(isPicture)) ?? usable[0]
  })
}

function isPicture({ asset_type }: Record<string, unknown>): boolean {
  return asset_type === 'image'
}

function usableFormat(format: Record<string, unknown>): UsableFormat[] {
  const { format_id, renders } = format
  const listed = Array.isArray(format.assets_required) ? format.assets_required : format.assets
  const size = sizeIn(renders)
  if (!isObject(format_id) || !size || !Array.isArray(listed)) return []
  const assets = new Map<string, Record<string, unknown>>()
  for (const one of listed.filter(isObject)) {
    if (one.required === false) continue
    const asset = assetOf(one.asset_type, size)
    if (!asset || typeof one.asset_id !== 'string') return []
    assets.set(one.asset_id, asset)
  }
  return [{ format_id, assets: Object.fromEntries(assets) }]
}

interface Size {
  width: number
  height: number
}

function sizeIn(renders: unknown): Size | undefined {
  const [first] = Array.isArray(renders) ? renders : []
  const dimensions = isObject(first) ? first.dimensions : undefined
  if (!isObject(dimensions)) return undefined
  const { width, height } = dimensions
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined
}

function assetOf(type: unknown, size: Size): Record<string, unknown> | undefined {
  if (type === 'image') return { asset_type: 'image', url: 'https://example.com/a.png', ...size }
  if (type === 'url') return { asset_type: 'url', url: 'https://example.com/' }
  if (type === 'text') return { asset_type: 'text', content: 'All is well' }
  if (type === 'html') return { asset_type: 'html', content: '<p>All is well</p>' }
  return undefined
}
