// A fetched picture (spec 2.4, 4.2): identified by its bytes, whatever its server calls it. SVG is drawn immediately
// and never passed on, because it can contain scripts and URLs.

import { defined } from '../../lib/defined.ts'
import { MAX_SVG_BYTES } from '../limits.ts'
import { drawSvg } from './draw-svg.ts'
import { readSize } from './fit-image.ts'
import { bytesIn, isSvg, type PictureSource, svgIn } from './picture-source.ts'

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

export type ReadPicture =
  | {
      ok: true
      media_type: PictureType
      width: number
      height: number
      isAnimated: boolean
      /** Set if it differs from the input: drawn, or extracted from its URL. */
      bytes?: Uint8Array
    }
  | { ok: false; reason: string }

export async function readPicture(source: PictureSource, maxBytes: number): Promise<ReadPicture> {
  const given = bytesIn(source)
  if (!given) return refuse('its data: URL has no base64-encoded image')
  if (given.byteLength > maxBytes) return refuse(`it has more than ${maxBytes} bytes`)
  const media_type = typeOf(given)
  if (!media_type && !isSvg(given)) return refuse('it is not a PNG, JPEG, WebP, GIF or SVG image')
  const svg = media_type ? undefined : svgIn(source)
  if (!media_type && !svg) return refuse(`it is an SVG of more than ${MAX_SVG_BYTES} bytes`)
  const bytes = svg ? await drawSvg(svg) : given
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

/** By the first bytes (WHATWG MIME Sniffing, section 6.1). */
function typeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp'
  return undefined
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
