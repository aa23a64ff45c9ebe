// Where the bytes of a picture come from, and whether they are an SVG. Loads no library: the server's own process
// uses it before it passes a picture to a worker.

import { MAX_SVG_BYTES } from '../limits.ts'

/** The file itself, or a URL that contains it. */
export type PictureSource = { bytes: Uint8Array } | { dataUrl: string }

const DATA = /^data:image\/[a-z+.-]{1,40};base64,/

/** Undefined for a data: URL without a base64 picture. */
export function bytesIn(source: PictureSource): Buffer | undefined {
  return 'bytes' in source ? bufferOf(source.bytes) : decoded(source.dataUrl)
}

/**
 * The file, if it is an SVG that is small enough to be read. The server and its workers use the same function, so
 * that they always agree on what is an SVG.
 */
export function svgIn(source: PictureSource): Buffer | undefined {
  if ('dataUrl' in source) {
    const { dataUrl } = source
    if (dataUrl.length > MAX_SVG_URL_CHARS || !mayHoldSvg(dataUrl)) return undefined
  } else if (source.bytes.byteLength > MAX_SVG_BYTES) return undefined
  const bytes = bytesIn(source)
  return bytes && bytes.byteLength <= MAX_SVG_BYTES && isSvg(bytes) ? bytes : undefined
}

/** Four characters for three bytes, and a margin for line breaks. */
const MAX_SVG_URL_CHARS = 2 * MAX_SVG_BYTES
const HEAD_CHARS = 6_000

/** Judged only by its start, unless spaces make that too short. */
function mayHoldSvg(dataUrl: string): boolean {
  const head = dataUrl.slice(0, HEAD_CHARS)
  if (/\s/.test(head)) return true
  const bytes = decoded(head)
  return bytes !== undefined && isSvg(bytes)
}

function decoded(dataUrl: string): Buffer | undefined {
  const head = DATA.exec(dataUrl.slice(0, 100))?.[0]
  if (head === undefined) return undefined
  const encoded = dataUrl.slice(head.length)
  return /^[A-Za-z0-9+/=\s]*$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether it begins like an SVG: an optional declaration, optional comments, and then the element. */
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
