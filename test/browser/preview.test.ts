import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Found, PreviewContent } from '../../src/creative/preview-store.ts'
import { writeRecipe } from '../../src/creative/rendering/recipe.ts'
import { renderManifest } from '../../src/creative/rendering/render-manifest.ts'
import { showPreview } from '../../src/creative/rendering/show-preview.ts'
import type { CreativeManifest } from '../../src/protocol/schemas/creative-manifest.ts'
import type { Format } from '../../src/protocol/schemas/format.ts'
import { previewRoutes } from '../../src/transports/http/preview-routes.ts'
import {
  EVERY_KIND,
  formatOf,
  html5,
  manifestOf,
  ownFormat,
  PICTURE,
} from '../creative/rendering/creatives.ts'
import {
  BROWSER_TITLE,
  CHROMIUM,
  contrastOf,
  leaveBrowser,
  openBrowser,
} from '../support/browser.ts'
import { inProcessWorkerPool } from '../support/creative.ts'

if (!CHROMIUM) console.warn('previews are NOT tested in a browser: set CHROMIUM_PATH')

const ID = '0a0a0a0a-0000-4000-8000-000000000000'
const stored = new Map<string, PreviewContent>()
const recipes = new Map<string, string>()
const canaryHits: string[] = []
/** What pages wrote to their console. */
const said: string[] = []
let browser: Browser
let server: FastifyInstance
let canary: Server
let origin: string
let canaryUrl: string

describe.skipIf(!CHROMIUM)(`preview pages ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    browser = await openBrowser()
    const foundIn =
      <What>(all: ReadonlyMap<string, What>) =>
      async (id: string): Promise<Found<What>> => {
        const body = all.get(id)
        return body && { state: 'live', body }
      }
    const previews = { seen: foundIn(stored), recipe: foundIn(recipes) }
    server = fastify()
    previewRoutes(showPreview({ previews, workerPool: inProcessWorkerPool() }))(server)
    origin = await server.listen({ host: '127.0.0.1', port: 0 })
    canary = createServer((request, response) => {
      canaryHits.push(`${request.method} ${request.url}`)
      response.setHeader('access-control-allow-origin', '*').end('')
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    canaryUrl = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.close()
    canary?.close()
  })

  /** Opens the preview of a creative; media of the web are answered with nothing. */
  async function open(manifest: CreativeManifest, format: Format, macros = {}): Promise<Page> {
    const [rendered] = renderManifest(manifest, format, { macros })
    if (!rendered) throw new Error('nothing was drawn')
    stored.set(ID, { kind: 'page', text: rendered.html, csp: rendered.csp })
    const page = await browser.newPage()
    await page.context().addCookies([{ name: 'session', value: 'secret', url: origin }])
    await page.route('https://**', (route) => route.fulfill({ status: 204 }))
    page.on('console', (message) => said.push(message.text()))
    await page.goto(`${origin}/previews/${ID}`)
    return page
  }

  test.each(EVERY_KIND)(
    'spec 2.5: %s is drawn, and its policy refuses nothing',
    async (_kind, format, manifest) => {
      const refused: string[] = []
      const [rendered] = renderManifest(manifest, format)
      stored.set(ID, { kind: 'page', text: rendered?.html ?? '', csp: rendered?.csp ?? '' })
      const page = await browser.newPage()
      await page.route('https://**', (route) => route.fulfill({ status: 204 }))
      page.on('console', (message) => {
        if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
      })
      await page.goto(`${origin}/previews/${ID}`)
      expect(await contrastOf(page)).toBeGreaterThan(3)
      expect(await contrastOf(page, '.stage')).toBeGreaterThan(3)
      expect(refused).toEqual([])
      await page.close()
    },
  )

  test('spec 2.5: a video and the media file of a tag are in a player', async () => {
    const video = await open(...pair('video'))
    expect(await video.locator('video[controls]').getAttribute('src')).toBe(
      'https://cdn.example/ad.mp4',
    )
    await video.close()
    const tag = await open(...pair('VAST'))
    expect(await tag.locator('video[controls]').getAttribute('src')).toBe(
      'https://cdn.example/ad.mp4',
    )
    await tag.close()
  })

  test('spec 2.5: macros are substituted in markup, scripts and texts', async () => {
    const macros = { CITY: '<b>Genève</b>' }
    const html = await open(...pair('html'), macros)
    expect(await html.frameLocator('iframe').locator('h1').textContent()).toBe('<b>Genève</b>')
    await html.close()
    const script = await open(...pair('javascript'), macros)
    const made = await script.frameLocator('iframe').locator('h1').textContent()
    expect(made).toBe(`made by script: ${encodeURIComponent(macros.CITY)}`)
    await script.close()
    const native = await open(...pair('native'), macros)
    expect(await native.locator('.feed h2').textContent()).toBe('Shoes for <b>Genève</b>')
    await native.close()
  })

  test('a creative reaches no cookie, no parent, no storage and no network', async () => {
    const attempt = `
      const told = {}
      const attempt = (name, work) => { try { told[name] = String(work()) } catch (error) { told[name] = error.name } }
      attempt('cookie', () => document.cookie)
      attempt('parent', () => parent.document.title)
      attempt('top', () => { top.location = '${canaryUrl}/top' })
      attempt('storage', () => localStorage.length)
      attempt('popup', () => open('${canaryUrl}/popup'))
      attempt('xhr', () => { const x = new XMLHttpRequest(); x.open('GET', '${canaryUrl}/xhr'); x.send() })
      attempt('beacon', () => navigator.sendBeacon('${canaryUrl}/beacon', 'x'))
      attempt('socket', () => new WebSocket('${canaryUrl.replace('http', 'ws')}/socket'))
      fetch('${canaryUrl}/fetch').catch(() => {})
      new Image().src = '${canaryUrl}/image'
      for (const [tag, member] of [['script', 'src'], ['iframe', 'src'], ['video', 'src'], ['object', 'data'], ['embed', 'src']]) {
        const made = document.createElement(tag); made[member] = '${canaryUrl}/' + tag; document.body.append(made)
      }
      console.log('told ' + JSON.stringify(told))
      setTimeout(() => { location.href = '${canaryUrl}/leave' }, 50)`
    const page = await open(
      html5(`<html><head><base href="${canaryUrl}/"><link rel="stylesheet" href="${canaryUrl}/css"><link rel="prefetch" href="${canaryUrl}/prefetch"><meta http-equiv="refresh" content="0;url=${canaryUrl}/refresh"></head>
        <body background="${canaryUrl}/background"><img src="${canaryUrl}/img"><form id="f" action="${canaryUrl}/form" method="post"></form>
        <iframe srcdoc="<script>fetch('${canaryUrl}/nested')</script><img src='${canaryUrl}/nested-img'>"></iframe>
        <p>here</p><script>${attempt}</script><script>document.getElementById('f').submit()</script></body></html>`),
      formatOf('display_300x250_html'),
    )
    await page.waitForTimeout(600)
    const reported = said.find((text) => text.startsWith('told '))?.slice(5)
    expect(JSON.parse(reported ?? '{}')).toEqual({
      cookie: 'SecurityError',
      parent: 'SecurityError',
      top: 'SecurityError',
      storage: 'SecurityError',
      popup: 'null',
      xhr: 'undefined',
      beacon: expect.any(String),
      socket: expect.any(String),
    })
    expect(page.url()).toBe(`${origin}/previews/${ID}`)
    expect(canaryHits).toEqual([])
    // The canary hears what is let through.
    await (await browser.newPage()).goto(`${canaryUrl}/heard`)
    expect(canaryHits[0]).toBe('GET /heard')
    await page.close()
  })

  test('texts with markup in them stay texts, and addresses that run something are not used', async () => {
    const evil = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>'
    const page = await open(
      manifestOf('native_standard', {
        title: { asset_type: 'text', content: evil },
        description: { asset_type: 'text', content: `</p></div>${evil}` },
        main_image: {
          asset_type: 'image',
          url: 'javascript:document.title="run"',
          alt_text: `">${evil}`,
        },
        cta_text: { asset_type: 'text', content: '{CITY}' },
        sponsored_by: { asset_type: 'text', content: '"><svg onload=alert(1)>' },
        click_url: { asset_type: 'url', url: 'javascript:alert(1)' },
      }),
      formatOf('native_standard'),
      { CITY: evil },
    )
    expect(await page.title()).toBe(formatOf('native_standard').name)
    expect(await page.locator('script, svg, img, a, iframe').count()).toBe(0)
    expect(await page.locator('h2').textContent()).toBe(evil)
    expect(await page.locator('.cta').textContent()).toBe(evil)
    await page.close()
  })

  test('spec 2.5: the interactive page changes the preview when a macro is edited', async () => {
    const [, format, manifest] = kind('native')
    const inputs = [
      { name: 'Bern', macros: { CITY: 'Bern' } },
      { name: 'Basel', macros: { CITY: 'Basel' } },
    ]
    const recipe = writeRecipe({ format, manifest, inputs, tags: new Map(), itemLimit: undefined })
    recipes.set(ID, recipe)
    const page = await browser.newPage()
    await page.goto(`${origin}/previews/${ID}/interactive`)
    const headline = page.frameLocator('#shown').locator('.feed h2')
    const waitFor = (text: string) => headline.filter({ hasText: text }).waitFor()
    await waitFor('Shoes for Bern')
    await page.fill('input[name=CITY]', '<i>Zürich & co')
    await waitFor('Shoes for <i>Zürich & co')
    await page.selectOption('#variant', 'Basel')
    await waitFor('Shoes for Basel')
    await page.selectOption('#device', '390')
    expect((await page.locator('#shown').boundingBox())?.width).toBe(390)
    expect(await contrastOf(page)).toBeGreaterThan(3)
    await page.close()
  })

  test('spec 2.5: the interactive page names what the frame of a creative could not load', async () => {
    const script = `const made = document.createElement('img'); made.src = 'https://cdn.' + 'example/made.png'; document.body.append(made)
      parent.parent.postMessage({ notLoaded: { url: '<b>said</b>', reason: 'failed' } }, '*')`
    const recipe = writeRecipe({
      format: formatOf('display_300x250_html'),
      manifest: html5(
        `<body><script src="https://ads.example/tag.js"></script><script>${script}</script>`,
      ),
      inputs: [{ name: 'One' }],
      tags: new Map(),
      itemLimit: undefined,
    })
    recipes.set(ID, recipe)
    const page = await browser.newPage()
    await page.goto(`${origin}/previews/${ID}/interactive`)
    const line = (text: string) => page.locator('#missing li', { hasText: text }).waitFor()
    await line('https://ads.example/tag.js (refused by script-src-elem)')
    await line('https://cdn.example/made.png (refused by img-src)')
    await line('<b>said</b> (failed)')
    const inner = page.frameLocator('#shown').locator('.panel[open] dd')
    expect(await inner.first().textContent()).toContain('does not allow ads.example')
    await page.close()
  })

  test.each([
    ['image', 300, 600],
    ['image', 160, 600],
    ['image', 1080, 1920],
    ['html', 1080, 1920],
    ['feed', 1080, 1920],
  ])(
    'a tall %s of %i × %i is displayed whole, on a narrow page too',
    async (kind, width, height) => {
      const picture = { asset_type: 'image' as const, url: PICTURE, width, height }
      const markup = { asset_type: 'html' as const, content: '<p>tall' }
      const title = { asset_type: 'text' as const, content: 'Tall' }
      const assets =
        kind === 'html' ? { markup } : kind === 'feed' ? { picture, title } : { picture }
      const renders = [{ role: 'primary', dimensions: { width, height } }]
      const page = await open(manifestOf('own', assets), ownFormat({ renders }))
      await page.setViewportSize({ width: 390, height: 700 })
      const returned = page.locator(kind === 'html' ? 'iframe' : '.stage img')
      const box = await returned.evaluate((one) => {
        const { x, width, bottom } = one.getBoundingClientRect()
        const root = one.ownerDocument.documentElement
        return {
          x,
          width,
          isBelow: bottom <= root.scrollHeight,
          fit: one.ownerDocument.defaultView?.getComputedStyle(one).objectFit,
        }
      })
      // What lies left of the page could never be scrolled to.
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.isBelow).toBe(true)
      expect(box.fit).not.toBe('cover')
      await page.close()
    },
  )

  test('a carousel is reached and moved with the keyboard alone', async () => {
    const page = await open(...pair('carousel'))
    await page.setViewportSize({ width: 390, height: 700 })
    await page.keyboard.press('Tab')
    const strip = page.locator('.strip')
    expect(await strip.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => strip.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0)
    await page.close()
  })

  test('in a place of exactly its size the creative stands alone', async () => {
    const page = await open(...pair('image'))
    await page.setViewportSize({ width: 300, height: 250 })
    expect(await page.locator('.caption').isVisible()).toBe(false)
    expect(await page.locator('img').boundingBox()).toEqual({ x: 0, y: 0, width: 300, height: 250 })
    await page.close()
  })

  test('in a place of exactly its size a card is whole: its picture leaves the words their room', async () => {
    const said = (content: string) => ({ asset_type: 'text' as const, content })
    const image = { asset_type: 'image' as const, url: PICTURE, width: 600, height: 900 }
    const card = manifestOf('product_card_standard', {
      product_image: image,
      product_name: said('Sports homepage'),
      product_description: said('Reach fans'),
      pricing_amount: said('12'),
      pricing_currency: said('EUR'),
      delivery_type: said('guaranteed'),
    })
    const page = await open(card, formatOf('product_card_standard'))
    await page.setViewportSize({ width: 300, height: 400 })
    expect(await page.locator('.price').innerText()).toBe('12 EUR')
    expect((await page.locator('.feed > img').boundingBox())?.height).toBeGreaterThan(80)
    for (const returned of ['.price', '.texts li']) {
      const box = await page.locator(returned).boundingBox()
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(400)
    }
    await page.close()
  })

  test('in a place of exactly its size a carousel fills it with its cards', async () => {
    const image = {
      asset_type: 'image' as const,
      asset_id: 'image',
      url: PICTURE,
      width: 900,
      height: 900,
    }
    const title = { asset_type: 'text' as const, asset_id: 'title', content: 'Boots' }
    const format = ownFormat({
      renders: [{ role: 'primary', dimensions: { width: 600, height: 600 } }],
      assets: [
        {
          item_type: 'repeatable_group',
          asset_group_id: 'slides',
          required: true,
          min_count: 2,
          max_count: 5,
          assets: [
            { asset_id: 'image', asset_type: 'image' },
            { asset_id: 'title', asset_type: 'text' },
          ],
        },
      ],
    })
    const page = await open(manifestOf('own', { slides: [image, title, image, title] }), format)
    await page.setViewportSize({ width: 600, height: 600 })
    const box = await page.locator('.strip > *').first().boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, height: 600 })
    expect(box?.width).toBe(480)
    await page.close()
  })

  test('words that run from right to left begin at the right', async () => {
    const page = await open(
      manifestOf('own', {
        image: { asset_type: 'image', url: PICTURE, width: 300, height: 250 },
        headline: { asset_type: 'text', content: 'قهوة' },
      }),
      ownFormat({
        type: 'native',
        renders: [{ role: 'primary', dimensions: { responsive: { width: true, height: true } } }],
      }),
    )
    const [right, edge] = await page.locator('.feed h2').evaluate((heading) => {
      const words = heading.ownerDocument.createRange()
      words.selectNodeContents(heading)
      return [words.getBoundingClientRect().right, heading.getBoundingClientRect().right]
    })
    expect(Math.abs((right ?? 0) - (edge ?? 99))).toBeLessThan(2)
    await page.close()
  })
})

function kind(name: string): (typeof EVERY_KIND)[number] {
  const found = EVERY_KIND.find(([one]) => one === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

function pair(name: string): [CreativeManifest, Format] {
  const [, format, manifest] = kind(name)
  return [manifest, format]
}
