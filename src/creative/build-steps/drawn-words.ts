// The words that a creative actually displays, asset by asset (spec 4.2): read from the result, after shortening, not
// from what was intended.

import type { SentAsset } from '../../protocol/schemas/assets.ts'
import { ROLES, type Scene } from '../layout-engine/scene.ts'
import { withoutSoftHyphens } from '../layout-engine/shaping/hyphenation/hyphen-breaks.ts'
import { withoutMarkup } from '../message/clean.ts'
import { type Draft, type DraftAsset, type DrawnText, isPictureWork, isVideoWork } from './draft.ts'

/** @internal */
export interface DrawnWords extends Pick<DraftAsset, 'name' | 'part' | 'isCarried'> {
  texts: readonly DrawnText[]
}

/**
 * Assets without words have no texts. Words inside pictures of the request are not known.
 * @internal
 */
export function drawnWordsOf({ assets }: Pick<Draft, 'assets'>): DrawnWords[] {
  return assets.map(({ name, part, isCarried, words }) => ({
    name,
    isCarried,
    texts: words,
    ...(part !== undefined && { part }),
  }))
}

/** In reading order; a text that several scenes show is included once. */
export function wordsOfScenes(scenes: readonly Scene[]): DrawnText[] {
  const found = new Map<string, DrawnText>()
  for (const { parts } of scenes) {
    for (const role of ROLES) {
      for (const { texts, said } of parts.filter((part) => part.role === role)) {
        const drawn = said === undefined ? texts.map(({ set }) => set.text) : [said]
        for (const one of drawn.filter((text) => text !== '')) {
          const text = withoutSoftHyphens(one)
          found.set(`${role} ${text}`, { role, text })
        }
      }
    }
  }
  return [...found.values()]
}

/** Of an asset that is no drawing. */
export function wordsOfAsset(role: DrawnText['role'], content: DraftAsset['content']): DrawnText[] {
  if (isPictureWork(content) || isVideoWork(content)) return []
  const { asset_type, content: text } = content as SentAsset
  if (typeof text !== 'string') return []
  if (asset_type === 'text' || asset_type === 'markdown') return [{ role, text }]
  return asset_type === 'html' ? [{ role, text: withoutMarkup(withoutTitle(text)) }] : []
}

/** The title of a document is not displayed in the banner. */
function withoutTitle(markup: string): string {
  const lower = markup.toLowerCase()
  const start = lower.indexOf('<title')
  const end = start < 0 ? -1 : lower.indexOf('</title', start)
  return end < 0 ? markup : markup.slice(0, start) + markup.slice(end)
}
