// Parses the inline content of a Markdown line: emphasis, code, links, pictures and hard breaks. Two passes, each
// from left to right: marks are found first, then emphasis marks are paired on a stack that only shrinks.

import { type Markup, markup } from './markup.ts'
import { showableLink, showableUrl } from './showable-url.ts'
import { addDetail, note, type PageStage, textOf } from './stage.ts'

export function markdownLine(text: string, stage: PageStage): Markup {
  const tokens = tokensOf(text)
  pair(tokens)
  return {
    markup: joined(tokens)
      .map((token) => written(token, stage))
      .join(''),
  }
}

/** Merges adjacent texts, including marks without meaning: a macro name may contain a `_`. */
function joined(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  let words: string[] = []
  const say = () => {
    if (words.length > 0) result.push({ kind: 'text', text: words.join('') })
    words = []
  }
  for (const token of tokens) {
    if (token.kind === 'text') words.push(token.text)
    else if (token.kind === 'mark' && token.closed === '' && token.opened === '') {
      words.push(token.sign.repeat(token.left))
    } else {
      say()
      result.push(token)
    }
  }
  say()
  return result
}

type Token =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'image'; text: string; url: string }
  | { kind: 'link'; url: string }
  | { kind: 'link end' }
  | Mark

/** A run of `*` or `_`. */
interface Mark {
  kind: 'mark'
  sign: string
  /** The number of them that remain to be displayed literally. */
  left: number
  mayOpen: boolean
  mayClose: boolean
  /** The markup before the remaining marks, and after them. */
  closed: string
  opened: string
}

/** A part of the text that has meaning, or a literal character. */
const PIECE = /\\[!-/:-@[-`{-~]|\\\n| {2}\n|`+|\*+|_+|!\[|\[|\]|<https?:\/\/[^\s<>]+>/g
const TARGET = /\( {0,3}(<[^<>\n]*>|[^\s()<>]*)(?: {1,3}"[^"\n]*")? {0,3}\)/y

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const brackets: { token: number; at: number; isImage: boolean }[] = []
  const fences = codeEnds(text)
  let at = 0
  const say = (end: number) => {
    if (end > at) tokens.push({ kind: 'text', text: text.slice(at, end) })
  }
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    // It is inside text that was already read: in code, or in the target of a link.
    if (index < at) continue
    say(index)
    at = index + piece.length
    const [sign] = piece
    if (sign === '`') {
      const end = fences(index, piece.length)
      if (end === undefined) tokens.push({ kind: 'text', text: piece })
      else tokens.push({ kind: 'code', text: text.slice(at, end) })
      if (end !== undefined) at = end + piece.length
    } else if (piece.endsWith('\n')) tokens.push({ kind: 'break' })
    else if (sign === '\\') tokens.push({ kind: 'text', text: piece.slice(1) })
    else if (sign === '*' || sign === '_') tokens.push(markOf(text, index, piece))
    else if (sign === '<') {
      const url = piece.slice(1, -1)
      tokens.push({ kind: 'link', url }, { kind: 'text', text: url }, { kind: 'link end' })
    } else if (sign === ']') at = closeBracket(text, { tokens, brackets, index })
    else {
      brackets.push({ token: tokens.length, at, isImage: sign === '!' })
      tokens.push({ kind: 'text', text: piece })
    }
  }
  say(text.length)
  return tokens
}

interface Open {
  tokens: Token[]
  brackets: { token: number; at: number; isImage: boolean }[]
  index: number
}

/** Makes a link of the text before the bracket if a target follows; returns where to continue reading. */
function closeBracket(text: string, { tokens, brackets, index }: Open): number {
  const open = brackets.pop()
  TARGET.lastIndex = index + 1
  const target = open && TARGET.exec(text)
  if (!open || !target) {
    tokens.push({ kind: 'text', text: ']' })
    return index + 1
  }
  const given = target[1] as string
  const url = given.startsWith('<') ? given.slice(1, -1) : given
  if (open.isImage) {
    tokens.length = open.token
    tokens.push({ kind: 'image', text: text.slice(open.at, index), url })
  } else {
    tokens[open.token] = { kind: 'link', url }
    tokens.push({ kind: 'link end' })
    // Links cannot be nested.
    brackets.length = 0
  }
  return index + 1 + target[0].length
}

/** The end of the code started by a run of this many backticks; each run is visited once per length. */
function codeEnds(text: string): (from: number, length: number) => number | undefined {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length)
    if (same) same.push(index)
    else runs.set(run.length, [index])
  }
  const passed = new Map<number, number>()
  return (from, length) => {
    const same = runs.get(length) ?? []
    let next = passed.get(length) ?? 0
    while (next < same.length && (same[next] as number) <= from) next += 1
    passed.set(length, next)
    return same[next]
  }
}

const WORD = /[\p{L}\p{N}]/u
const BLANK = /\s/

/** Whether the adjacent characters let it open or close emphasis; `_` inside a word does neither. */
function markOf(text: string, index: number, run: string): Mark {
  const before = text[index - 1] ?? ' '
  const after = text[index + run.length] ?? ' '
  const isBefore = !BLANK.test(after) && (isWord(after) || !isWord(before))
  const isAfter = !BLANK.test(before) && (isWord(before) || !isWord(after))
  const sign = run[0] as string
  return {
    kind: 'mark',
    sign,
    left: run.length,
    closed: '',
    opened: '',
    mayOpen: isBefore && (sign === '*' || !isWord(before)),
    mayClose: isAfter && (sign === '*' || !isWord(after)),
  }
}

/** Half a surrogate pair also counts as part of a word. */
function isWord(character: string): boolean {
  return WORD.test(character) || /[\ud800-\udfff]/.test(character)
}

/** Marks waiting for their end, and their number for each sign, so that no search is in vain. */
interface Waiting {
  marks: Mark[]
  counts: Map<string, number>
}

/** Pairs the marks of emphasis; those within a link are paired separately. */
function pair(tokens: readonly Token[]): void {
  const outside: Waiting = { marks: [], counts: new Map() }
  let open = outside
  for (const token of tokens) {
    if (token.kind === 'link') open = { marks: [], counts: new Map() }
    else if (token.kind === 'link end') open = outside
    else if (token.kind === 'mark') {
      if (token.mayClose) close(token, open)
      if (token.mayOpen && token.left > 0) push(token, open)
    }
  }
}

function push(mark: Mark, { marks, counts }: Waiting): void {
  marks.push(mark)
  counts.set(mark.sign, (counts.get(mark.sign) ?? 0) + 1)
}

function pop({ marks, counts }: Waiting): void {
  const mark = marks.pop()
  if (mark) counts.set(mark.sign, (counts.get(mark.sign) ?? 1) - 1)
}

function close(mark: Mark, open: Waiting): void {
  while (mark.left > 0 && (open.counts.get(mark.sign) ?? 0) > 0) {
    const opener = open.marks.at(-1) as Mark
    // Marks opened in between and not closed are not emphasis.
    if (opener.sign !== mark.sign) {
      pop(open)
      continue
    }
    const count = mark.left > 1 && opener.left > 1 ? 2 : 1
    const tag = count === 2 ? 'strong' : 'em'
    opener.opened = `<${tag}>${opener.opened}`
    mark.closed += `</${tag}>`
    opener.left -= count
    mark.left -= count
    if (opener.left === 0) pop(open)
  }
}

function written(token: Token, stage: PageStage): string {
  switch (token.kind) {
    case 'text':
      return textOf(stage, token.text).markup
    case 'code':
      return markup`<code>${textOf(stage, token.text.replaceAll('\n', ' '))}</code>`.markup
    case 'break':
      return '<br>'
    case 'mark':
      return `${token.closed}${token.sign.repeat(token.left)}${token.opened}`
    case 'image':
      return imageOf(token, stage).markup
    case 'link':
      return linkOf(token.url, stage).markup
    case 'link end':
      return '</span>'
  }
}

function imageOf({ text, url }: { text: string; url: string }, stage: PageStage): Markup {
  const returned = showableUrl(stage, url, 'image')
  const alt = textOf(stage, text)
  if (returned.ok)
    return markup`<img src="${returned.url}" alt="${alt}" referrerpolicy="no-referrer">`
  note(stage, `${returned.reason}: ${url}`)
  return alt
}

/** A page has no working links: the text looks like one, and its URL is displayed below and beside it. */
function linkOf(url: string, stage: PageStage): Markup {
  const returned = showableLink(stage, url)
  if (!returned.ok) {
    note(stage, `${returned.reason}: ${url}`)
    return markup`<span>`
  }
  addDetail(stage, 'Link in a text', url)
  return markup`<span class="link" title="${returned.url}">`
}
