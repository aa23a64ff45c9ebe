// Every page of the console on a real server that outsiders have filled with hostile content: none of it may run, request
// something, become an element or a link, or break a page.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LINK_PATHS, matchPath, PATHS } from '../../console/src/paths.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import { cutOff } from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'
import { type HostileServer, startHostileServer } from '../support/hostile-content.ts'
import { PAYLOADS } from '../support/hostile-payloads.ts'

if (!CHROMIUM) console.warn('the console is NOT tested in a browser: set CHROMIUM_PATH')

const TIMEOUT_MS = 120_000
/** Pages visited of one pattern, such as deliveries. */
const MAX_VISITS = 6
/** Pages without stored texts of others: nothing is there, or it is entered first, as other tests here do. */
const WITHOUT_STORED_TEXTS = [
  'agents',
  'keys',
  'registry-agent',
  'registry-check',
  'registry-crawl',
  'registry-moderation',
  'registry-network',
  'studio',
  'studio-campaign',
  'studio-format',
  'verify',
]

let browser: Browser
let server: HostileServer

describe.skipIf(!CHROMIUM)(`the console with hostile content ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startHostileServer()])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  const open = (path: string, hasSession = true) => openGuarded(browser, server, path, hasSession)

  test('every page displays it as text, and no page breaks', async () => {
    const { page, faults } = await open('/')
    const displayed = await crawl(page, { patterns: PATHS, faults })
    const silent = Object.keys(PATHS).filter((name) => !displayed.has(name))
    expect(silent.toSorted()).toEqual(WITHOUT_STORED_TEXTS)
    await page.context().close()
  }, 600_000)

  test('every page of a buyer’s link displays it as text, and no page breaks', async () => {
    const displayed = new Set<string>()
    for (const link of server.links.slice(0, 4)) {
      const { pathname, hash } = new URL(link)
      const { page, faults } = await open(pathname.slice('/console'.length) + hash, false)
      await page.locator('.link-page h1').first().waitFor()
      for (const name of await crawl(page, { patterns: LINK_PATHS, faults, maxVisits: 2 })) {
        displayed.add(name)
      }
      await page.context().close()
    }
    // Reports have ids and figures alone.
    expect([...displayed].toSorted()).toEqual(['deliveries', 'delivery', 'endpoints'])
  })

  test('an address with hostile text in its path and query runs nothing', async () => {
    const names = [
      'q',
      'url',
      'task',
      'format',
      'status',
      'principal_id',
      'endpoint',
      'range',
      'brand',
    ]
    const { page, faults } = await open('/')
    for (const payload of [PAYLOADS.script, PAYLOADS.address]) {
      const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, payload])))
      for (const pattern of [...Object.values(PATHS), ...Object.values(LINK_PATHS)]) {
        const path = pattern.replace(/:\w+/, encodeURIComponent(payload))
        await page.goto(`${server.url}/console${path}?${query}#${encodeURIComponent(payload)}`)
        await settled(page)
        expect(await foreignParts(page, server.url), pattern).toEqual([])
        // Wrong filters and ids are refused, which the browser logs.
        const unexpected = faults.splice(0).filter((fault) => !/status of 40[0134]/.test(fault))
        expect(unexpected, pattern).toEqual([])
      }
    }
    await page.context().close()
  })

  test('an agent’s schema, description and answers are displayed as text', async () => {
    const { page, faults } = await open('/agents')
    await page.getByLabel('Address of the agent').fill(server.rogue.url)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    for (const payload of [PAYLOADS.script, PAYLOADS.attribute, PAYLOADS.json]) {
      await page.getByRole('button', { name: payload }).first().click()
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click()
      await page.locator('.badge', { hasText: 'completed' }).waitFor()
      for (const summary of await page.locator('.exchanges summary').all()) await summary.click()
      expect(await foreignParts(page, server.url)).toEqual([])
    }
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a pasted request, a pasted manifest and a search are displayed as text', async () => {
    const { page, faults } = await open('/verify')
    const everything = Object.values(PAYLOADS).join(' ')
    const printable = everything.replace(/[^\x20-\x7e]/g, '')
    const heads = ['host: a.example', `x-a: ${printable}`, `signature: ${printable}`]
    await page
      .getByLabel('The request')
      .fill(
        [
          `POST /${encodeURI(printable)} HTTP/1.1`,
          ...heads,
          `signature-input: ${printable}`,
          '',
          everything,
        ].join('\n'),
      )
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.locator('.steps, [role=alert]').first().waitFor()
    expect(await foreignParts(page, server.url)).toEqual([])

    await page.goto(`${server.url}/console/registry/check`)
    const manifest = Object.fromEntries(Object.values(PAYLOADS).map((text) => [text, text]))
    await page.getByLabel('The file').fill(JSON.stringify({ ...manifest, agents: [manifest] }))
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.issues, .notice').first().waitFor()
    expect(await foreignParts(page, server.url)).toEqual([])

    await page.goto(
      `${server.url}/console/signals?q=${encodeURIComponent(`hikers ${PAYLOADS.handler}`)}`,
    )
    await page.locator('.result').first().waitFor()
    expect(await foreignParts(page, server.url)).toEqual([])
    expect(faults.filter((fault) => !/status of 4/.test(fault))).toEqual([])
    await page.context().close()
  })

  test('spec 2.5: a creative in the library cannot get out of its preview', async () => {
    const { page, faults } = await open('/studio/library?format=display_300x250_html')
    await page.locator('main a.open').first().click()
    const creative = page.frameLocator('main iframe').frameLocator('iframe')
    await creative.getByText('all attempts were made').waitFor()
    const before = page.url()
    await creative.locator('#out').click()
    await creative.locator('#send').click()
    await page.locator('h1').first().click()
    expect(page.url()).toBe(before)
    expect(page.context().pages()).toHaveLength(1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a script, a foreign element or a foreign link in a page is noticed', async () => {
    const { page, faults } = await open('/audit')
    await page.evaluate((html) => {
      const { document } = globalThis as unknown as { document: { body: { innerHTML: string } } }
      document.body.innerHTML = `<a href="//attacker.example">x</a>${html}`
    }, `<iframe srcdoc="x"></iframe>${PAYLOADS.script}${PAYLOADS.handler}`)
    await page.evaluate('ran("script")')
    const found = await foreignParts(page, server.url)
    for (const part of ['IMG', 'IFRAME', 'SCRIPT', 'onerror', 'A <a href="//attacker.example"']) {
      expect(found.join('\n')).toContain(part)
    }
    await eventually(() => expect(faults.join('\n')).toMatch(/a script ran: script/))
    expect(faults.join('\n')).toMatch(/Content Security Policy/)
    await page.context().close()
  })

  test('a text with bidirectional overrides reorders nothing beside it', async () => {
    const { page } = await open('/audit')
    const show = (style: string) =>
      page.evaluate(
        ([text, bidi]) => {
          const { document } = globalThis as unknown as {
            document: { body: Part; createElement(name: string): Part }
          }
          const [line, key, value] = ['div', 'span', 'span'].map((name) =>
            document.createElement(name),
          )
          if (!line || !key || !value) return
          Object.assign(key, { className: 'json-key', textContent: text })
          value.textContent = 'value'
          key.style.unicodeBidi = value.style.unicodeBidi = bidi ?? ''
          line.append(key, ': ', value)
          document.body.replaceChildren(line)
        },
        ['\u202ename', style],
      )
    await show('')
    expect(await reordered(page)).toEqual([])
    // Without the rule of the style sheet it would.
    await show('normal')
    expect(await reordered(page)).toHaveLength(1)
    await page.context().close()
  })
})

/** A page that writes down scripts that ran, dialogs, windows, requests elsewhere, faults of its own and of the server. */
async function openGuarded(
  browser: Browser,
  { url, cookie }: HostileServer,
  path: string,
  hasSession: boolean,
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(TIMEOUT_MS)
  const faults: string[] = []
  await guard(context, url, faults)
  const page = await context.newPage()
  context.on('page', (opened) => faults.push(`a window opened: ${opened.url()}`))
  if (hasSession) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: `${url}/console/`, httpOnly: true }])
  }
  await page.goto(`${url}/console${path}`)
  await page.locator('h1').first().waitFor()
  return { page, faults }
}

async function guard(context: BrowserContext, url: string, faults: string[]): Promise<void> {
  await context.exposeBinding('ran', (_source, what) => {
    faults.push(`a script ran: ${what}`)
  })
  await context.route(
    (address) => address.origin !== url && address.protocol.startsWith('http'),
    (route) => {
      faults.push(`requested elsewhere: ${route.request().url()}`)
      return route.abort()
    },
  )
  context.on('dialog', (dialog) => {
    faults.push(`a dialog opened: ${dialog.message()}`)
    return dialog.dismiss()
  })
  context.on('weberror', (error) => faults.push(`an error was thrown: ${error.error()}`))
  context.on('console', (message) => {
    // What a creative attempts in its frame is refused there, and logged.
    const isPreview = /\/previews\/|^about:srcdoc/.test(message.location().url)
    const isAttempt = message.text().includes(`from frame with URL 'about:srcdoc'`)
    if (message.type() === 'error' && !isPreview && !isAttempt) faults.push(message.text())
  })
  context.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} of ${response.url()}`)
  })
}

interface Crawl {
  /** Of paths below /console, by name. */
  patterns: Readonly<Record<string, string>>
  faults: string[]
  maxVisits?: number
}

/** Visits every page that is a place or linked from another page. Returns the names of those that displayed a payload. */
async function crawl(page: Page, { patterns, faults, maxVisits = MAX_VISITS }: Crawl) {
  const { origin } = new URL(page.url())
  const waiting = Object.values(patterns).filter((pattern) => !pattern.includes(':'))
  const known = new Set<string>(waiting)
  const visits = new Map<string, number>()
  const displayed = new Set<string>()
  const found: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const name = nameOf(patterns, path)
    const count = visits.get(name) ?? 0
    if (count >= maxVisits) continue
    visits.set(name, count + 1)
    await page.goto(`${origin}/console${path}`)
    await settled(page)
    const problems = await foreignParts(page, origin)
    problems.push(...(await page.locator('[role=alert]').allTextContents()))
    problems.push(...(await reordered(page)))
    if (await page.evaluate(`document.querySelector('main').innerText.includes('ran(')`)) {
      displayed.add(name)
    }
    await page.setViewportSize({ width: 360, height: 800 })
    problems.push(...(await lastingCutOff(page)))
    await page.setViewportSize({ width: 1280, height: 800 })
    problems.push(...faults.splice(0))
    if (problems.length > 0) found.push(`${path}: ${problems.join('; ')}`)
    const linked = await linksIn(page)
    const fresh = linked.filter((link) => !known.has(link) && nameOf(patterns, link) !== '')
    // From all over a long list, since the rows of one caller follow each other.
    const step = Math.ceil(fresh.length / maxVisits)
    waiting.push(...fresh.filter((_, index) => index % step === 0))
    for (const link of fresh) known.add(link)
  }
  expect(found).toEqual([])
  expect([...visits.keys()].toSorted()).toEqual(Object.keys(patterns).toSorted())
  return displayed
}

function nameOf(patterns: Readonly<Record<string, string>>, path: string): string {
  return Object.entries(patterns).find(([, pattern]) => matchPath(pattern, path))?.[0] ?? ''
}

/** The paths below /console that the page links to, without their queries. */
async function linksIn(page: Page): Promise<string[]> {
  const paths = await page
    .locator('main a[href^="/console/"]')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname))
  return [...new Set(paths.map((path) => path.slice('/console'.length)))]
}

/** Whatever is loading has loaded. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await eventually(async () => {
    expect(await page.locator('.skeleton, [aria-busy="true"]').count()).toBe(0)
  })
}

/** What stays cut off once charts and frames have followed the new width. */
async function lastingCutOff(page: Page): Promise<string[]> {
  let found: string[] = []
  const check = async () => {
    found = await cutOff(page)
    expect(found).toEqual([])
  }
  await eventually(check, { timeoutMs: 5_000 }).catch(() => undefined)
  return found
}

/** Members of JSON whose value is displayed before its name, which bidirectional overrides in the name would cause. */
function reordered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as BrowserGlobals
    const found: string[] = []
    for (const key of document.querySelectorAll('.json-key')) {
      const [name, ...more] = key.getClientRects()
      const [value] = key.nextElementSibling?.getClientRects() ?? []
      if (!name || !value || more.length > 0 || value.top !== name.top) continue
      if (value.left < name.right) found.push(`reordered: ${key.textContent}`)
    }
    return found
  })
}

/** Elements, attributes and links that are not the console's own. */
function foreignParts(page: Page, origin: string): Promise<string[]> {
  return page.evaluate((own) => {
    const { document } = globalThis as unknown as BrowserGlobals
    const found: string[] = []
    const places = ['/console/', '/previews/', '/assets/'].map((place) => own + place)
    const isOwn = (address: string) => places.some((place) => address.startsWith(place))
    for (const element of document.querySelectorAll('body *')) {
      const { tagName, outerHTML, href, src, target, rel } = element
      const text = `${tagName.toUpperCase()} ${outerHTML.slice(0, 200)}`
      const isNever = /^(script|style|base|meta|object|embed|u|marquee)$/i.test(tagName)
      const isSourced = element.getAttribute('src') !== null
      const isForeignSource = isSourced && !isOwn(String(src)) && !/^data:image/.test(String(src))
      const isForeignLink = tagName === 'A' && !isOwn(String(href))
      const hasHandler = element.getAttributeNames().some((name) => /^(on|srcdoc$)/.test(name))
      const isOpener = target === '_blank' && !/noreferrer/.test(String(rel))
      const isLoose =
        tagName === 'IFRAME' && !/^(allow-scripts)?$/.test(String(element.getAttribute('sandbox')))
      if (isNever || isForeignSource || isForeignLink || hasHandler || isOpener || isLoose) {
        found.push(text)
      }
    }
    return found
  }, origin)
}

/** What is needed of a browser's globals; the tests are typed for Node. */
interface BrowserGlobals {
  document: {
    querySelectorAll(selector: string): Iterable<{
      tagName: string
      outerHTML: string
      href?: unknown
      src?: unknown
      target?: unknown
      rel?: unknown
      textContent: string
      nextElementSibling: { getClientRects(): Iterable<Rectangle> } | null
      getClientRects(): Iterable<Rectangle>
      getAttribute(name: string): string | null
      getAttributeNames(): string[]
    }>
  }
}

/** An element that a test makes. */
interface Part {
  textContent: string
  style: { unicodeBidi: string }
  append(...parts: (Part | string)[]): void
  replaceChildren(...parts: Part[]): void
}

interface Rectangle {
  top: number
  left: number
  right: number
}
