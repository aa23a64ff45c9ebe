// Whether an SVG is too complex to draw, by an estimate made in advance. What the estimate misses is stopped by the
// time limit for drawing.

import { MAX_SVG_DEPTH, MAX_SVG_ELEMENTS, MAX_SVG_PASSES } from '../limits.ts'
import { estimateSvg } from './svg-estimate.ts'
import { readSvgTree } from './svg-tree.ts'

/** What exceeds the limit, and what is accepted; undefined if it may be drawn. */
export function tooCostlySvg(text: string): string | undefined {
  const tree = readSvgTree(text, MAX_SVG_ELEMENTS)
  if (tree.count > MAX_SVG_ELEMENTS) return tooManyElements(`more than ${MAX_SVG_ELEMENTS}`)
  const estimate = tree.depth > MAX_SVG_DEPTH ? undefined : estimateSvg(tree.root)
  if (!estimate) {
    return `its elements are nested more than ${MAX_SVG_DEPTH} levels deep, references included: an SVG may have at most ${MAX_SVG_DEPTH} levels`
  }
  const { elements, passes } = estimate
  if (!isWithin(elements, MAX_SVG_ELEMENTS)) return tooManyElements(`about ${readable(elements)}`)
  const total = [...passes.values()].reduce((sum, count) => sum + count, 0)
  return isWithin(total, MAX_SVG_PASSES) ? undefined : tooManyPasses(total, passes)
}

/** An overflowed value that is no longer a number is not within the limit. */
function isWithin(cost: number, limit: number): boolean {
  return cost <= limit
}

function tooManyElements(count: string): string {
  return (
    `it draws ${count} elements, counting those that are repeated by use, patterns, masks and markers, ` +
    `letters and the length of paths: an SVG may draw at most ${MAX_SVG_ELEMENTS}`
  )
}

function tooManyPasses(total: number, passes: ReadonlyMap<string, number>): string {
  const [most] = [...passes].sort(([, a], [, b]) => b - a)[0] ?? ['']
  return (
    `its filters, masks, layers and patterns take about ${readable(total)} passes over a megapixel, ` +
    `most of them for ${most}: an SVG may take at most ${MAX_SVG_PASSES}`
  )
}

function readable(count: number): string {
  return count < 1e9 ? String(Math.round(count)) : 'a billion or more'
}
