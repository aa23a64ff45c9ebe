// What drawing an SVG costs: the elements that are drawn, including repetitions, and the passes over its pixels that
// filters, layers and patterns take. Each element is visited once, however often it is drawn.

import { MAX_SVG_DEPTH } from '../limits.ts'
import { boxAreaOf, zoomOf } from './svg-extent.ts'
import { type Canvas, canvasOf, type FilterCost, filterCostOf } from './svg-filters.ts'
import { type Properties, propertiesOf, readStyleSheet, type StyleSheet } from './svg-styles.ts'
import { everyElement, type SvgElement } from './svg-tree.ts'

export interface SvgEstimate {
  elements: number
  /** Passes over a megapixel, by their cause. */
  passes: ReadonlyMap<string, number>
  /** The megapixels it covers, at most those of the canvas. */
  area: number
}

/** Passes over the canvas, or over the element itself, measured with librsvg. */
const PASSES = { opacity: 0.1, blending: 0.6, masks: 0.6, patterns: 9, gradients: 1 }
/** The number of characters of a path, and of letters of a text, that cost as much as an element. */
const PATH_CHARS = 16
const ELEMENTS_PER_LETTER = 4
const CHARS_PER_POINT = 6

const NOTHING: SvgEstimate = { elements: 0, passes: new Map(), area: 0 }
const INHERITED = ['fill', 'stroke', 'marker', 'marker-start', 'marker-mid', 'marker-end']
const SHAPES = new Set(['rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'path', 'text'])
const TEXTS = new Set(['text', 'tspan', 'textPath'])
/** Drawn only where they are referenced. */
const UNDRAWN = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'filter',
  'linearGradient',
  'radialGradient',
  'style',
  'title',
  'desc',
  'metadata',
])

/** What an element inherits from the elements around it. */
interface Around {
  properties: Properties
  /** How many times larger areas are. */
  zoom: number
}

const NOTHING_AROUND: Around = { properties: new Map(), zoom: 1 }

interface Drawing {
  byId: ReadonlyMap<string, SvgElement>
  sheet: StyleSheet
  canvas: Canvas
  known: Map<SvgElement, SvgEstimate>
  filters: Map<SvgElement, FilterCost>
  depth: number
  isTooDeep: boolean
}

/** Undefined for elements nested too deeply. */
export function estimateSvg(root: SvgElement): SvgEstimate | undefined {
  const byId = new Map<string, SvgElement>()
  const styles: SvgElement[] = []
  for (const element of everyElement(root)) {
    const id = element.attributes.get('id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    if (element.name === 'style') styles.push(element)
  }
  const drawing: Drawing = {
    byId,
    sheet: readStyleSheet(styles),
    canvas: canvasOf(root.children[0]),
    known: new Map(),
    filters: new Map(),
    depth: 0,
    isTooDeep: false,
  }
  const estimate = ofChildren(root, NOTHING_AROUND, drawing)
  return drawing.isTooDeep ? undefined : estimate
}

function ofChildren(element: SvgElement, around: Around, drawing: Drawing): SvgEstimate {
  drawing.depth += 1
  drawing.isTooDeep ||= drawing.depth > MAX_SVG_DEPTH
  const total = createTotal()
  for (const child of drawing.isTooDeep ? [] : element.children) {
    if (UNDRAWN.has(child.name)) continue
    total.add(once(child, drawing, () => ofDrawn(child, around, drawing)))
  }
  drawing.depth -= 1
  return total.estimate(drawing.canvas)
}

/** For what is drawn by reference: for a symbol or a pattern, its content. */
function ofReferred(element: SvgElement, drawing: Drawing): SvgEstimate {
  return once(element, drawing, () =>
    UNDRAWN.has(element.name)
      ? ofChildren(element, NOTHING_AROUND, drawing)
      : ofDrawn(element, NOTHING_AROUND, drawing),
  )
}

/** An element that references itself is not drawn inside itself. */
function once(element: SvgElement, { known }: Drawing, estimate: () => SvgEstimate): SvgEstimate {
  const before = known.get(element)
  if (before) return before
  known.set(element, NOTHING)
  const made = estimate()
  known.set(element, made)
  return made
}

function ofDrawn(element: SvgElement, around: Around, drawing: Drawing): SvgEstimate {
  const { attributes, name, text } = element
  const own = propertiesOf(element, drawing.sheet)
  const zoom = around.zoom * zoomOf(attributes.get('transform'))
  const total = createTotal()
  const letters = TEXTS.has(name) ? text.trim().length : 0
  total.addElements(1 + letters * ELEMENTS_PER_LETTER + pathCharsOf(element) / PATH_CHARS)
  const inner = { properties: passedOn(own, around.properties), zoom }
  total.add(ofChildren(element, inner, drawing))
  const used = name === 'use' ? referredBy(attributes.get('href'), drawing) : undefined
  if (used) total.add(ofReferred(used, drawing))
  if (SHAPES.has(name)) addShape(total, { element, around: inner }, drawing)
  addLayers(total, own, drawing)
  return total.estimate(drawing.canvas)
}

function addShape(
  total: Total,
  { element, around }: { element: SvgElement; around: Around },
  drawing: Drawing,
): void {
  const { canvas } = drawing
  const { properties, zoom } = around
  const box = boxAreaOf(element)
  const drawn = box === undefined ? canvas.area : (box * zoom * canvas.scale ** 2) / 1e6
  const area = Math.min(drawn, canvas.area)
  total.cover(area)
  for (const name of ['fill', 'stroke']) {
    const paint = referredBy(properties.get(name), drawing)
    if (paint?.name === 'radialGradient') total.addPasses('gradients', PASSES.gradients * area)
    if (paint?.name !== 'pattern') continue
    total.add({ ...ofReferred(paint, drawing), area: 0 })
    total.addPasses('patterns', PASSES.patterns * area)
  }
  const points = pathCharsOf(element) / CHARS_PER_POINT
  const markers = { 'marker-start': 1, 'marker-mid': points, 'marker-end': 1 }
  for (const [name, times] of Object.entries(markers)) {
    const marker = referredBy(properties.get(name) ?? properties.get('marker'), drawing)
    if (marker) total.add(ofReferred(marker, drawing), times)
  }
}

function addLayers(total: Total, own: Properties, drawing: Drawing): void {
  const { canvas } = drawing
  const isOpaque = Number.parseFloat(own.get('opacity') ?? '1') >= 1
  if (!isOpaque) total.addPasses('opacity', PASSES.opacity * canvas.area)
  const isPlain = (own.get('mix-blend-mode') ?? 'normal') === 'normal'
  if (!isPlain) total.addPasses('blending', PASSES.blending * canvas.area)
  const mask = referredBy(own.get('mask'), drawing)
  if (mask) total.addPasses('masks', PASSES.masks * canvas.area)
  const filter = referredBy(own.get('filter'), drawing)
  if (filter) addFilter(total, filter, drawing)
  for (const one of [mask, referredBy(own.get('clip-path'), drawing)]) {
    if (one) total.add({ ...ofReferred(one, drawing), area: 0 })
  }
}

function addFilter(total: Total, filter: SvgElement, { filters, canvas }: Drawing): void {
  const cost = filters.get(filter) ?? filterCostOf(filter, canvas)
  filters.set(filter, cost)
  const area = cost.areaOf(total.estimate(canvas).area)
  for (const [step, passes] of cost.passes) total.addPasses(step, passes * area)
}

function referredBy(value: string | undefined, { byId }: Drawing): SvgElement | undefined {
  const hash = value?.indexOf('#') ?? -1
  if (value === undefined || hash < 0) return undefined
  const end = value.slice(hash).search(/[\s)"']/)
  return byId.get(value.slice(hash + 1, end < 0 ? undefined : hash + end))
}

function pathCharsOf({ attributes }: SvgElement): number {
  return (attributes.get('d') ?? attributes.get('points') ?? '').length
}

function passedOn(own: Properties, inherited: Properties): Properties {
  if (!INHERITED.some((name) => own.has(name))) return inherited
  const all = new Map(inherited)
  for (const name of INHERITED) {
    const value = own.get(name)
    if (value !== undefined) all.set(name, value)
  }
  return all
}

function createTotal() {
  const passes = new Map<string, number>()
  let [elements, area] = [0, 0]
  const addPasses = (what: string, by: number) => passes.set(what, (passes.get(what) ?? 0) + by)
  return {
    addElements: (by: number) => {
      elements += by
    },
    addPasses,
    /** Megapixels that it covers itself. */
    cover: (by: number) => {
      area += by
    },
    add: (one: SvgEstimate, times = 1) => {
      elements += one.elements * times
      area += one.area
      for (const [what, by] of one.passes) addPasses(what, by * times)
    },
    estimate: (canvas: Canvas): SvgEstimate => ({
      elements,
      passes,
      area: Math.min(area, canvas.area),
    }),
  }
}
type Total = ReturnType<typeof createTotal>
