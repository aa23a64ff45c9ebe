// Which URLs an asset may contain (spec 2.4): http and https, and for images also data. Everything else could run
// code, read files or hide who is called. Macros such as {CLICK_URL} are allowed anywhere.

import { defined } from '../../lib/defined.ts'
import { isUrl } from '../../lib/is-url.ts'
import { type Faults, quotedValue } from './fault.ts'

export interface AddressRules {
  /** Whether the URL may contain the picture itself. Default false. */
  mayBeData?: boolean
  /** Schemes without a colon. Default http and https. */
  protocols?: readonly string[] | undefined
  /** Hosts, including their subdomains. Default any. */
  allowedDomains?: readonly string[] | undefined
  maxLength?: number | undefined
  /** Default true. */
  macrosAllowed?: boolean | undefined
}

/** Values that are not text are left to the schemas. */
export function checkAddress(value: unknown, faults: Faults, rules: AddressRules = {}): void {
  if (typeof value !== 'string') return
  const fault = addressFault(value, rules)
  if (fault) faults.add(fault.rule, fault.message, { actual: quotedValue(value), ...fault.values })
}

interface AddressFault {
  rule: string
  message: string
  values?: { expected: unknown }
}

const SCHEMES = ['https', 'http']
// Control characters and line separators: URL parsers drop some of them, so that the scheme that was checked is not
// the one that is called.
const UNSEEN = /[\p{Cc}\u2028\u2029]/u
const MACRO = /\{[A-Za-z0-9_]+\}/g
const LEADING_MACROS = /^(\{[A-Za-z0-9_]+\})+/

export function addressFault(text: string, rules: AddressRules = {}): AddressFault | undefined {
  if (UNSEEN.test(text) || text !== text.trim()) {
    return refuse('A URL must not contain control characters, or spaces at its ends.')
  }
  if (/^data:/i.test(text)) {
    if (rules.mayBeData) return dataFault(text)
    return refuse('Only images may be data: URLs. Use an http or https URL here.')
  }
  // A macro may be empty, so the text after the first ones must be valid without them.
  const rest = text.replace(LEADING_MACROS, '')
  const isMacroAlone = rest === '' && text !== ''
  const url = isMacroAlone ? undefined : parsed(rest)
  if (!isMacroAlone && !url) {
    return refuse('This must be an absolute http or https URL, such as https://a.com/b.', SCHEMES)
  }
  if (url && (url.username !== '' || url.password !== '')) {
    return refuse('A URL must not contain a user name or password: anyone could read them.')
  }
  return ruleFault(text, url, rules)
}

/** What the format requires of a valid URL. */
function ruleFault(
  text: string,
  url: URL | undefined,
  { protocols, allowedDomains, maxLength, macrosAllowed = true }: AddressRules,
): AddressFault | undefined {
  if (maxLength !== undefined && text.length > maxLength) {
    const message = `This must be at most ${maxLength} characters long.`
    return { rule: 'max_length', message, values: { expected: maxLength } }
  }
  if (!macrosAllowed && text.match(MACRO)) {
    const message = 'The format substitutes no macros here: use a URL without macros.'
    return { rule: 'macro_support', message, values: { expected: false } }
  }
  if (url && protocols?.length && !protocols.includes(url.protocol.slice(0, -1))) {
    const message = `The URL must begin with ${protocols.join(' or ')}.`
    return { rule: 'protocols', message, values: { expected: protocols } }
  }
  if (url && allowedDomains?.length && !isBelow(url.hostname, allowedDomains)) {
    const message = `The host must be one of ${allowedDomains.join(', ')}, or a subdomain.`
    return { rule: 'allowed_domains', message, values: { expected: allowedDomains } }
  }
  return undefined
}

function refuse(message: string, expected?: unknown): AddressFault {
  return {
    rule: 'url',
    message,
    ...defined({ values: expected === undefined ? undefined : { expected } }),
  }
}

function parsed(text: string): URL | undefined {
  if (!/^https?:\/\/[^/\\]/i.test(text)) return undefined
  const filled = text.replace(MACRO, 'macro')
  return isUrl(filled) ? new URL(filled) : undefined
}

export function isBelow(host: string, domains: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return domains.some((domain) => {
    const own = domain.toLowerCase().replace(/^\*\.|\.$/g, '')
    return name === own || name.endsWith(`.${own}`)
  })
}

/** Largest picture that a URL may contain. */
const MAX_DATA_BYTES = 10 * 1024 * 1024

const DATA = /^data:([a-z]+\/[a-z0-9.+-]+)((?:;[a-z0-9-]+=[^;,]*)*)(;base64)?,/i

export interface DataImage {
  /** `png`, `jpg` …, as in formats. */
  format: string
  bytes: number
}

/** The picture in a URL; undefined for every other URL. */
export function dataImage(text: unknown): DataImage | undefined {
  if (typeof text !== 'string') return undefined
  const head = DATA.exec(text.slice(0, 200))
  const format = head && IMAGE_TYPES.get((head[1] as string).toLowerCase())?.format
  if (!head || !format) return undefined
  const body = text.length - head[0].length
  if (!head[3]) return { format, bytes: body }
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return { format, bytes: Math.floor((body * 3) / 4) - padding }
}

function dataFault(text: string): AddressFault | undefined {
  const head = DATA.exec(text.slice(0, 200))
  const type = head && IMAGE_TYPES.get((head[1] as string).toLowerCase())
  if (!head || !type) {
    const types = [...IMAGE_TYPES.keys()]
    return refuse(`Data must be an image of type ${types.join(', ')}.`, types)
  }
  const bytes = dataImage(text)?.bytes ?? 0
  if (bytes > MAX_DATA_BYTES) {
    return refuse('An image in a data: URL must be at most 10 MB: use the URL of a file.')
  }
  const body = text.slice(head[0].length)
  if (body === '') return refuse('The data is empty: include the image, or use an https URL.')
  if (!head[3]) {
    if (type.isText) return undefined
    return refuse('An image must be base64-encoded: data:image/png;base64,…')
  }
  if (!isBase64(body)) return refuse('The data is not base64.')
  const start = Buffer.from(body.slice(0, 1_024), 'base64')
  if (!type.begins(start)) {
    return refuse(`The data does not match its type: these bytes do not begin ${head[1]}.`)
  }
  return undefined
}

/** In pieces: a regular expression that runs over megabytes at once may overflow its stack. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const end = text.length - padding
  for (let from = 0; from < end; from += PIECE_CHARS) {
    const piece = text.slice(from, Math.min(from + PIECE_CHARS, end))
    if (!/^[A-Za-z0-9+/]+$/.test(piece)) return false
  }
  return end > 0
}

const PIECE_CHARS = 65_536

interface ImageType {
  format: string
  begins(bytes: Buffer): boolean
  isText?: true
}

const at = (offset: number, text: string) => (bytes: Buffer) =>
  bytes.toString('latin1', offset, offset + text.length) === text

const isRiff = at(0, 'RIFF')
const isWebp = at(8, 'WEBP')

/** The types that browsers display as pictures, with the bytes that identify each. */
const IMAGE_TYPES: ReadonlyMap<string, ImageType> = new Map<string, ImageType>([
  ['image/png', { format: 'png', begins: at(0, '\x89PNG') }],
  ['image/jpeg', { format: 'jpg', begins: at(0, '\xff\xd8\xff') }],
  ['image/jpg', { format: 'jpg', begins: at(0, '\xff\xd8\xff') }],
  ['image/gif', { format: 'gif', begins: at(0, 'GIF8') }],
  ['image/webp', { format: 'webp', begins: (bytes) => isRiff(bytes) && isWebp(bytes) }],
  ['image/avif', { format: 'avif', begins: at(4, 'ftypavi') }],
  [
    'image/svg+xml',
    {
      format: 'svg',
      isText: true,
      begins: (bytes) => /<(svg|\?xml|!--)/i.test(bytes.toString('utf8')),
    },
  ],
])
