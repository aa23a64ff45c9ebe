// The lightest colour in each cell of a picture: the background on which words must be readable.

import type { Sharp } from './sharp.ts'

/** Samples per cell, in each direction. */
const SAMPLES = 4

/** Row by row, as #rrggbb. */
export async function lightestOf(picture: Sharp, cells: number): Promise<string[]> {
  const side = cells * SAMPLES
  const { data, info } = await picture
    .clone()
    .resize({ width: side, height: side, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const lightest: string[] = []
  for (let cell = 0; cell < cells * cells; cell++) {
    const [row, column] = [Math.floor(cell / cells), cell % cells]
    let best = { light: -1, colour: '#ffffff' }
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const y = row * SAMPLES + Math.floor(sample / SAMPLES)
      const x = column * SAMPLES + (sample % SAMPLES)
      const at = (y * side + x) * info.channels
      const rgb = [0, 1, 2].map((one) => data[at + (one % info.channels)] ?? 255)
      const [red = 0, green = 0, blue = 0] = rgb
      const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      if (light > best.light) best = { light, colour: hexOf(rgb) }
    }
    lightest.push(best.colour)
  }
  return lightest
}

function hexOf(rgb: readonly number[]): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
