// Judges generated advertisements: 40 brands, 30 formats and 12 scripts, drawn as build_creative would. Of
// the 14 400 pictures a Latin square is taken, in which every script meets every format and every brand is
// met as often as the others. Prints, by script and by family of formats, how many have no fault, and how
// many have which.
// Flags: --full takes all; --rounds=N takes N squares (default 1); --verbose names each with a fault
import { parseArgs } from 'node:util'
import { renderAsync } from '@resvg/resvg-js'
import { contrast } from '../dist/creative/layout-engine/colours.js'
import { composeAd } from '../dist/creative/layout-engine/compose.js'
import { FONT_FAMILY, FONT_FILES } from '../dist/creative/layout-engine/faces.js'
import { toSvg } from '../dist/creative/layout-engine/to-svg.js'
import { SCRIPT_SAMPLES } from '../scripts/script-samples.mjs'
import { asBrand, BRAND_COUNT } from './layouts/brands.mjs'
import { badMeasures, checkAd, MEASURES } from './layouts/check.mjs'
import { FORMATS } from './layouts/formats.mjs'

const OPTIONS = {
  verbose: { type: 'boolean' },
  full: { type: 'boolean' },
  rounds: { type: 'string', default: '1' },
}

export async function run(flags) {
  const { values } = parseArgs({ args: flags, options: OPTIONS })
  const rounds = values.full ? BRAND_COUNT : Math.min(BRAND_COUNT, Number(values.rounds) || 1)
  const tables = { script: new Map(), family: new Map(), all: new Map() }
  const layouts = new Map()
  const started = performance.now()
  for (const [row, sample] of SCRIPT_SAMPLES.entries())
    for (const [column, [family, width, height]] of FORMATS.entries())
      for (let round = 0; round < rounds; round++) {
        const number = (row * 13 + column * 7 + round * 3) % BRAND_COUNT
        const ad = composeAd({ ...asBrand(sample, number), width, height })
        const judgement = await checkAd(ad, { toSvg, contrast, drawGround })
        const where = `${sample.language} ${width}x${height} brand ${number} ${ad.layout}`
        if (values.verbose && judgement.faults.length > 0)
          console.log(`  ${where}: ${judgement.faults.join(', ')}`)
        layouts.set(ad.layout, (layouts.get(ad.layout) ?? 0) + 1)
        for (const [table, key] of [
          ['script', sample.language],
          ['family', family],
          ['all', 'all'],
        ])
          count(tables[table], key, judgement)
      }
  const taken = SCRIPT_SAMPLES.length * FORMATS.length * rounds
  const all = SCRIPT_SAMPLES.length * FORMATS.length * BRAND_COUNT
  const seconds = Math.round((performance.now() - started) / 1_000)
  console.log(
    `${taken} of ${all} pictures judged in ${seconds} s: ${SCRIPT_SAMPLES.length} scripts x ${FORMATS.length} formats, ${rounds} of ${BRAND_COUNT} brands each, by a Latin square`,
  )
  for (const [title, rows] of Object.entries(tables)) printTable(title, rows)
  const chosen = [...layouts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`)
  console.log(`\nlayouts: ${chosen.join(', ')}`)
}

function count(rows, key, judgement) {
  const row = rows.get(key) ?? { count: 0, sound: 0, bad: {}, empty: 0 }
  row.count += 1
  row.empty += judgement.empty
  if (judgement.faults.length === 0) row.sound += 1
  for (const [name, isBad] of Object.entries(badMeasures(judgement)))
    row.bad[name] = (row.bad[name] ?? 0) + (isBad ? 1 : 0)
  rows.set(key, row)
}

/** How many are sound, how many are at fault in each measure, and how empty the mean is. */
function printTable(title, rows) {
  const heads = ['sound', ...MEASURES, 'mean empty'].map((head) => head.padStart(11))
  console.log(`\n${title.padEnd(14)}${heads.join('')}`)
  for (const [key, { count: n, sound, bad, empty }] of rows) {
    const share = `${((sound / n) * 100).toFixed(1)} %`
    const cells = [
      share,
      ...MEASURES.map((name) => bad[name]),
      `${Math.round((empty / n) * 100)} %`,
    ]
    console.log(key.padEnd(14) + cells.map((cell) => String(cell).padStart(11)).join(''))
  }
}

async function drawGround(svg, width) {
  const hasLetters = svg.includes('<text')
  const font = {
    loadSystemFonts: false,
    fontFiles: hasLetters ? FONT_FILES : [],
    defaultFontFamily: FONT_FAMILY,
  }
  const { pixels } = await renderAsync(svg, { fitTo: { mode: 'width', value: width }, font })
  const colours = new Uint8Array((pixels.length / 4) * 3)
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    colours[to++] = pixels[from]
    colours[to++] = pixels[from + 1]
    colours[to++] = pixels[from + 2]
  }
  return colours
}
drawGround.isLettered = true
