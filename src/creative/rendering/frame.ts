// Markup and scripts of a creative run in a frame of their own: an origin that is nobody's, no way out,
// no way up. The policy stands before the first byte of the creative, so it cannot be taken back.

import { substituteInHtml } from '../macros/substitute-in-html.ts'
import { escapeMarkup, substituteMacros } from '../macros/substitute-macros.ts'
import { type Markup, markup } from './markup.ts'
import type { PageSize } from './page.ts'
import { type Part, wordsOf } from './parts.ts'
import { framePolicy } from './policy.ts'
import { notice, type Stage, takeRoom } from './stage.ts'

const DEFAULT_SIZE: PageSize = { width: 600, height: 400 }

/** One frame for markup and scripts together, with the style sheets that came beside them. */
export function framedCreative(
  parts: readonly Part[],
  stage: Stage,
  size: PageSize | undefined,
): Markup {
  const content = parts.map((part) => contentOf(part, stage)).join('\n')
  const names = parts.map(({ name }) => wordsOf(name)).join(', ')
  return frameOf(content, stage, { size, title: names })
}

export function frameOf(
  content: string,
  stage: Stage,
  { size = DEFAULT_SIZE, title }: { size?: PageSize | undefined; title: string },
): Markup {
  const document = `${prologue(stage)}${content}`
  if (!takeRoom(stage, document.length)) {
    const kilobytes = Math.ceil(document.length / 1_024)
    return notice(`${title} is too large for a preview: ${kilobytes} KB.`)
  }
  stage.hasFrame = true
  return markup`<iframe title="${title}" sandbox="allow-scripts" referrerpolicy="no-referrer" width="${size.width}" height="${size.height}" srcdoc="${document}"></iframe>`
}

function prologue({ allowHosts }: Stage): string {
  const policy = escapeMarkup(framePolicy(allowHosts))
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer"><style>html,body{margin:0}</style>`
}

function contentOf({ type, asset }: Part, { macros }: Stage): string {
  const content = asset.content ?? ''
  if (type === 'css') return `<style>${cssOf(content, macros)}</style>`
  if (type !== 'javascript') return substituteInHtml(content, macros)
  const kind = asset.module_type === 'esm' ? ' type="module"' : ''
  // A script alone would run in the head, before there is a body to draw in.
  return `<body><script${kind}>${scriptOf(content, macros)}</script>`
}

/** The same script, without what would end its element; the values of macros are characters only. */
function scriptOf(content: string, macros: Stage['macros']): string {
  return substituteMacros(content, macros, 'url')
    .replace(/<\/(?=script)/gi, '<\\/')
    .replace(/<!--/g, '<\\!--')
}

function cssOf(content: string, macros: Stage['macros']): string {
  return substituteMacros(content, macros, 'url').replace(/<\/(?=style)/gi, '<\\/')
}
