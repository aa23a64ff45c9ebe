// SVG of plain geometry. Only numbers and colours are inserted, so nothing has to be escaped.

import type { Colour } from './colours.ts'
import type { Side } from './design.ts'
import type { Rect } from './scene.ts'

export function rect(box: Rect, fill: Paint, radius = 0): string {
  const corner = radius > 0 ? ` rx="${n(radius)}"` : ''
  return `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}"${corner} fill="${fill}"/>`
}

export interface Circle {
  /** Of its centre. */
  x: number
  y: number
  radius: number
}

export function circle({ x, y, radius }: Circle, fill: Paint): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"/>`
}

export function ring({ x, y, radius }: Circle, stroke: Colour, width: number): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="none" stroke="${stroke}" stroke-width="${n(width)}"/>`
}

export function polygon(points: readonly (readonly [number, number])[], fill: Paint): string {
  return `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="${fill}"/>`
}

export function path(d: readonly (string | number)[], fill: Paint): string {
  return `<path d="${d.map((part) => (typeof part === 'number' ? n(part) : part)).join(' ')}" fill="${fill}"/>`
}

/** A colour, or a gradient by its name. */
export type Paint = Colour | `url(#${string})`

/** A straight gradient over the whole filled shape; `hold` is where it begins to change. */
export function gradient(
  name: string,
  { from, to, hold = 0, angle = 45 }: { from: Colour; to: Colour; hold?: number; angle?: number },
): { shape: string; paint: Paint } {
  const turn = (angle * Math.PI) / 180
  const [x, y] = [Math.cos(turn), Math.sin(turn)]
  const shape =
    `<linearGradient id="${name}" x1="0" y1="0" x2="${n(x)}" y2="${n(y)}">` +
    `<stop offset="${n(hold)}" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`
  return { shape, paint: `url(#${name})` }
}

const LINES: Readonly<Record<Side, string>> = {
  left: 'x1="0" y1="0" x2="1" y2="0"',
  right: 'x1="1" y1="0" x2="0" y2="0"',
  top: 'x1="0" y1="0" x2="0" y2="1"',
  bottom: 'x1="0" y1="1" x2="0" y2="0"',
}

/** One colour over the whole filled shape: opacity `opacity` from its side to `hold`, fading to 0 at `end`. */
export function fade(
  name: string,
  colour: Colour,
  { opacity, hold, end, from }: { opacity: number; hold: number; end: number; from: Side },
): { shape: string; paint: Paint } {
  const stop = (offset: number, share: number) =>
    `<stop offset="${n(offset)}" stop-color="${colour}" stop-opacity="${n(share)}"/>`
  const shape = `<linearGradient id="${name}" ${LINES[from]}>${stop(hold, opacity)}${stop(end, 0)}</linearGradient>`
  return { shape, paint: `url(#${name})` }
}

/** A grid of dots that fills the box. */
export function dots(
  box: Rect,
  { step, radius }: { step: number; radius: number },
  fill: Colour,
): string {
  const all: string[] = []
  for (let y = box.y + step / 2; y + radius <= box.y + box.height; y += step)
    for (let x = box.x + step / 2; x + radius <= box.x + box.width; x += step)
      all.push(circle({ x, y, radius }, fill))
  return all.join('')
}

export function insetBox(box: Rect, by: number): Rect {
  return {
    x: box.x + by,
    y: box.y + by,
    width: Math.max(0, box.width - 2 * by),
    height: Math.max(0, box.height - 2 * by),
  }
}

export function touch(a: Rect, b: Rect, gap = 0): boolean {
  return (
    a.x < b.x + b.width + gap &&
    b.x < a.x + a.width + gap &&
    a.y < b.y + b.height + gap &&
    b.y < a.y + a.height + gap
  )
}

/** A number as SVG writes it: two decimals, so that the bytes do not depend on rounding noise. */
export function n(value: number): string {
  return String(Number(value.toFixed(2)) || 0)
}
