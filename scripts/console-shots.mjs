// Draws docs/images/console-*.webp: every view of the console of a demo server, which this starts from dist/ with
// something to look at.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { makeTraffic } from './console-traffic.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const images = join(root, 'docs/images')
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Attempts are made, and the first circuits are open. */
const TRAFFIC_MS = 20_000

const data = mkdtempSync(join(tmpdir(), 'adwire-shots-'))
const server = spawn(
  process.execPath,
  [join(root, 'dist/cli/main.js'), 'serve', '--demo', '--port', '0', '--data', join(data, 'data')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const { url, key } = await started()
  const traffic = await makeTraffic(url, key)
  await new Promise((resolve) => setTimeout(resolve, TRAFFIC_MS))
  mkdirSync(images, { recursive: true })
  await draw(url)
  traffic.close()
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true, force: true })
}

function started() {
  let said = ''
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      said += chunk
      const url = /listens on (\S+)/.exec(said)?.[1]
      const key = /demo key: (\S+)/.exec(said)?.[1]
      if (url && key) resolve({ url, key })
    })
    server.once('close', () => reject(new Error(`the server did not start: ${said}`)))
  })
}

async function draw(url) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 860 }, colorScheme: 'light', timezoneId: 'UTC' },
  })
  const page = await context.newPage()
  const open = async (path) => {
    await page.goto(`${url}/console${path}`)
    await settled(page)
  }
  const openFirst = async (path) => {
    await open(path)
    await page.locator('main a.open').first().click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    await settled(page)
  }
  await open('/')
  await shoot(page, 'sign-in')
  await page.getByRole('button', { name: 'Look around in the demo' }).click()
  await page.locator('.chart canvas').waitFor()
  await shoot(page, 'overview')
  await page.emulateMedia({ colorScheme: 'dark' })
  await settled(page)
  await shoot(page, 'overview-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await open('/deliveries')
  await shoot(page, 'deliveries')
  await openFirst('/deliveries?q=campaign-3-completed')
  await shoot(page, 'delivery')
  await open('/endpoints')
  await shoot(page, 'endpoints')
  await openFirst('/endpoints?q=acme-media')
  await shoot(page, 'endpoint')
  await open('/tasks')
  await shoot(page, 'tasks')
  await open('/approvals')
  await shoot(page, 'approvals')
  await page.locator('main a.open').first().click()
  await page.getByRole('heading', { name: 'Approval', exact: true }).waitFor()
  await settled(page)
  await shoot(page, 'task')
  await drawOperations(page, openFirst)
  await verify(page, url, open)
  await shoot(page, 'verify')
  await drawAgents(page, url, open)
  await drawKeys(page, browser, open)
  await open('/audit')
  await shoot(page, 'audit')
  await drawStudio(page, open)
  await drawBuys(page, open, openFirst)
  await page.setViewportSize({ width: 360, height: 740 })
  await open('/')
  await shoot(page, 'narrow')
  await browser.close()
}

/** A dead letter of the demo. */
async function drawOperations(page, openFirst) {
  await openFirst('/received?state=dead')
  await shoot(page, 'received')
}

/** Calls a task of the server itself, and examines it. */
async function drawAgents(page, url, open) {
  await open(`/agents?${new URLSearchParams({ task: 'simulate_task', url })}`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByLabel('Field to add').selectOption('duration_seconds')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByLabel('duration_seconds', { exact: true }).fill('120')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click()
  await page.getByRole('heading', { name: 'Answer' }).waitFor({ timeout: 60_000 })
  await page.locator('.toast .copy').click()
  await page.evaluate('scrollTo(0, 330)')
  await settled(page)
  await shoot(page, 'agents')
  await open('/agents/doctor')
  await page.getByRole('button', { name: 'This server' }).click()
  await page.getByRole('button', { name: 'Examine', exact: true }).click()
  await page.getByRole('button', { name: 'Download as JSON' }).waitFor({ timeout: 120_000 })
  await settled(page)
  await shoot(page, 'doctor')
}
/** Media buys and the registry. */
async function drawBuys(page, open, openFirst) {
  await open('/buys')
  await shoot(page, 'buys')
  await openFirst('/buys?trouble=late')
  await page.locator('.chart canvas').waitFor()
  await shoot(page, 'buy')
  await open('/registry')
  await shoot(page, 'registry')
  await open('/registry/northwind-outdoor.example')
  await shoot(page, 'domain')
  await open('/registry/check')
  await page.getByLabel('The file').fill(FAULTY)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.locator('.issues').waitFor()
  await shoot(page, 'check')
}

const FAULTY = `{
  "id": 7,
  "names": "Acme",
  "house_domain": "acme.example",
  "colors": { "primary": "blue" },
  "logos": [{ "url": "ftp://cdn.acme.example/logo.svg" }]
}
`

/** Keys after a rotation, a principal with a key and a link, and what the link shows. */
async function drawKeys(page, browser, open) {
  const inDialog = (name) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  await open('/keys')
  await page.getByRole('button', { name: 'Rotate' }).click()
  await settled(page)
  await shoot(page, 'rotate')
  await inDialog('Rotate').click()
  await page.getByRole('row').filter({ hasText: 'published' }).waitFor()
  await page.locator('.toast').first().waitFor({ state: 'detached' })
  await settled(page)
  await shoot(page, 'keys')
  await open('/principals')
  await shoot(page, 'principals')
  await page.getByRole('link', { name: 'Demo buyer' }).click()
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.getByRole('button', { name: 'Make a link' }).click()
  await inDialog('Make the link').click()
  const link = await page.locator('.secret code').textContent()
  await inDialog('I have kept it').click()
  const guest = await browser.newContext({
    ...{ viewport: { width: 1280, height: 860 }, colorScheme: 'light', timezoneId: 'UTC' },
  })
  const buyer = await guest.newPage()
  await buyer.goto(link)
  await settled(buyer)
  await shoot(buyer, 'link')
  await guest.close()
  await page.getByText('(1×)').waitFor()
  await page.locator('.toast').first().waitFor({ state: 'detached' })
  await settled(page)
  await shoot(page, 'principal')
}

/** Pastes a webhook that was sent. */
async function verify(page, url, open) {
  const get = async (path) => (await page.request.get(`${url}${path}`)).json()
  const { items } = await get('/console/api/deliveries?status=delivered&limit=1')
  const { body, history } = await get(`/console/api/deliveries/${items[0].delivery_id}`)
  const { headers, url: sentTo } = history.at(-1).request
  const lines = [`POST ${new URL(sentTo).pathname} HTTP/1.1`, `host: ${new URL(sentTo).host}`]
  lines.push(...headers.map(({ name, value }) => `${name}: ${value}`), '', body.text)
  await open('/verify')
  await page.getByLabel('The request').fill(lines.join('\n'))
  await page.getByLabel('Sent to').fill(new URL(sentTo).origin)
  await page.getByText('Or paste its key set').click()
  await page
    .getByLabel('Key set (JWKS)')
    .fill(await (await page.request.get(`${url}/.well-known/jwks.json`)).text())
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.locator('.steps').waitFor()
  await page.evaluate('scrollTo(0, 0)')
}

/** The creative studio, with a campaign that it builds. */
async function drawStudio(page, open) {
  const message = 'Fresh coffee every morning, roasted in our own house. Button: Order now.'
  const brand = 'solara-coffee.example'
  await open('/studio')
  await shoot(page, 'studio')
  await open('/studio/display_300x250_html?mode=generate')
  await page.getByLabel('What to make').fill(message)
  await page.getByLabel('Brand, by its domain').fill(brand)
  await page.getByLabel('Variants').fill('3')
  await page.getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByRole('heading', { name: 'Variant 3' }).waitFor()
  await toTop(page.getByRole('heading', { name: 'Generated' }))
  await drawn(page)
  await shoot(page, 'studio-variants')
  await page.getByRole('button', { name: 'Edit in the form' }).first().click()
  await page.getByText('fits its format').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('.toast').waitFor({ state: 'detached' })
  await drawn(page)
  await shoot(page, 'studio-form')
  await open('/studio/campaign')
  await page.getByLabel('What to make').fill(message)
  await page.getByLabel('Brand, by its domain').fill(brand)
  await page.getByRole('button', { name: /^Build/ }).click()
  await page.getByText(/^(\d+) of \1 built/).waitFor({ timeout: 120_000 })
  const cards = page.locator('.campaign-card')
  for (let n = 0; n < (await cards.count()); n += 1) {
    await cards.nth(n).scrollIntoViewIfNeeded()
    await drawn(page)
    await cards.nth(n).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await cards.nth(n).getByText('Show it in the library').waitFor()
  }
  await toTop(page.getByRole('heading', { name: 'Side by side' }))
  await drawn(page)
  while ((await page.locator('.toast').count()) > 0) await page.waitForTimeout(200)
  await shoot(page, 'studio-campaign')
  await open('/studio/library')
  await shoot(page, 'studio-library')
  await page.locator('main a.open').first().click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await drawn(page)
  await shoot(page, 'studio-creative')
}

function toTop(heading) {
  return heading.evaluate((element) => element.scrollIntoView())
}

/** The frames that are in sight have been drawn. */
async function drawn(page) {
  await settled(page)
  await page.waitForTimeout(1_500)
}

/** Nothing is loading any more, and what was drawn is on the screen. */
async function settled(page) {
  await page.locator('h1').first().waitFor()
  while ((await page.locator('.skeleton, [aria-busy=true]').count()) > 0) {
    await page.waitForTimeout(50)
  }
  await page.waitForTimeout(300)
}

async function shoot(page, name) {
  const file = join(images, `console-${name}.webp`)
  const { size } = await sharp(await page.screenshot())
    .webp({ quality: 82, effort: 6 })
    .toFile(file)
  console.log(`console-${name}.webp: ${Math.round(size / 1024)} KB`)
}
