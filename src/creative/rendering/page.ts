// A whole preview page: caption, creative, and the panels below it, as one document with its policy.

import { EMPTY_MARKUP, type Markup, markup } from './markup.ts'
import { pageStyle } from './page-style.ts'
import { pagePolicy } from './policy.ts'
import type { Detail, PageStage } from './stage.ts'

export interface PageSize {
  width: number
  height: number
}

export interface PageContent {
  /** Name of the format. */
  title: string
  /** Short remarks next to it: the type, the role, the length. */
  chips: readonly string[]
  size: PageSize | undefined
  blocks: readonly Markup[]
}

export function pageOf(content: PageContent, stage: PageStage): { html: string; csp: string } {
  const { title, chips, size, blocks } = content
  const stageContent = blocks.map(({ markup: text }) => text).join('')
  const style = pageStyle(size, stageContent)
  const policy = pagePolicy(stage, style.hash)
  const returned = [...(size ? [sizeChip(size)] : []), ...chips]
  const { markup: html } = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy.meta}"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${{ markup: style.css }}</style></head>
<body><main class="page"><article class="card"><header class="caption"><h1>${title}</h1>${returned.map((chip) => markup`<span class="chip">${chip}</span>`)}</header>
<section class="stage">${{ markup: stageContent }}</section>
${panels(stage)}</article></main></body></html>
`
  return { html, csp: policy.header }
}

/** As a named entity: an ASCII-only page is hashed, stored and sent several times as fast. */
function sizeChip({ width, height }: PageSize): Markup {
  return markup`${width} &times; ${height}`
}

function panels(stage: PageStage): Markup[] {
  const { details, detailCount, notLoaded, notLoadedCount, notes, macros, room } = stage
  const values = Object.entries(macros).flatMap(([label, value]) =>
    room.replaced.has(label) ? [{ label, value }] : [],
  )
  const hidden = detailCount - details.length
  const hiddenRequested = notLoadedCount - notLoaded.length
  const remarks = [
    ...notes,
    ...(hidden > 0 ? [`${hidden} more addresses are not listed.`] : []),
    ...(hiddenRequested > 0
      ? [`${hiddenRequested} more addresses that are not loaded are not listed.`]
      : []),
  ]
  return [
    // Open: what is missing in the picture has to be visible with it.
    panel(`Requested by the creative and not loaded here (${notLoadedCount})`, notLoaded, 'open'),
    panel(`Addresses and trackers, none of them opened (${detailCount})`, details),
    panel(`Macro values used (${values.length})`, values),
    panel(
      `Remarks (${remarks.length})`,
      remarks.map((value, index) => ({ label: `${index + 1}`, value })),
    ),
  ]
}

function panel(title: string, rows: readonly Detail[], state?: 'open'): Markup {
  if (rows.length === 0) return EMPTY_MARKUP
  const lines = rows.map(({ label, value }) => markup`<dt>${label}</dt><dd>${value}</dd>`)
  return markup`<details class="panel"${state && markup` open`}><summary>${title}</summary><dl>${lines}</dl></details>
`
}
