// A scene as SVG. Texts are escaped, and nothing refers to anything outside the document.

import { ASCENT, FONT_FAMILY, WEIGHTS } from './faces.ts'
import type { Part, PlacedText, Scene } from './scene.ts'
import { n } from './shapes.ts'

export function toSvg(scene: Scene): string {
  const { width, height, shapes, parts } = scene
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT_FAMILY}">` +
    `<g class="ground">${shapes.join('')}</g>${parts.map(group).join('')}</svg>`
  )
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function group(part: Part): string {
  return `<g class="${part.role}">${part.shapes.join('')}${part.texts.map(textElement).join('')}</g>`
}

function textElement({ set, box, align, fill }: PlacedText): string {
  const x = align === 'middle' ? box.x + box.width / 2 : box.x
  const anchor = align === 'middle' ? ' text-anchor="middle"' : ''
  const style = `font-size="${n(set.size)}" font-weight="${WEIGHTS[set.face]}" fill="${fill}"${anchor}`
  // One element a line: a blank between two lines of one element would move a centred line.
  return set.lines
    .map((line, i) => {
      const y = box.y + set.size * (ASCENT + i * set.leading)
      return `<text x="${n(x)}" y="${n(y)}" ${style}>${escapeXml(line)}</text>`
    })
    .join('')
}
