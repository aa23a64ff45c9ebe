// Four views on a screen of 360 px, side by side in one picture.
import sharp from 'sharp'

const SIZE = { width: 360, height: 740 }
const GAP = 24
const PATHS = ['/', '/deliveries', '/buys?trouble=late', '/signals?q=people%20who%20hike']

export async function drawNarrow({ page, open, openFirst, drawn, save }) {
  await page.setViewportSize(SIZE)
  const layers = []
  for (const [index, path] of PATHS.entries()) {
    await (path.includes('trouble') ? openFirst(path) : open(path))
    await drawn()
    const left = GAP + index * (SIZE.width + GAP)
    layers.push({ input: await page.screenshot(), left, top: GAP })
  }
  const sheet = sharp({
    create: {
      width: GAP + PATHS.length * (SIZE.width + GAP),
      height: SIZE.height + 2 * GAP,
      channels: 3,
      background: '#d9dde3',
    },
  })
  await save(await sheet.composite(layers).png().toBuffer(), 'narrow')
}
