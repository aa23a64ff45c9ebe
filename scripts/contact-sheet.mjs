// Draws the sheets of docs/images/ from dist/, as build_creative makes them: generated-creatives.png, one
// brand in several sizes and layouts, and creatives-by-script.webp, twelve scripts and languages in eight
// sizes each. Running it again writes the same bytes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { composeAd } from '../dist/creative/layout-engine/compose.js'
import { drawImage } from '../dist/creative/pictures/draw-image.js'
import { SCRIPT_SAMPLES } from './script-samples.mjs'
import { CELLS, PAGE_WIDTH, ROW_HEIGHT } from './sheet-cells.mjs'

const BRAND = {
  name: 'Northwind Outfitters',
  url: 'https://northwind.example',
  colors: { primary: '#0B5D4E', secondary: '#F2A541' },
}
const OFFERING = {
  name: 'Summer trail collection',
  description: 'Light boots, packs and shells for long days outside. Free shipping on every order.',
}

const ROWS = [
  each([970, 250], 'aurora', 'slant'),
  each([728, 90], 'poster', 'mosaic'),
  each([300, 250], 'aurora', 'mosaic', 'slant', 'rings', 'card', 'frame', 'poster'),
  each([320, 50], 'aurora', 'mosaic', 'slant', 'rings'),
  [
    ...each([160, 600], 'mosaic', 'slant', 'frame'),
    ...each([1080, 1920], 'aurora', 'mosaic', 'card'),
  ],
]
const WIDTH = 1640
const GAP = 28

const pieces = []
let top = GAP
for (const row of ROWS) {
  // Every row is as wide as the others, so its height follows.
  const room = WIDTH - GAP * (row.length + 1)
  const exact = room / row.reduce((sum, { size: [w, h] }) => sum + w / h, 0)
  const height = Math.round(exact)
  let left = GAP
  for (const { size, layout } of row) {
    const width = Math.floor((exact * size[0]) / size[1])
    pieces.push({ input: await picture(size, layout, { width, height }), left, top })
    left += width + GAP
  }
  top += height + GAP
}
const ground = { width: WIDTH, height: top, channels: 3, background: '#eceef1' }
const sheet = await sharp({ create: ground })
  .composite(pieces)
  .png({ palette: true, colours: 256, compressionLevel: 9, dither: 0.4 })
  .toBuffer()
const folder = fileURLToPath(new URL('../docs/images', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/generated-creatives.png`, sheet)
console.log(`generated-creatives.png: ${WIDTH}x${top}, ${Math.round(sheet.length / 1024)} KB`)

const page = { width: PAGE_WIDTH, height: SCRIPT_SAMPLES.length * ROW_HEIGHT + 18 }
const scripts = []
for (const [row, { brand, offering, message }] of SCRIPT_SAMPLES.entries()) {
  for (const cell of CELLS) {
    const [width, height] = cell.size
    const returned = { width: cell.width, height: Math.round((cell.width * height) / width) }
    const { svg } = composeAd({ brand, offering, message, width, height })
    const input = await drawn(svg, cell.size, returned)
    scripts.push({ input, left: 18 + cell.left, top: 18 + row * ROW_HEIGHT + cell.top })
  }
}
const byScript = await sharp({ create: { ...page, channels: 3, background: '#eceef1' } })
  .composite(scripts)
  .webp({ quality: 82, smartSubsample: true, effort: 6 })
  .toBuffer()
writeFileSync(`${folder}/creatives-by-script.webp`, byScript)
console.log(
  `creatives-by-script.webp: ${page.width}x${page.height}, ${Math.round(byScript.length / 1024)} KB`,
)

function each(size, ...layouts) {
  return layouts.map((layout) => ({ size, layout }))
}

async function picture([width, height], layout, returned) {
  const { svg } = composeAd({ brand: BRAND, offering: OFFERING, width, height, layout })
  return drawn(svg, [width, height], returned)
}

/** Drawn at twice its size first: a scale that is not whole would blur the edges of the tiles. */
async function drawn(svg, [width, height], returned) {
  const large = await drawImage(svg, { width: width * 2, height: height * 2, type: 'png' })
  return sharp(large).resize(returned.width, returned.height, { fit: 'fill' }).png().toBuffer()
}
