// The amount of visual detail in a photo, place by place: edges, colours that stand out, skin. It decides what a crop
// keeps, and where words may be placed.

import { decode } from './fit-image.ts'

/** Cells of the map in each direction, whatever the shape of the photo. */
export const MAP_CELLS = 48

/** Row by row, each 0 to 1. */
export type SalienceMap = Float32Array

/** A part of the photo, as shares of its width and height. */
export interface Window {
  x: number
  y: number
  width: number
  height: number
}

export interface SeenPhoto {
  map: SalienceMap
  /** Three bytes a cell. */
  pixels: Buffer
}

/** Undefined when it cannot be decoded. */
export async function seePhoto(bytes: Uint8Array): Promise<SeenPhoto | undefined> {
  const pixels = await decode(bytes)
    .resize({ width: MAP_CELLS, height: MAP_CELLS, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
    .catch(() => undefined)
  return pixels && { pixels, map: mapOf(pixels) }
}

function mapOf(pixels: Buffer): SalienceMap {
  const count = MAP_CELLS * MAP_CELLS
  const mean = [0, 1, 2].map((channel) => {
    let sum = 0
    for (let cell = 0; cell < count; cell++) sum += pixels[cell * 3 + channel] as number
    return sum / count
  })
  const raw = new Float32Array(count)
  for (let cell = 0; cell < count; cell++) raw[cell] = salienceAt(pixels, cell, mean)
  const soft = softened(raw)
  // The maximum of nearly all of the photo counts as 1: a single glint would make the rest look empty.
  const loud = [...soft].sort((a, b) => a - b)[Math.floor(count * 0.97)] || 1
  return soft.map((value) => Math.min(1, value / loud))
}

function salienceAt(pixels: Buffer, cell: number, mean: readonly number[]): number {
  const [red, green, blue] = [0, 1, 2].map((one) => pixels[cell * 3 + one] as number) as Rgb
  const apart = Math.hypot(red - mean[0]!, green - mean[1]!, blue - mean[2]!) / 441
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const saturation = most === 0 ? 0 : ((most - least) / most) * (most / 255)
  const edge = (Math.abs(step(pixels, cell, 1)) + Math.abs(step(pixels, cell, MAP_CELLS))) / 255
  return edge * 1.4 + apart * 0.8 + saturation * 0.25 + (isSkin(red, green, blue) ? 0.22 : 0)
}

type Rgb = [number, number, number]

/** The change of light to the cell `by` further on. */
function step(pixels: Buffer, cell: number, by: number): number {
  const light = (at: number) =>
    0.2126 * (pixels[at * 3] as number) +
    0.7152 * (pixels[at * 3 + 1] as number) +
    0.0722 * (pixels[at * 3 + 2] as number)
  const next = cell + by
  const isRowEnd = by === 1 && next % MAP_CELLS === 0
  return next >= MAP_CELLS * MAP_CELLS || isRowEnd ? 0 : light(next) - light(cell)
}

/** The hue of skin, from pale to deep. */
function isSkin(red: number, green: number, blue: number): boolean {
  return (
    red > 60 && red > green * 1.08 && green > blue * 1.02 && red - blue > 18 && red < blue * 3.2
  )
}

/** Each cell as the mean of itself and its neighbours. */
function softened(raw: Float32Array): Float32Array {
  return raw.map((_, cell) => {
    const [row, column] = [Math.floor(cell / MAP_CELLS), cell % MAP_CELLS]
    let [sum, count] = [0, 0]
    for (let y = Math.max(0, row - 1); y <= Math.min(MAP_CELLS - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(MAP_CELLS - 1, column + 1); x++) {
        sum += raw[y * MAP_CELLS + x] as number
        count++
      }
    return sum / count
  })
}

/** The window with the given shape (width by height, where the photo is 1 by 1) with most detail near its middle. */
export function bestWindow(map: SalienceMap, width: number, height: number): Window {
  const along = (share: number, at: (one: number, other: number) => number) => {
    const profile = Array.from({ length: MAP_CELLS }, (_, one) => {
      let sum = 0
      // Values are squared, because a large weak area matters less than a small strong one.
      for (let other = 0; other < MAP_CELLS; other++) sum += (map[at(one, other)] as number) ** 2
      return sum
    })
    return bestOffset(profile, share)
  }
  return {
    x: width >= 1 ? 0 : along(width, (column, row) => row * MAP_CELLS + column),
    y: height >= 1 ? 0 : along(height, (row, column) => row * MAP_CELLS + column),
    width: Math.min(1, width),
    height: Math.min(1, height),
  }
}

function bestOffset(profile: readonly number[], share: number): number {
  const span = Math.max(1, Math.round(share * MAP_CELLS))
  let best = { offset: 0, score: -1 }
  for (let from = 0; from + span <= MAP_CELLS; from++) {
    let score = 0
    for (let at = 0; at < span; at++) {
      const fromMiddle = Math.abs((at + 0.5) / span - 0.5) * 2
      score += (profile[from + at] as number) * (1 - 0.75 * fromMiddle)
    }
    if (score > best.score) best = { offset: from, score }
  }
  return Math.min(best.offset / MAP_CELLS, 1 - share)
}

/** The share of the visual detail inside a window, 0 to 1; for a disc, the part within it. */
export function keptIn(map: SalienceMap, { x, y, width, height }: Window, isDisc = false): number {
  let [all, held] = [0, 0]
  for (const [cell, value] of map.entries()) {
    const weight = Math.max(0, value - QUIET)
    const [across, down] = [
      (cell % MAP_CELLS) / MAP_CELLS,
      Math.floor(cell / MAP_CELLS) / MAP_CELLS,
    ]
    const isInside = across >= x && across < x + width && down >= y && down < y + height
    const fromMiddle = isDisc ? discRadius(across, down, { x, y, width, height }) : 0
    const isHeld = isInside && fromMiddle <= 1
    all += weight
    if (isHeld) held += weight
  }
  return all === 0 ? 1 : Math.round((held / all) * 100) / 100
}

/** The distance from the middle of a cell to that of the window: 1 on the edge of its disc. */
function discRadius(across: number, down: number, { x, y, width, height }: Window): number {
  const half = 0.5 / MAP_CELLS
  return Math.hypot(
    (across + half - x - width / 2) / (width / 2),
    (down + half - y - height / 2) / (height / 2),
  )
}

/** Even a sky has grain: values this small count as nothing. */
const QUIET = 0.35

/** The map of a window in `cells` x `cells`, each rounded to two decimals. */
export function detailIn(map: SalienceMap, window: Window, cells: number): number[] {
  const at = (start: number, size: number, index: number) =>
    Math.min(MAP_CELLS - 1, Math.floor((start + (size * (index + 0.5)) / cells) * MAP_CELLS))
  return Array.from({ length: cells * cells }, (_, cell) => {
    const row = at(window.y, window.height, Math.floor(cell / cells))
    const column = at(window.x, window.width, cell % cells)
    return Math.round((map[row * MAP_CELLS + column] as number) * 100) / 100
  })
}
