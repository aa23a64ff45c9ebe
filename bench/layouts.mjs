// Judges generated advertisements: twelve scripts and languages, eight sizes, five layouts, and brands in
// light and dark colours. Prints for each script how many have no fault, and the faults that there are.
// Flags: --verbose names every advertisement with a fault
import { parseArgs } from 'node:util'
import { renderAsync } from '@resvg/resvg-js'
import { contrast } from '../dist/creative/layout-engine/colours.js'
import { composeAd } from '../dist/creative/layout-engine/compose.js'
import { toSvg } from '../dist/creative/layout-engine/to-svg.js'
import { SCRIPT_SAMPLES } from '../scripts/script-samples.mjs'
import { judgeAd } from './layouts/judge.mjs'

const SIZES = [
  [320, 50],
  [728, 90],
  [970, 250],
  [300, 250],
  [160, 600],
  [300, 600],
  [600, 600],
  [600, 314],
]
const LAYOUTS = ['aurora', 'mosaic', 'slant', 'rings', 'card']
const COLOURS = [{ primary: '#0B3D2E', secondary: '#F2A541' }, { primary: '#FFD400' }]

export async function run(flags) {
  const { values } = parseArgs({ args: flags, options: { verbose: { type: 'boolean' } } })
  const kinds = new Map()
  let [all, good] = [0, 0]
  for (const { language, brand, offering, message } of SCRIPT_SAMPLES) {
    let [count, sound] = [0, 0]
    for (const [width, height] of SIZES)
      for (const layout of LAYOUTS)
        for (const colors of COLOURS) {
          const ad = composeAd({
            brand: { ...brand, colors },
            offering,
            message,
            width,
            height,
            layout,
          })
          const { faults } = await judgeAd(ad, { toSvg, contrast, drawGround })
          count += 1
          if (faults.length === 0) sound += 1
          else if (values.verbose)
            console.log(`  ${language} ${width}x${height} ${layout}: ${faults.join(', ')}`)
          for (const fault of faults) {
            const kind = fault.replace(/[\d.]+ ?/g, '')
            kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
          }
        }
    console.log(`${language.padEnd(12)} ${sound} of ${count} without a fault`)
    all += count
    good += sound
  }
  console.log(`all          ${good} of ${all}, ${((good / all) * 100).toFixed(1)} %`)
  for (const [kind, count] of [...kinds].sort(([, a], [, b]) => b - a))
    console.log(`  ${count} ${kind}`)
}

async function drawGround(svg, width) {
  const { pixels } = await renderAsync(svg, { fitTo: { mode: 'width', value: width } })
  const colours = new Uint8Array((pixels.length / 4) * 3)
  for (let at = 0; at < pixels.length / 4; at++)
    colours.set(pixels.subarray(at * 4, at * 4 + 3), at * 3)
  return colours
}
