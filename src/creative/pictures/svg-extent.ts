// The size of a shape of an SVG, as far as it can be read from its attributes: its bounding box, in the units of the
// drawing. Strokes and texts are not measured.

import type { SvgElement } from './svg-tree.ts'

/** The area of the box; undefined if unknown. */
export function boxAreaOf({ name, attributes }: SvgElement): number | undefined {
  const number = (attribute: string) => Number.parseFloat(attributes.get(attribute) ?? '')
  switch (name) {
    case 'rect':
      return known(number('width') * number('height'), attributes)
    case 'circle':
      return known((2 * number('r')) ** 2, attributes)
    case 'ellipse':
      return known(4 * number('rx') * number('ry'), attributes)
    case 'path':
      return boxOfPath(attributes.get('d') ?? '')
    case 'polygon':
    case 'polyline':
      return boxOfPath(`M${attributes.get('points') ?? ''}`)
    default:
      return undefined
  }
}

function known(area: number, attributes: SvgElement['attributes']): number | undefined {
  const isShare = ['width', 'height', 'r', 'rx', 'ry'].some((one) =>
    attributes.get(one)?.includes('%'),
  )
  return area >= 0 && !isShare ? area : undefined
}

/** The factor by which a transform enlarges areas. */
export function zoomOf(transform: string | undefined): number {
  let zoom = 1
  for (const part of (transform ?? '').split(')', MAX_TRANSFORMS)) {
    const [name = '', values = ''] = part.split('(', 2)
    const [a = 1, b = 0, c = 0, d = 1] = numbersIn(values)
    if (name.trim().endsWith('matrix')) zoom *= Math.abs(a * d - b * c)
    if (name.trim().endsWith('scale')) zoom *= Math.abs(a * (numbersIn(values)[1] ?? a))
  }
  return Number.isFinite(zoom) ? zoom : 1
}

const MAX_TRANSFORMS = 20

/** The number of arguments of each command, and where among them its points begin. */
const COMMANDS: ReadonlyMap<string, { count: number; points: number }> = new Map([
  ['M', { count: 2, points: 0 }],
  ['L', { count: 2, points: 0 }],
  ['T', { count: 2, points: 0 }],
  ['H', { count: 1, points: 0 }],
  ['V', { count: 1, points: 0 }],
  ['C', { count: 6, points: 0 }],
  ['S', { count: 4, points: 0 }],
  ['Q', { count: 4, points: 0 }],
  ['A', { count: 7, points: 5 }],
])

/** Includes the control points of its curves; for an arc, only its ends. */
function boxOfPath(d: string): number | undefined {
  const [xs, ys] = [createRange(), createRange()]
  let [x, y] = [0, 0]
  for (const part of commandsIn(d)) {
    const letter = part.charAt(0)
    const command = COMMANDS.get(letter.toUpperCase())
    if (!command) continue
    const isRelative = letter !== letter.toUpperCase()
    const numbers = numbersIn(part.slice(1))
    for (let at = 0; at + command.count <= numbers.length; at += command.count) {
      const points = numbers.slice(at + command.points, at + command.count)
      const [fromX, fromY] = isRelative ? [x, y] : [0, 0]
      if (letter === 'H' || letter === 'h') x = fromX + (points[0] as number)
      else if (letter === 'V' || letter === 'v') y = fromY + (points[0] as number)
      else {
        for (let one = 0; one < points.length; one += 2) {
          x = fromX + (points[one] as number)
          y = fromY + (points[one + 1] as number)
          xs.add(x)
          ys.add(y)
        }
      }
      xs.add(x)
      ys.add(y)
    }
  }
  const area = xs.length() * ys.length()
  return Number.isFinite(area) ? area : undefined
}

function createRange() {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    add: (value: number) => {
      least = Math.min(least, value)
      most = Math.max(most, value)
    },
    length: () => most - least,
  }
}

/** Each with its numbers. */
function commandsIn(d: string): string[] {
  return d.split(/(?=[MmLlTtHhVvCcSsQqAaZz])/)
}

function numbersIn(text: string): number[] {
  return (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number)
}
