// A scene as SVG. Texts are escaped, and there are no references outside the document.

import { FONT_FAMILY, WEIGHTS } from './faces.ts'
import type { Part, PlacedPhoto, PlacedText, Scene } from './scene.ts'
import { n, rect } from './shapes.ts'
import { withIsolates } from './shaping/long-numbers.ts'
import type { ShapedLine } from './shaping/shape-line.ts'

export interface SvgOptions {
  /**
   * The font families for a shaped line, for a document that embeds the fonts. Default: such a line is
   * drawn as outlines, which need no font.
   */
  familiesOf?: (line: ShapedLine) => string
}

export function toSvg(scene: Scene, options: SvgOptions = {}): string {
  const { parts } = scene
  return svgOf(
    scene,
    groundElement(scene) + parts.map((part) => partElement(part, scene, options)).join(''),
  )
}

/** A complete document for one canvas. */
export function svgOf({ width, height }: Pick<Scene, 'width' | 'height'>, drawn: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT_FAMILY}">${drawn}</svg>`
}

/** What is behind everything that is read. */
export function groundElement(scene: Scene): string {
  const { photo, products = [], under = [], shapes } = scene
  const photos = photo ? [photo, ...products] : []
  const pictures = greyed(photos.map(photoElement).join(''), scene)
  return `<g class="ground">${under.join('')}${pictures}${shapes.join('')}</g>`
}

/** Pictures without colour: the filter is next to them, since each group may become a separate document. */
function greyed(markup: string, { isGreyscale }: Scene): string {
  if (!isGreyscale || !markup.includes('<image')) return markup
  return GREY + markup.replaceAll('<image ', '<image filter="url(#grey)" ')
}

const GREY = '<filter id="grey"><feColorMatrix type="saturate" values="0"/></filter>'

export function partElement(part: Part, scene: Scene, options: SvgOptions = {}): string {
  return `<g class="${part.role}">${greyed(part.shapes.join(''), scene)}${part.texts.map((text) => textElement(text, scene, options)).join('')}</g>`
}

function photoElement(photo: PlacedPhoto, index: number): string {
  const { box, dataUri, radius = 0, backdrop, focus = 'xMidYMid' } = photo
  const at = `x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"`
  const ground = backdrop === undefined ? '' : rect(box, backdrop, radius)
  const fit = backdrop === undefined ? 'slice' : 'meet'
  const image = (clip: string) =>
    `${ground}<image class="photo" ${at}${clip} preserveAspectRatio="${focus} ${fit}" href="${dataUri}"/>`
  if (radius <= 0) return image('')
  const name = `photo-${index}`
  const outline = `<clipPath id="${name}"><rect ${at} rx="${n(radius)}"/></clipPath>`
  return outline + image(` clip-path="url(#${name})"`)
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function textElement(text: PlacedText, scene: Scene, { familiesOf }: SvgOptions): string {
  const { set, box, fill } = text
  // One element per line: a space between two lines of one element would shift a centred line.
  return set.lines
    .map((line, i) => {
      const y = box.y + set.size * (set.ascent + i * set.leading)
      const shaped = set.shaped?.[i]
      if (shaped && !familiesOf)
        return outlines(shaped, text, { x: leftOf(shaped, text, scene), y })
      const { x, anchor } = anchorOf(text, scene)
      const family = shaped && familiesOf ? ` font-family="${familiesOf(shaped)}"` : ''
      const direction = set.direction === 'rtl' ? ' direction="rtl"' : ''
      return `<text x="${n(x)}" y="${n(y)}" font-size="${n(set.size)}" font-weight="${WEIGHTS[set.face]}" fill="${fill}"${anchor}${family}${direction}>${escapeXml(direction === '' ? line : withIsolates(line))}</text>`
    })
    .join('')
}

/** The anchor of a line: at its start, in the middle, or at the right edge of a mirrored scene. */
function anchorOf({ set, box, align }: PlacedText, { writing }: Scene) {
  if (align === 'middle') return { x: box.x + box.width / 2, anchor: ' text-anchor="middle"' }
  const isAtRight = writing.direction === 'rtl'
  const x = isAtRight ? box.x + box.width : box.x
  // A right-to-left line starts at the right.
  const isStart = isAtRight === (set.direction === 'rtl')
  return { x, anchor: isStart ? '' : ' text-anchor="end"' }
}

/** The left end of a shaped line. */
function leftOf(line: ShapedLine, { set, box, align }: PlacedText, { writing }: Scene): number {
  const free = box.width - line.width * set.size
  const share = align === 'middle' ? 0.5 : writing.direction === 'rtl' ? 1 : 0
  return box.x + free * share
}

/** The glyphs of a line whose baseline starts at `start`. */
function outlines(
  line: ShapedLine,
  { set, fill }: PlacedText,
  start: { x: number; y: number },
): string {
  const glyphs = line.runs.flatMap(({ cut, glyphs: placed }) => {
    const scale = (set.size / cut.unitsPerEm).toFixed(5)
    return placed.map(({ glyph, x, y: up }) => {
      const d = cut.outline(glyph)
      const at = `${n(start.x + x * set.size)} ${n(start.y - up * set.size)}`
      return d === ''
        ? ''
        : `<path transform="translate(${at}) scale(${scale} -${scale})" d="${d}"/>`
    })
  })
  return `<g fill="${fill}">${glyphs.join('')}</g>`
}
