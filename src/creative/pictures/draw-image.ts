// Our own SVG as a picture of an exact size: drawn by resvg, encoded by sharp.

import { renderAsync } from '@resvg/resvg-js'
import { FONT_FAMILY, FONT_FILES, WEIGHTS } from '../layout-engine/faces.ts'
import { type Sharp, sharp } from './sharp.ts'

export interface ImageOptions {
  /** Pixels. */
  width: number
  height: number
  type: 'png' | 'jpeg' | 'webp'
  /** Default: no limit. */
  maxBytes?: number
}

/**
 * Draws what `composeAd` wrote: the SVG is trusted. The best quality within `maxBytes`, or the smallest file
 * if none is small enough. The same SVG gives the same bytes.
 */
export async function drawImage(svg: string, options: ImageOptions): Promise<Buffer> {
  const picture = await draw(svg, options)
  let smallest: Buffer | undefined
  for (const encode of ENCODERS[options.type]) {
    const bytes = await encode(picture()).toBuffer()
    if (bytes.byteLength <= (options.maxBytes ?? Number.POSITIVE_INFINITY)) return bytes
    if (smallest === undefined || bytes.byteLength < smallest.byteLength) smallest = bytes
  }
  return smallest as Buffer
}

type Encode = (image: Sharp) => Sharp

const png =
  (colours?: number): Encode =>
  (image) =>
    image.png({
      compressionLevel: 9,
      ...(colours && { palette: true, colours, dither: 0.6 }),
    })
const jpeg =
  (quality: number): Encode =>
  (image) =>
    image.jpeg({ quality, mozjpeg: true, chromaSubsampling: quality >= 70 ? '4:4:4' : '4:2:0' })
const webp =
  (quality: number): Encode =>
  (image) =>
    image.webp({ quality, smartSubsample: quality >= 70 })

/** From the best to the smallest. */
const ENCODERS: Readonly<Record<ImageOptions['type'], readonly Encode[]>> = {
  png: [png(), png(256), png(96), png(32), png(12)],
  jpeg: [92, 85, 76, 66, 55, 44, 32, 20].map(jpeg),
  webp: [92, 85, 76, 66, 55, 44, 32, 20].map(webp),
}

/** Created for each file: a clone costs more. */
async function draw(svg: string, { width, height }: ImageOptions): Promise<() => Sharp> {
  const image = await rendered(svg, width)
  const raw = { width: image.width, height: image.height, channels: 4 as const }
  const { pixels } = image
  return () => {
    const opaque = sharp(pixels, { raw }).removeAlpha()
    // If the ratio is not exact, the height may be off by a pixel.
    return raw.height === height ? opaque : opaque.resize(width, height, { fit: 'fill' })
  }
}

/** The pixels of an SVG that has the same size: four bytes each, with premultiplied alpha. */
export async function drawPixels(
  svg: string,
  { width, height }: { width: number; height: number },
) {
  const image = await rendered(svg, width)
  if (image.width !== width || image.height !== height) {
    throw new Error(`drawn with ${image.width}x${image.height} pixels, not ${width}x${height}`)
  }
  return { width, height, pixels: image.pixels as Uint8Array }
}

/** The fonts of the weights in it: outlines need none. */
function fontFilesFor(svg: string): string[] {
  if (!svg.includes('<text')) return []
  const weights = Object.values(WEIGHTS)
  const used = FONT_FILES.filter((_, face) => svg.includes(`font-weight="${weights[face]}"`))
  return used.length > 0 ? used : FONT_FILES
}

function rendered(svg: string, width: number) {
  return renderAsync(svg, {
    fitTo: { mode: 'width', value: width },
    font: {
      loadSystemFonts: false,
      fontFiles: fontFilesFor(svg),
      defaultFontFamily: FONT_FAMILY,
      sansSerifFamily: FONT_FAMILY,
    },
  })
}
