// A picture as it was fetched (spec 2.4, 4.2): known by its bytes, whatever its server calls it. SVG is
// drawn at once and never handed on, because it can hold scripts and addresses.

import { defined } from '../../lib/defined.ts'
import { MAX_INPUT_PIXELS, MAX_SVG_BYTES } from '../limits.ts'
import { readSize } from './fit-image.ts'
import { sharp } from './sharp.ts'

/** The file itself, or an address that holds it. */
export type PictureSource = { bytes: Uint8Array } | { dataUrl: string }

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

export type ReadPicture =
  | {
      ok: true
      media_type: PictureType
      width: number
      height: number
      isAnimated: boolean
      /** Where it is not as it came: drawn, or out of its address. */
      bytes?: Uint8Array
    }
  | { ok: false; reason: string }

export async function readPicture(source: PictureSource, maxBytes: number): Promise<ReadPicture> {
  const given = 'bytes' in source ? Buffer.from(source.bytes) : dataOf(source.dataUrl)
  if (!given) return refuse('its data: address holds no picture in base64')
  if (given.byteLength > maxBytes) return refuse(`it has more than ${maxBytes} bytes`)
  const media_type = typeOf(given)
  if (!media_type && !isSvg(given)) return refuse('it is no PNG, JPEG, WebP, GIF or SVG picture')
  const bytes = media_type ? given : await drawSvg(given)
  if (typeof bytes === 'string') return refuse(bytes)
  const size = await readSize(bytes)
  if (!size.ok) return size
  const isAsItCame = 'bytes' in source && media_type !== undefined
  return {
    ...size,
    media_type: media_type ?? 'image/png',
    ...defined({ bytes: isAsItCame ? undefined : bytes }),
  }
}

const DATA = /^data:image\/[a-z+.-]{1,40};base64,/

function dataOf(url: string): Buffer | undefined {
  const head = DATA.exec(url.slice(0, 100))?.[0]
  const encoded = head === undefined ? '' : url.slice(head.length)
  const isBase64 = head !== undefined && /^[A-Za-z0-9+/=\s]*$/.test(encoded)
  return isBase64 ? Buffer.from(encoded, 'base64') : undefined
}

/** By the first bytes (the WHATWG's MIME sniffing, section 6.1). */
function typeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  return undefined
}

/** Whether it begins as an SVG does: perhaps a declaration, perhaps comments, and then the element. @internal */
export function isSvg(bytes: Buffer): boolean {
  const text = bytes.subarray(0, 4_096).toString('utf8')
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at += 1
    const skipped = SKIPPED.find(([open]) => text.startsWith(open, at))
    if (!skipped) return /^<svg[\s>]/.test(text.slice(at, at + 5))
    const [open, close] = skipped
    const end = text.indexOf(close, at + open.length)
    if (end < 0) return false
    at = end + close.length
  }
}

const SKIPPED = [
  ['<?xml', '>'],
  ['<!--', '-->'],
] as const

/** Entities, scripts, foreign markup, style sheets and addresses outside of the file itself. */
const UNSAFE = [
  /<!(?:ENTITY|DOCTYPE)/i,
  /<\s*(?:script|foreignObject|iframe|image|feImage)/i,
  /\bon\w+\s*=/i,
  /@import/i,
  /href\s*=\s*["']\s*[^\s#]/i,
  /url\([\s"']*[^\s"'#]/i,
]

/** @internal */
export function isUnsafeSvg(text: string): boolean {
  return UNSAFE.some((pattern) => pattern.test(text))
}

async function drawSvg(bytes: Buffer): Promise<Buffer | string> {
  if (bytes.byteLength > MAX_SVG_BYTES) {
    return `it is an SVG of more than ${MAX_SVG_BYTES} bytes`
  }
  if (isUnsafeSvg(bytes.toString('utf8'))) {
    return 'it is an SVG with scripts, entities, addresses or styles from outside'
  }
  const drawn = await sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, density: 144 })
    .resize({ width: 1_024, height: 1_024, fit: 'inside' })
    .png()
    .toBuffer()
    .catch(() => undefined)
  return drawn ?? 'it is an SVG that cannot be drawn'
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
