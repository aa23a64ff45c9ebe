// Draws docs/images/preview-page.png: the interactive page of a creative that a running server built.
// Takes the server's address and a key: node scripts/preview-shot.mjs http://127.0.0.1:8420 adw_…
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'

const [server = 'http://127.0.0.1:8420', key = ''] = process.argv.slice(2)
const format_id = { agent_url: server, id: 'native_standard' }

const { creative_manifest } = await call('build_creative', {
  target_format_id: format_id,
  promoted_offerings: {
    brand_manifest: {
      name: 'Northwind Outfitters',
      url: 'https://northwind.example',
      colors: { primary: '#0B5D4E', secondary: '#F2A541' },
    },
    offerings: [{ name: 'Summer trail collection', description: 'Boots for long days outside.' }],
  },
})
// A text may hold macros; a drawn picture may not.
creative_manifest.assets.description.content += ' Now in {CITY}.'

const { interactive_url } = await call('preview_creative', {
  request_type: 'single',
  format_id: creative_manifest.format_id,
  creative_manifest,
  inputs: [
    { name: 'Oslo', macros: { CITY: 'Oslo' } },
    { name: 'Lisbon', macros: { CITY: 'Lisbon' } },
  ],
})

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' })
const page = await browser.newPage({ viewport: { width: 1120, height: 720 } })
await page.goto(interactive_url, { waitUntil: 'networkidle' })
const shot = await page.screenshot()
await browser.close()

const file = fileURLToPath(new URL('../docs/images/preview-page.png', import.meta.url))
const { size } = await sharp(shot)
  .png({ palette: true, colours: 256, compressionLevel: 9, dither: 0.4 })
  .toFile(file)
console.log(`preview-page.png: ${Math.round(size / 1024)} KB`)

async function call(task, request) {
  const answer = await fetch(`${server}/v3/${task}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const body = await answer.json()
  if (body.status !== 'completed') throw new Error(`${task}: ${JSON.stringify(body)}`)
  return body
}
