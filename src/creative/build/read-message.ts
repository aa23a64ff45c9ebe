// What a message asks for that a build can follow without a model (spec 4.2): where to crop, what to
// fill the rest with, which words to change, where a click leads. Each sentence that held none of it is
// told back, so that nobody believes it was followed. Pure.

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

const QUOTED = /"([^"]+)"|“([^”]+)”|'((?:[^']|'(?=\w))+)'/

const WORDS: readonly [keyof Instructions['texts'], string, string][] = [
  ['headline', 'headline|title', 'headline'],
  ['description', 'description|body(?: text| copy)?|subline|subhead(?:line)?', 'description'],
  ['call_to_action', 'cta(?: text)?|call[- ]to[- ]action|button(?: text)?', 'call to action'],
]

const TEXT_READERS: readonly Reader[] = WORDS.map(([member, names, label]) => {
  const said = new RegExp(
    `\\b(?:${names})\\b\\s*(?:(?:should|must)\\s+)?(?::|=|\\b(?:to|is|be|as|reads?|says?|say)\\b:?)\\s*(.+)$`,
    'i',
  )
  return (sentence, found) => {
    const [, rest] = said.exec(sentence) ?? []
    if (rest === undefined) return
    const quoted = QUOTED.exec(rest)
    const words = (quoted?.slice(1).find((part) => part !== undefined) ?? rest).trim()
    const text = quoted ? words : words.replace(/[.!]$/, '').trim()
    if (text === '') return
    found.texts[member] = text
    found.understood.push(`${label} “${text}”`)
  }
})

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

const COLOURS: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  red: '#d32f2f',
  green: '#2e7d32',
  blue: '#1565c0',
  navy: '#0b1f4b',
  yellow: '#fdd835',
  orange: '#ef6c00',
  purple: '#6a1b9a',
  pink: '#ec407a',
  grey: '#9e9e9e',
  gray: '#9e9e9e',
  brown: '#6d4c41',
  teal: '#00897b',
  beige: '#f5f0e1',
}
const COLOUR = `(#[0-9a-f]{6}\\b|#[0-9a-f]{3}\\b|\\b(?:${Object.keys(COLOURS).join('|')})\\b)`
const BACKGROUND = [
  new RegExp(
    `background(?: colou?r)?(?: (?:is|to|in|of|be|should be))?\\s*[:=]?\\s*${COLOUR}`,
    'i',
  ),
  new RegExp(`${COLOUR}\\s+(?:back)?ground\\b`, 'i'),
]

function readBackground(sentence: string, found: Found): void {
  const word = BACKGROUND.map((pattern) => pattern.exec(sentence)?.[1]).find(Boolean)
  if (word === undefined) return
  found.background = hexOf(word.toLowerCase())
  found.understood.push(`background ${found.background}`)
}

function hexOf(word: string): string {
  if (/^#...$/.test(word)) return `#${[...word.slice(1)].map((digit) => digit + digit).join('')}`
  return COLOURS[word] ?? word
}

const WEB_ADDRESS = /https?:\/\/[^\s"'<>“”]+/i

function readLandingPage(sentence: string, found: Found): void {
  const address = WEB_ADDRESS.exec(sentence)?.[0]?.replace(/[).,;:!?\]]+$/, '')
  if (address === undefined || !URL.canParse(address) || found.landingPage !== undefined) return
  found.landingPage = address
  found.understood.push(`a click leads to ${address}`)
}

const READERS: readonly Reader[] = [...TEXT_READERS, readFocus, readBackground, readLandingPage]

/** Split at line ends, semicolons and full stops before a space; not inside quotation marks. */
function sentencesOf(message: string): string[] {
  const sentences: string[] = []
  let sentence = ''
  let closing = ''
  const end = () => {
    if (sentence.trim() !== '') sentences.push(sentence.trim())
    sentence = ''
  }
  for (const [index, character] of [...message].entries()) {
    const next = message[index + 1] ?? ' '
    if (closing !== '' && character === closing) closing = ''
    else if (closing === '' && character === '"') closing = '"'
    else if (closing === '' && character === '“') closing = '”'
    if (character === '\n' || (closing === '' && character === ';')) {
      closing = ''
      end()
      continue
    }
    sentence += character
    if (closing === '' && /[.!?]/.test(character) && /\s/.test(next)) end()
  }
  end()
  return sentences
}
