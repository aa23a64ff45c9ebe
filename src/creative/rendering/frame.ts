// Markup and scripts of a creative run in a separate frame: an opaque origin, with no way to reach the outside or
// the parent page. The policy precedes the first byte of the creative, so it cannot be revoked.

import { substituteInHtml } from '../macros/substitute-in-html.ts'
import { escapeMarkup, type MacroRoom, substituteMacros } from '../macros/substitute-macros.ts'
import { type Markup, markup } from './markup.ts'
import { noteNotLoaded } from './not-loaded.ts'
import type { PageSize } from './page.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import { framePolicy } from './policy.ts'
import { REPORTER } from './report-not-loaded.ts'
import { notice, type PageStage, takeRoom } from './stage.ts'

const DEFAULT_SIZE: PageSize = { width: 600, height: 400 }

/** One frame for markup and scripts together, with the style sheets supplied with them. */
export function framedCreative(
  parts: readonly ManifestPart[],
  stage: PageStage,
  size: PageSize | undefined,
): Markup {
  const title = parts.map(({ name }) => wordsOf(name)).join(', ')
  const room = { left: stage.room.left, replaced: new Set<string>() }
  const written: string[] = []
  for (const part of parts) {
    const content = contentOf(part, stage, room)
    if (content === undefined) return tooLarge(title)
    written.push(content)
  }
  return framed(written.join('\n'), stage, { size, title, replaced: room.replaced })
}

/** A frame with markup of a tag. */
export function frameOf(
  html: string,
  stage: PageStage,
  { size, title }: { size?: PageSize | undefined; title: string },
): Markup {
  const room = { left: stage.room.left, replaced: new Set<string>() }
  const content = substituteInHtml(html, stage.macros, room)
  if (content === undefined) return tooLarge(title)
  return framed(content, stage, { size, title, replaced: room.replaced })
}

interface FrameOptions {
  size?: PageSize | undefined
  title: string
  /** The macros that were replaced in the markup. */
  replaced: ReadonlySet<string>
}

function framed(
  content: string,
  stage: PageStage,
  { size = DEFAULT_SIZE, title, replaced }: FrameOptions,
): Markup {
  const head = prologue(stage)
  if (!takeRoom(stage, head.length + content.length)) return tooLarge(title)
  for (const name of replaced) stage.room.replaced.add(name)
  stage.hasFrame = true
  noteNotLoaded(content, stage)
  return markup`<iframe title="${title}" sandbox="allow-scripts" referrerpolicy="no-referrer" width="${size.width}" height="${size.height}" srcdoc="${head.escaped}${content}"></iframe>`
}

/** Computed before it is built: a few macros with long values can expand to gigabytes. */
function tooLarge(title: string): Markup {
  return notice(`${title} is too large for a preview.`)
}

interface Prologue {
  length: number
  /** As it appears in an attribute. */
  escaped: Markup
}

const prologues = new WeakMap<readonly string[], { reporting?: Prologue; quiet?: Prologue }>()

/** Built once per list of hosts: those of a server do not change. */
function prologue({ allowHosts, isReporting }: PageStage): Prologue {
  const known = prologues.get(allowHosts) ?? {}
  const kind = isReporting ? 'reporting' : 'quiet'
  const text = known[kind] === undefined ? prologueText(allowHosts, isReporting) : ''
  const found = known[kind] ?? { length: text.length, escaped: markup`${text}` }
  prologues.set(allowHosts, { ...known, [kind]: found })
  return found
}

function prologueText(allowHosts: readonly string[], isReporting: boolean): string {
  const policy = escapeMarkup(framePolicy(allowHosts))
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer"><style>html,body{margin:0}</style>${isReporting ? REPORTER : ''}`
}

function contentOf(
  { type, asset }: ManifestPart,
  { macros }: PageStage,
  room: MacroRoom,
): string | undefined {
  const content = asset.content ?? ''
  if (type !== 'css' && type !== 'javascript') return substituteInHtml(content, macros, room)
  const written = substituteMacros(content, macros, { where: 'url', room })
  if (written === undefined) return undefined
  if (type === 'css') return `<style>${cssOf(written)}</style>`
  const kind = asset.module_type === 'esm' ? ' type="module"' : ''
  // A script on its own would run in the head, before there is a body to draw in.
  return `<body><script${kind}>${scriptOf(written)}</script>`
}

/** The same script, without anything that would end its element; macro values are only characters. */
function scriptOf(script: string): string {
  return script.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--')
}

function cssOf(css: string): string {
  return css.replace(/<\/(?=style)/gi, '<\\/')
}
