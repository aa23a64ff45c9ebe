// State shared by the parts of one page while it is drawn: macro values, what the page needs to load, how much may
// still be written, and what is listed below the creative and never loaded.

import {
  MAX_DETAILS,
  MAX_INLINE_CHARS,
  MAX_MACRO_GROWTH_CHARS,
  MAX_REPORTED,
  MAX_TEXT_CHARS,
} from '../limits.ts'
import { escapeMarkup, type MacroRoom, substituteMacros } from '../macros/substitute-macros.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import { type Markup, markup } from './markup.ts'

/** A line of the panel below: a URL displayed as text, or a remark. */
export interface Detail {
  label: string
  value: string
}

export interface PageStage {
  readonly macros: MacroValues
  /** Hosts from which markup and scripts of a creative may load. */
  readonly allowHosts: readonly string[]
  /** Sources of images and media, in content security policy syntax. */
  readonly images: Set<string>
  readonly media: Set<string>
  /** URLs of images that the page itself displays, in the form in which a browser requests them. */
  readonly loads: Set<string>
  hasFrame: boolean
  readonly details: Detail[]
  /** The total number, including those that are not listed. */
  detailCount: number
  /** What the frame requests but does not load, each with the reason. */
  readonly notLoaded: Detail[]
  /** The total number, including those that are not listed. */
  notLoadedCount: number
  /** Whether the frame reports to its parent page what it could not load. */
  readonly isReporting: boolean
  /** Each once. */
  readonly notes: Set<string>
  /**
   * How much of the creative's own content the page may still contain, in characters, and the macros replaced in it.
   */
  readonly room: Required<MacroRoom>
}

const MAX_NOTE_CHARS = 500

export function createStage(
  macros: MacroValues,
  allowHosts: readonly string[],
  { isReporting = false }: { isReporting?: boolean } = {},
): PageStage {
  return {
    macros,
    allowHosts,
    images: new Set(),
    media: new Set(),
    loads: new Set(),
    hasFrame: false,
    details: [],
    detailCount: 0,
    notLoaded: [],
    notLoadedCount: 0,
    isReporting,
    notes: new Set(),
    room: { left: MAX_INLINE_CHARS, replaced: new Set() },
  }
}

export function note(stage: PageStage, text: string): void {
  if (stage.notes.size < MAX_REPORTED) stage.notes.add(text.slice(0, MAX_NOTE_CHARS))
}

/** A text of the manifest, truncated if it would fill the page. */
export function cutText(text: string): string {
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text
}

/** The same, with its macros substituted. */
export function textOf(stage: PageStage, text: string): Markup {
  const written = substituted(stage, escapeMarkup(cutText(text)), 'text')
  if (takeRoom(stage, written.length)) return { markup: written }
  note(stage, 'Not every text is displayed: there are too many for one page.')
  return { markup: '…' }
}

/** A URL of the manifest with its macros substituted; it must still be checked before it is loaded. */
export function addressOf(stage: PageStage, url: string): string {
  return substituted(stage, url, 'url')
}

/** With its macros unchanged if their values would make it much longer. */
function substituted(stage: PageStage, text: string, where: 'text' | 'url'): string {
  const { replaced } = stage.room
  const room = { left: text.length + MAX_MACRO_GROWTH_CHARS, replaced }
  const written = substituteMacros(text, stage.macros, { where, room })
  if (written !== undefined) return written
  const limit = `${MAX_MACRO_GROWTH_CHARS} characters`
  note(stage, `The values of macros would make a text or an address more than ${limit} longer.`)
  return text
}

export function addDetail(stage: PageStage, label: string, url: string): void {
  stage.detailCount += 1
  if (stage.details.length >= MAX_DETAILS) return
  stage.details.push({ label, value: addressOf(stage, url).slice(0, MAX_TEXT_CHARS) })
}

/** Reserves room for inline material, or reports that there is none. */
export function takeRoom({ room }: PageStage, chars: number): boolean {
  if (chars > room.left) return false
  room.left -= chars
  return true
}

export function notice(text: string): Markup {
  return markup`<p class="notice">${text}</p>`
}
