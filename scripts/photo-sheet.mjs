// Draws docs/images/creatives-by-photo.webp from dist/: ten photos in eight sizes each, as build_creative makes
// them. Running it again writes the same bytes.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { composeAd } from '../dist/creative/layout-engine/compose.js'
import { cropPhoto } from '../dist/creative/pictures/crop-photo.js'
import { drawImage } from '../dist/creative/pictures/draw-image.js'
import { PHOTO_SAMPLES, photoOf } from './photo-samples.mjs'
import { CELLS, PAGE_WIDTH, ROW_HEIGHT } from './sheet-cells.mjs'

const page = { width: PAGE_WIDTH, height: PHOTO_SAMPLES.length * ROW_HEIGHT + 18 }
const pieces = []
for (const [row, sample] of PHOTO_SAMPLES.entries()) {
  const bytes = await photoOf(sample, row)
  for (const cell of CELLS) {
    const [width, height] = cell.size
    const { brand, offering, message } = sample
    const cropped = await cropPhoto({ bytes, width, height, maxBytes: 250_000 })
    if (!cropped.ok) throw new Error(`${sample.subject}: ${cropped.reason}`)
    const input = { brand, offering, message, width, height, photo: cropped.photo }
    // Each row begins with another layout, as another request would.
    const { svg } = composeAd({ ...input, seed: `sheet ${row}` })
    const large = await drawImage(svg, { width, height, type: 'png' })
    const returned = { width: cell.width, height: Math.round((cell.width * height) / width) }
    const picture = await sharp(large).resize(returned.width, returned.height).png().toBuffer()
    pieces.push({ input: picture, left: 18 + cell.left, top: 18 + row * ROW_HEIGHT + cell.top })
  }
}
const sheet = await sharp({ create: { ...page, channels: 3, background: '#dfe2e7' } })
  .composite(pieces)
  .webp({ quality: 80, smartSubsample: true, effort: 6 })
  .toBuffer()
const file = fileURLToPath(new URL('../docs/images/creatives-by-photo.webp', import.meta.url))
writeFileSync(file, sheet)
console.log(`${file}: ${page.width}x${page.height}, ${Math.round(sheet.length / 1024)} KB`)
