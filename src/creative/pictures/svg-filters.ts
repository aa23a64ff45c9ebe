// What one filter of an SVG costs: passes over each pixel of its region, by the steps that take them. The figures
// were measured with librsvg; one pass is about the cost of drawing one opaque layer over another.

import type { SvgElement } from './svg-tree.ts'

/** Longest side at which an SVG is drawn, in pixels. */
export const DRAWN_SIDE = 1_024

export interface Canvas {
  /** Pixels of a unit of the drawing. */
  scale: number
  /** In megapixels. */
  area: number
}

/** The size given by the outermost element, scaled to the side at which it is drawn. */
export function canvasOf(svg: SvgElement | undefined): Canvas {
  const given = (name: string) => Number.parseFloat(svg?.attributes.get(name) ?? '')
  const box = (svg?.attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/, 4)
    .map(Number)
  const side = (index: number, name: string) => {
    const length = (box[index] ?? 0) > 0 ? (box[index] as number) : given(name)
    return length > 0 ? length : 1
  }
  const [width, height] = [side(2, 'width'), side(3, 'height')]
  const scale = DRAWN_SIDE / Math.max(width, height)
  return { scale, area: (width * height * scale ** 2) / 1e6 }
}

export interface FilterCost {
  /** By the name of the step. */
  passes: ReadonlyMap<string, number>
  /** Megapixels of its region, from those of the element that it is applied to. */
  areaOf(elementArea: number): number
}

export function filterCostOf(filter: SvgElement, canvas: Canvas): FilterCost {
  const passes = new Map<string, number>()
  for (const step of filter.children) {
    const cost = COSTS.get(step.name)?.(step, canvas) ?? CHEAP
    passes.set(step.name, (passes.get(step.name) ?? 0) + cost)
  }
  return { passes, areaOf: (area) => Math.min(regionOf(filter, area, canvas), canvas.area) }
}

/** The cost of every step: the memory of its result. */
const CHEAP = 0.5
const COLOUR = 2.5
/** librsvg does not make a kernel larger than this. */
const MAX_RADIUS = 10
const MAX_OCTAVES = 9

type StepCost = (step: SvgElement, canvas: Canvas) => number

const COSTS: ReadonlyMap<string, StepCost> = new Map<string, StepCost>([
  ['feBlend', () => COLOUR],
  ['feColorMatrix', () => COLOUR],
  ['feComponentTransfer', () => COLOUR],
  ['feComposite', () => COLOUR],
  ['feMerge', ({ children }) => COLOUR * Math.max(children.length / 2, 1)],
  ['feGaussianBlur', () => 8],
  ['feDropShadow', () => 8 + 2 * COLOUR],
  ['feDiffuseLighting', () => 8],
  ['feSpecularLighting', () => 8],
  ['feDisplacementMap', () => 72],
  [
    'feTurbulence',
    (step) => 11 + 2.5 * Math.min(numbersIn(step, 'numOctaves')[0] ?? 1, MAX_OCTAVES),
  ],
  [
    'feConvolveMatrix',
    (step) => {
      const [columns = 3, rows = columns] = numbersIn(step, 'order')
      return 4 + 0.8 * columns * rows
    },
  ],
  [
    'feMorphology',
    (step, { scale }) => {
      const [x = 0, y = x] = numbersIn(step, 'radius').map((radius) => radius * scale)
      const [wide, high] = [x, y].map((radius) => 2 * Math.min(radius, MAX_RADIUS) + 1)
      return 12 + 0.5 * (wide as number) * (high as number)
    },
  ],
])

function numbersIn({ attributes }: SvgElement, name: string): number[] {
  const given = (attributes.get(name) ?? '')
    .trim()
    .split(/[\s,]+/, 2)
    .map(Number.parseFloat)
  return given.filter((number) => number >= 0)
}

/** By default it has the size of its element plus a tenth on every side. */
const DEFAULT_SIDE = 1.2

function regionOf({ attributes }: SvgElement, elementArea: number, canvas: Canvas): number {
  const [width, height] = ['width', 'height'].map((name) => attributes.get(name))
  if (attributes.get('filterUnits') !== 'userSpaceOnUse') {
    return orAll(timesOf(width) * timesOf(height) * elementArea, canvas)
  }
  // Shares of the picture, which are also the default.
  if (!width || !height || width.endsWith('%') || height.endsWith('%')) return canvas.area
  const region = Number.parseFloat(width) * Number.parseFloat(height)
  return orAll((region * canvas.scale ** 2) / 1e6, canvas)
}

/** The multiple of the width or height of its element. */
function timesOf(side: string | undefined): number {
  if (side === undefined) return DEFAULT_SIDE
  return Number.parseFloat(side) / (side.trim().endsWith('%') ? 100 : 1)
}

function orAll(region: number, { area }: Canvas): number {
  return region >= 0 ? region : area
}
