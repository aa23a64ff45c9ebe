// Requests in a message that a build can follow with the pictures of its request (spec 4.2): where to crop, what to
// fill the rest with, where a click leads. Each sentence that had none of this, and no verbatim text, is reported
// back, so that nobody believes it was followed. Pure.

import { isUrl } from '../../lib/is-url.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { dictatedIn } from './dictated.ts'
import { sentencesOf } from './sentences.ts'

export interface ImageRequests {
  /** What must stay in the picture; undefined to find it in the picture itself. */
  focus?: Focus
  /** Whether to show the whole picture rather than to crop it. */
  keepsWhole: boolean
  /** `#rrggbb`, for the area that a picture does not fill. */
  background?: string
  /** Where a click leads. */
  landingPage?: string
  /** What was understood, as human-readable text. */
  understood: readonly string[]
  /** Sentences in which nothing was. */
  others: readonly string[]
}

type Focus = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'attention'

export function readImageRequests(message: string | undefined): ImageRequests {
  const found: Found = { keepsWhole: false, understood: [], others: [] }
  for (const sentence of sentencesOf(tidied(message ?? ''))) {
    const before = found.understood.length
    for (const read of READERS) read(sentence, found)
    if (found.understood.length === before) found.others.push(sentence)
  }
  return found
}

interface Found extends ImageRequests {
  understood: string[]
  others: string[]
}

type Reader = (sentence: string, found: Found) => void

/** With single spaces, the only ones the readers look for. */
function tidied(message: string): string {
  return message.replace(/[^\S\n]+/g, ' ')
}

/** They appear in the words of the creative. */
function readTexts(sentence: string, found: Found): void {
  for (const [role, text] of Object.entries(dictatedIn(sentence).texts)) {
    found.understood.push(`${role} “${text}”`)
  }
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

const READERS: readonly Reader[] = [readTexts, readFocus, readBackground, readLandingPage]
