// Publishers, agents, networks and moderation in the console, in a real browser: main paths, nothing to display, and
// accessibility.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  ConsoleAgentPage,
  ConsoleCrawlPage,
  ConsoleNetworkPage,
  PublisherDetails,
  ReviewPage,
} from '../../src/console/api/registry-network.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import {
  type Answers,
  axeFaultsInBoth,
  type ConsolePage,
  type ConsoleServer,
  cutOff,
  openConsole,
  startConsole,
} from '../support/console-pages.ts'

if (!CHROMIUM) console.warn('the console is NOT tested in a browser: set CHROMIUM_PATH')

const AGENT = 'https://sell.example/mcp'
const AT = '2026-01-31T12:00:00.000Z'

const network: ConsoleNetworkPage = {
  items: [
    {
      kind: 'missing',
      code: 'no_file',
      domain: 'silent.example',
      message: 'silent.example has no adagents.json',
      change: 'publish it, or put MANAGERDOMAIN=net.example into https://silent.example/ads.txt',
    },
  ],
  summary: { publishers: 3, healthy: 2, stale: 0, missing: 1, contradictory: 0, expiring: 0 },
}
const crawl: ConsoleCrawlPage = {
  items: [
    {
      domain: 'down.example',
      status: 'failed',
      error: 'the server answered 503',
      failures: 2,
      checked_at: AT,
      next_crawl_at: AT,
    },
  ],
}
const publisher: PublisherDetails = {
  domain: 'northwind-outdoor.example',
  crawl: {
    domain: 'northwind-outdoor.example',
    status: 'valid',
    discovery_method: 'authoritative_location',
    manager_domain: 'net.example',
    location: 'https://net.example/network.json',
    failures: 0,
    checked_at: AT,
    verified_at: AT,
  },
  faults: [],
  authorizations: [
    {
      agent_url: AGENT,
      publisher_domain: 'northwind-outdoor.example',
      status: 'live',
      authorized_for: 'display <b>',
      discovery_method: 'authoritative_location',
      manager_domain: 'net.example',
      properties_authorized: 1,
      properties_total: 2,
      is_pinned: true,
    },
  ],
  findings: [],
}
const agent: ConsoleAgentPage = {
  agent_url: AGENT,
  is_known: true,
  items: [
    {
      publisher_domain: 'pub.example',
      status: 'live',
      discovery_method: 'direct',
      properties_authorized: 4,
      properties_total: 4,
      is_pinned: false,
      verified_at: AT,
    },
  ],
}
const reviews: ReviewPage = {
  items: [
    {
      kind: 'policy',
      key: 'no_gambling',
      name: 'No gambling <i>',
      organization_name: 'Acme',
      submitted_at: AT,
      content: { policy: 'Text' },
    },
  ],
}
const ANSWERS: Answers = {
  '/registry/network': { body: network },
  '/registry/crawl': { body: crawl },
  '/registry/publishers/northwind-outdoor.example': { body: publisher },
  '/registry/agent': { body: agent },
  '/registry/reviews': { body: reviews },
}

let browser: Browser
let server: ConsoleServer

describe.skipIf(!CHROMIUM)(`publishers and networks in the console ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole()])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  async function inPage(path: string, look: (page: ConsolePage) => Promise<void>) {
    const page = await openConsole(browser, server, { path, answers: ANSWERS })
    await look(page)
    expect(page.faults).toEqual([])
    await page.context().close()
  }

  test('a network names each domain with what to change', async () => {
    await inPage('/registry/network', async (page) => {
      await page.getByRole('heading', { name: 'Whose network?' }).waitFor()
      await page.getByLabel(/Domain of a manager/).fill('net.example')
      await page.getByRole('button', { name: 'Examine' }).click()
      await page.getByText('Silent.example has no adagents.json.').waitFor()
      await page.getByText(/MANAGERDOMAIN=net\.example/).waitFor()
      expect(new URL(page.url()).searchParams.get('of')).toBe('net.example')
    })
  })

  test('an agent leads to its publishers, and they to what the crawler found', async () => {
    await inPage(`/registry/agent?agent_url=${encodeURIComponent(AGENT)}`, async (page) => {
      await page.getByRole('link', { name: 'pub.example' }).waitFor()
      await page.getByText('4 of 4').waitFor()
      await page.goto(`${server.url}/console/registry/northwind-outdoor.example`)
      await page.getByText('its file points to net.example').waitFor()
      await page.getByText(/display <b> · 1 of 2 properties/).waitFor()
      await page.goto(`${server.url}/console/registry/crawl`)
      await page.getByText('The server answered 503.').waitFor()
    })
  })

  test('a file shows what it would authorize before it is published', async () => {
    await inPage('/registry/check', async (page) => {
      await page.getByLabel('What it is').selectOption('adagents.json')
      await page.getByLabel('The file').fill(
        JSON.stringify({
          authorized_agents: [
            {
              url: AGENT,
              authorized_for: 'display',
              authorization_type: 'property_ids',
              property_ids: ['home'],
            },
          ],
          properties: [
            {
              property_id: 'home',
              property_type: 'website',
              name: 'Home',
              identifiers: [{ type: 'domain', value: 'pub.example' }],
            },
          ],
        }),
      )
      await page.getByLabel(/Domain/).fill('pub.example')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByRole('heading', { name: 'What it would authorize' }).waitFor()
      await page.getByText('its own properties').waitFor()
      await page.getByText('1 of 1').waitFor()
    })
  })

  test('what waits for a decision is displayed whole, and markup in it is text', async () => {
    await inPage('/registry/moderation', async (page) => {
      await page.getByRole('heading', { name: 'No gambling <i>' }).waitFor()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
    })
  })

  test('every view is accessible in light and in dark colours, and nothing is cut off at 360 px', async () => {
    await inPage('/registry/crawl', async (page) => {
      for (const path of [
        '/registry/crawl',
        '/registry/network?of=net.example',
        `/registry/agent?agent_url=${encodeURIComponent(AGENT)}`,
        '/registry/moderation',
        '/registry/northwind-outdoor.example',
      ]) {
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.goto(`${server.url}/console${path}`)
        await page.locator('main .panel, main table').first().waitFor()
        expect(await axeFaultsInBoth(page), path).toEqual([])
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await cutOff(page), path).toEqual([])
      }
    })
  })
})
