// What the parts of one page share while it is drawn: the values of macros, what the page needs to load,
// and what is told below the creative and never loaded.

import { escapeMarkup, substituteMacros } from '../macros/substitute-macros.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import { type Markup, markup } from './markup.ts'

/** A line of the panel below: an address that is shown as text, or a remark. */
export interface Detail {
  label: string
  value: string
}

export interface Stage {
  readonly macros: MacroValues
  /** Hosts that markup and scripts of a creative may load from. */
  readonly allowHosts: readonly string[]
  /** Sources of images and media, as a content security policy names them. */
  readonly images: Set<string>
  readonly media: Set<string>
  hasFrame: boolean
  readonly details: Detail[]
  readonly notes: string[]
  /** How much inline material the page may still hold, in characters. */
  room: number
}

/** Inline material of one page, in characters: what is larger is told and not shown. */
const MAX_INLINE_CHARS = 2 * 1_024 * 1_024
const MAX_TEXT_CHARS = 5_000
const MAX_DETAILS = 200

export function createStage(macros: MacroValues, allowHosts: readonly string[]): Stage {
  return {
    macros,
    allowHosts,
    images: new Set(),
    media: new Set(),
    hasFrame: false,
    details: [],
    notes: [],
    room: MAX_INLINE_CHARS,
  }
}

/** A text of the manifest with its macros substituted, cut where it would fill the page. */
export function textOf(stage: Stage, text: string): Markup {
  const cut = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text
  return { markup: substituteMacros(escapeMarkup(cut), stage.macros, 'text') }
}

/** An address of the manifest with its macros substituted; still to be judged before it is loaded. */
export function addressOf(stage: Stage, url: string): string {
  return substituteMacros(url, stage.macros, 'url')
}

export function addDetail(stage: Stage, label: string, url: string): void {
  if (stage.details.length >= MAX_DETAILS) return
  stage.details.push({ label, value: addressOf(stage, url).slice(0, MAX_TEXT_CHARS) })
}

/** Takes room for inline material, or says that there is none. */
export function takeRoom(stage: Stage, chars: number): boolean {
  if (chars > stage.room) return false
  stage.room -= chars
  return true
}

export function notice(text: string): Markup {
  return markup`<p class="notice">${text}</p>`
}
