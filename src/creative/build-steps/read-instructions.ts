// What a message asks for that a build can follow without a model (spec 4.2): where to crop, what to
// fill the rest with, which words to change, where a click leads. Each sentence that held none of it is
// told back, so that nobody believes it was followed. Pure.

import { isUrl } from '../../lib/is-url.ts'
import { trimEnd } from '../../lib/trim-end.ts'

export interface Instructions {
  /** What must stay in the picture; undefined to find it in the picture itself. */
  focus?: Focus
  /** Whether to show the whole picture rather than to crop it. */
  keepsWhole: boolean
  /** `#rrggbb`, for what a picture does not fill. */
  background?: string
  texts: { headline?: string; description?: string; call_to_action?: string }
  /** Where a click leads. */
  landingPage?: string
  /** What was understood, in words. */
  understood: readonly string[]
  /** Sentences in which nothing was. */
  others: readonly string[]
}

export type Focus = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'attention'

export function readMessage(message: string | undefined): Instructions {
  const found: Found = { keepsWhole: false, texts: {}, understood: [], others: [] }
  for (const sentence of sentencesOf(message ?? '')) {
    const before = found.understood.length
    for (const read of READERS) read(sentence, found)
    if (found.understood.length === before) found.others.push(sentence)
  }
  return found
}

interface Found extends Instructions {
  understood: string[]
  others: string[]
}

type Reader = (sentence: string, found: Found) => void

const LABELS: readonly [keyof Instructions['texts'], RegExp, string][] = [
  ['headline', /\b(?:headline|title)\b/gi, 'headline'],
  ['description', /\b(?:description|body|subline|subhead(?:line)?)\b/gi, 'description'],
  ['call_to_action', /\b(?:cta|call[- ]to[- ]action|button)\b/gi, 'call to action'],
]

/** What may stand between a label and its words. */
const SAYS =
  /(?: text| copy)? ?(?:(?:should|must) )?(?:[:=]|\b(?:to|is|be|as|reads?|says?)\b:?) ?/iy

const TEXT_READERS: readonly Reader[] = LABELS.map(([member, label, name]) => {
  return (sentence, found) => {
    const rest = said(sentence, label)
    if (rest === undefined) return
    const text = quotedIn(rest) ?? rest.trim().replace(/[.!]$/, '').trim()
    if (text === '') return
    found.texts[member] = text
    found.understood.push(`${name} “${text}”`)
  }
})

/** The rest of the sentence behind the first label that says something. */
function said(sentence: string, label: RegExp): string | undefined {
  for (const { 0: name, index } of sentence.matchAll(label)) {
    SAYS.lastIndex = index + name.length
    if (SAYS.test(sentence) && SAYS.lastIndex < sentence.length) {
      return sentence.slice(SAYS.lastIndex)
    }
  }
  return undefined
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ["'", "'"],
])

/** What stands in the first quotation marks that are closed. */
function quotedIn(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const closing = CLOSING.get(text.charAt(at))
    if (closing === undefined) continue
    const end = closing === "'" ? closingApostrophe(text, at) : text.indexOf(closing, at + 1)
    if (end > at + 1) return text.slice(at + 1, end).trim()
    // None follows, so that none will further on: the others are still sought.
    if (end < 0 && closing === '”') return quotedIn(text.slice(at + 1).replaceAll('“', ' '))
  }
  return undefined
}

/** One within a word is none, as in don't; unless there is no other. */
function closingApostrophe(text: string, open: number): number {
  let last = -1
  for (let at = text.indexOf("'", open + 1); at >= 0; at = text.indexOf("'", at + 1)) {
    if (at === open + 1) continue
    last = at
    if (!/\w/.test(text.charAt(at + 1))) break
  }
  return last
}

const FOCUS_VERB = /\b(?:keep|focus|crop|cent(?:er|re)|prioriti[sz]e|emphasi[sz]e|preserve)\b/i
const FOCUS_PLACES: readonly [RegExp, Focus][] = [
  [/\bleft\b/i, 'left'],
  [/\bright\b/i, 'right'],
  [/\b(?:top|upper)\b/i, 'top'],
  [/\b(?:bottom|lower)\b/i, 'bottom'],
  [/\b(?:faces?|persons?|people|subject|product)\b/i, 'attention'],
  [/\b(?:cent(?:er|re)(?:ed)?|middle)\b/i, 'centre'],
]
const WHOLE =
  /\b(?:pad(?:ding)?|letterbox|(?:do not|don't|don’t|never|no|without) crop(?:ping)?|(?:whole|entire|full) (?:image|picture|photo|creative|banner))\b/i

function readFocus(sentence: string, found: Found): void {
  if (WHOLE.test(sentence)) {
    found.keepsWhole = true
    found.understood.push('the whole picture is kept')
    return
  }
  if (!FOCUS_VERB.test(sentence) || /\bbackground\b/i.test(sentence)) return
  const place = FOCUS_PLACES.find(([pattern]) => pattern.test(sentence))
  if (!place) return
  found.focus = place[1]
  found.understood.push(place[1] === 'attention' ? 'crop on the subject' : `crop: ${place[1]}`)
}

const COLOURS: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['red', '#d32f2f'],
  ['green', '#2e7d32'],
  ['blue', '#1565c0'],
  ['navy', '#0b1f4b'],
  ['yellow', '#fdd835'],
  ['orange', '#ef6c00'],
  ['purple', '#6a1b9a'],
  ['pink', '#ec407a'],
  ['grey', '#9e9e9e'],
  ['gray', '#9e9e9e'],
  ['brown', '#6d4c41'],
  ['teal', '#00897b'],
  ['beige', '#f5f0e1'],
])
const BACKGROUND = [
  /background(?: colou?r)?(?: (?:is|to|in|of|be|should be))? ?[:=]? ?(#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|\b[a-z]{3,6}\b)/i,
  /(#[0-9a-f]{6}\b|#[0-9a-f]{3}\b|\b[a-z]{3,6}\b) (?:back)?ground\b/i,
]

function readBackground(sentence: string, found: Found): void {
  const words = BACKGROUND.map((pattern) => pattern.exec(sentence)?.[1]?.toLowerCase())
  const word = words.find((one) => one?.startsWith('#') || COLOURS.has(one ?? ''))
  if (word === undefined) return
  found.background = hexOf(word)
  found.understood.push(`background ${found.background}`)
}

function hexOf(word: string): string {
  if (/^#...$/.test(word)) return `#${[...word.slice(1)].map((digit) => digit + digit).join('')}`
  return COLOURS.get(word) ?? word
}

const WEB_ADDRESS = /https?:\/\/[^\s"'<>“”]+/i

function readLandingPage(sentence: string, found: Found): void {
  const address = trimEnd(WEB_ADDRESS.exec(sentence)?.[0] ?? '', ').,;:!?]')
  if (!isUrl(address) || found.landingPage !== undefined) return
  found.landingPage = address
  found.understood.push(`a click leads to ${address}`)
}

const READERS: readonly Reader[] = [...TEXT_READERS, readFocus, readBackground, readLandingPage]

/** Split at line ends, semicolons and full stops before a space; not inside quotation marks. */
function sentencesOf(message: string): string[] {
  const sentences: string[] = []
  let from = 0
  let closing = ''
  const end = (at: number) => {
    // With single blanks, which is all that the readers look for.
    const sentence = message.slice(from, at).trim().replace(/\s+/g, ' ')
    if (sentence !== '') sentences.push(sentence)
  }
  for (let at = 0; at < message.length; at++) {
    const character = message.charAt(at)
    if (closing !== '' && character === closing) closing = ''
    else if (closing === '' && character === '"') closing = '"'
    else if (closing === '' && character === '“') closing = '”'
    if (character === '\n' || (closing === '' && character === ';')) {
      closing = ''
      end(at)
      from = at + 1
    } else if (closing === '' && /[.!?]/.test(character) && !/\S/.test(message.charAt(at + 1))) {
      end(at + 1)
      from = at + 1
    }
  }
  end(message.length)
  return sentences
}
