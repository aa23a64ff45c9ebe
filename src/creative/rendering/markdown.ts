// Markdown as a page shows it: the basics of CommonMark, in time linear in the text. HTML in it is text. It is
// truncated like every text before it is read, and its macros are inserted last, so that no value is read as
// Markdown.

import { markdownLine } from './markdown-line.ts'
import { type Markup, markup } from './markup.ts'
import { cutText, type PageStage, textOf } from './stage.ts'

/** Nesting depth of lists and quotes; anything deeper is text. Each level reads its lines once more. */
const MAX_DEPTH = 8

export function markdownOf(text: string, stage: PageStage): Markup {
  const lines = cutText(text).replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n')
  return markup`<div class="md">${blocksOf(lines, { stage, depth: 0, isTight: false })}</div>`
}

interface Place {
  stage: PageStage
  depth: number
  /** Whether paragraphs have no space around them, as in a list without empty lines. */
  isTight: boolean
}

/** The block that begins at a line, and the line after it; undefined if another kind begins there. */
type Read = (lines: readonly string[], at: number, place: Place) => [Markup, number] | undefined

function blocksOf(lines: readonly string[], place: Place): Markup[] {
  const blocks: Markup[] = []
  let at = 0
  while (at < lines.length) {
    if (isEmpty(lines[at])) {
      at += 1
      continue
    }
    const [block, next] = firstOf(lines, at, place)
    blocks.push(block)
    at = next
  }
  return blocks
}

function firstOf(lines: readonly string[], at: number, place: Place): [Markup, number] {
  for (const read of place.depth < MAX_DEPTH ? [...LEAVES, quote, list] : LEAVES) {
    const found = read(lines, at, place)
    if (found) return found
  }
  return paragraph(lines, at, place)
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?: |$)/
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])(?: +|$)/

const fence: Read = (lines, at, { stage }) => {
  const mark = FENCE.exec(lines[at] as string)?.[1]
  if (mark === undefined) return undefined
  let end = at + 1
  while (end < lines.length && !closes(lines[end] as string, mark)) end += 1
  return [codeOf(lines.slice(at + 1, end), stage), end + 1]
}

function closes(line: string, mark: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= mark.length && trimmed === (mark[0] as string).repeat(trimmed.length)
}

const indented: Read = (lines, at, { stage }) => {
  let end = at
  while (end < lines.length && (lines[end] as string).startsWith('    ')) end += 1
  if (end === at) return undefined
  const code = lines.slice(at, end).map((line) => line.slice(4))
  return [codeOf(code, stage), end]
}

function codeOf(lines: readonly string[], stage: PageStage): Markup {
  return markup`<pre><code>${textOf(stage, lines.join('\n'))}</code></pre>`
}

const heading: Read = (lines, at, { stage }) => {
  const line = lines[at] as string
  const found = HEADING.exec(line)
  if (!found) return undefined
  const words = withoutHashes(line.slice(found[0].length).trim())
  return [headingOf((found[1] as string).length, words, stage), at + 1]
}

/** A heading may end as it begins. */
function withoutHashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trim() : text
}

/** One level lower than written: the page has its own heading. */
function headingOf(level: number, text: string, stage: PageStage): Markup {
  const tag = { markup: `h${Math.min(level + 1, 6)}` }
  return markup`<${tag}>${markdownLine(text, stage)}</${tag}>`
}

const rule: Read = (lines, at) =>
  RULE.test(lines[at] as string) ? [markup`<hr>`, at + 1] : undefined

const quote: Read = (lines, at, place) => {
  if (!QUOTE.test(lines[at] as string)) return undefined
  let end = at
  while (end < lines.length && (QUOTE.test(lines[end] as string) || isGoingOn(lines, end))) end += 1
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''))
  const blocks = blocksOf(inner, { ...place, depth: place.depth + 1, isTight: false })
  return [markup`<blockquote>${blocks}</blockquote>`, end]
}

const list: Read = (lines, at, place) => {
  const first = ITEM.exec(lines[at] as string)
  if (!first) return undefined
  const kind = kindOf(first)
  const items: string[][] = []
  let end = at
  while (end < lines.length) {
    const found = ITEM.exec(lines[end] as string)
    if (!found || kindOf(found) !== kind || RULE.test(lines[end] as string)) break
    const next = endOfItem(lines, end, found)
    items.push(itemLines(lines.slice(end, next), found))
    end = next
  }
  if (items.length === 0) return undefined
  // Empty lines after the last item are not part of the list.
  const last = items.at(-1) as string[]
  while (last.length > 1 && isEmpty(last.at(-1))) last.pop()
  const isTight = !items.some((item) => item.slice(1).some(isEmpty))
  const inner = { ...place, depth: place.depth + 1, isTight }
  const lis = items.map((item) => markup`<li>${blocksOf(item, inner)}</li>`)
  if (!/\d/.test(kind)) return [markup`<ul>${lis}</ul>`, end]
  const start = Number.parseInt(first[2] as string, 10)
  return [markup`<ol${start !== 1 && markup` start="${start}"`}>${lis}</ol>`, end]
}

/** Items with another marker form another list. */
function kindOf([, , mark = '']: RegExpExecArray): string {
  return mark.length === 1 ? mark : `0${mark.at(-1)}`
}

/** The indentation of the text of an item. */
function indentOf([whole, blanks = '', mark = '']: RegExpExecArray): number {
  const own = blanks.length + mark.length
  return whole.length - own > 4 || whole.length === own ? own + 1 : whole.length
}

function endOfItem(lines: readonly string[], at: number, found: RegExpExecArray): number {
  const indent = ' '.repeat(indentOf(found))
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] as string
    const isInside = isEmpty(line) || line.startsWith(indent)
    if (!isInside && !isGoingOn(lines, end)) break
    end += 1
  }
  return end
}

function itemLines(lines: readonly string[], found: RegExpExecArray): string[] {
  const indent = indentOf(found)
  return lines.map((line, index) =>
    index === 0 || line.startsWith(' '.repeat(indent)) ? line.slice(indent) : line.trimStart(),
  )
}

/** Whether a line continues the paragraph before it, without the mark of the block that contains it. */
function isGoingOn(lines: readonly string[], at: number): boolean {
  return !isEmpty(lines[at]) && !isEmpty(lines[at - 1]) && !begins(lines[at] as string)
}

function begins(line: string): boolean {
  return [FENCE, HEADING, RULE, QUOTE, ITEM].some((mark) => mark.test(line))
}

const UNDERLINE = /^ {0,3}(=+|-+) *$/

function paragraph(
  lines: readonly string[],
  at: number,
  { stage, isTight }: Place,
): [Markup, number] {
  let end = at + 1
  while (end < lines.length && !isEmpty(lines[end])) {
    const line = lines[end] as string
    const underline = UNDERLINE.exec(line)?.[1]
    if (underline !== undefined) {
      const words = lines.slice(at, end).join('\n').trim()
      return [headingOf(underline.startsWith('=') ? 1 : 2, words, stage), end + 1]
    }
    if (begins(line)) break
    end += 1
  }
  const words = markdownLine(lines.slice(at, end).join('\n').trim(), stage)
  return [isTight ? words : markup`<p>${words}</p>`, end]
}

const LEAVES: readonly Read[] = [indented, fence, heading, rule]

function isEmpty(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}
