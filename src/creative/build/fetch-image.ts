// Pictures that a request names (spec 2.4, 4.2): fetched through the egress guard, and known by their
// bytes, whatever their server calls them. SVG is drawn at once and never handed on, because it can
// hold scripts and addresses.

import sharp from 'sharp'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { MAX_INPUT_PIXELS } from './fit-image.ts'

export interface ImageSources {
  egress: Pick<Egress, 'fetch' | 'checkUrl'>
  /** The bytes behind an address of this server's own assets; undefined for any other address. */
  ownAsset(url: string): Promise<Uint8Array | undefined>
}

export type FetchedImage =
  | { ok: true; bytes: Buffer; media_type: PictureType }
  | { ok: false; reason: string }

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

const FETCH_TIMEOUT_MS = 15_000

export async function fetchImage(
  url: string,
  { egress, ownAsset }: ImageSources,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<FetchedImage> {
  if (url.startsWith('data:')) return readPicture(dataOf(url, maxBytes))
  const own = await ownAsset(url)
  if (own) return readPicture(Buffer.from(own))
  const answer = await egress.fetch({
    url,
    headers: { accept: 'image/*' },
    maxBytes,
    totalTimeoutMs: FETCH_TIMEOUT_MS,
    redirects: 'same-site',
    signal,
  })
  if (!answer.ok) {
    // Aborted by us: the step is run again, so this is no verdict about the address.
    if (signal.aborted) throw new Error('the fetch was aborted')
    return refuse(answer.code === 'too_large' ? tooLarge(maxBytes) : answer.message)
  }
  if (answer.status !== 200) return refuse(`its server answered ${answer.status}`)
  return readPicture(answer.body)
}

function dataOf(url: string, maxBytes: number): Buffer | string {
  const [, encoded] = /^data:image\/[a-z+.-]+;base64,([A-Za-z0-9+/=\s]*)$/.exec(url) ?? []
  if (encoded === undefined) return 'its data: address holds no picture in base64'
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.byteLength > maxBytes ? tooLarge(maxBytes) : bytes
}

async function readPicture(bytes: Buffer | string): Promise<FetchedImage> {
  if (typeof bytes === 'string') return refuse(bytes)
  const media_type = sniff(bytes)
  if (media_type) return { ok: true, bytes, media_type }
  if (isSvg(bytes)) return drawSvg(bytes)
  return refuse('it is no PNG, JPEG, WebP, GIF or SVG picture')
}

/** By the first bytes (the WHATWG's MIME sniffing, section 6.1). */
function sniff(bytes: Buffer): PictureType | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  return undefined
}

function isSvg(bytes: Buffer): boolean {
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(
    bytes.subarray(0, 4_096).toString('utf8'),
  )
}

const MAX_SVG_BYTES = 1_000_000
/** Entities, scripts, foreign markup, style sheets and addresses outside of the file itself. */
const UNSAFE_SVG =
  /<!(?:ENTITY|DOCTYPE)|<\s*(?:script|foreignObject|iframe|image|feImage|use\s[^>]*href\s*=\s*["'][^#])|\bon\w+\s*=|@import|href\s*=\s*["']\s*(?!#)|url\(\s*["']?\s*(?!#)/i

async function drawSvg(bytes: Buffer): Promise<FetchedImage> {
  const text = bytes.toString('utf8')
  if (bytes.byteLength > MAX_SVG_BYTES || UNSAFE_SVG.test(text)) {
    return refuse('it is an SVG with scripts, entities, addresses or styles from outside')
  }
  const drawn = await sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, density: 144 })
    .resize({ width: 1_024, height: 1_024, fit: 'inside' })
    .png()
    .toBuffer()
    .catch(() => undefined)
  return drawn
    ? { ok: true, bytes: drawn, media_type: 'image/png' }
    : refuse('it is an SVG that cannot be drawn')
}

function tooLarge(maxBytes: number): string {
  return `it has more than ${maxBytes} bytes`
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
