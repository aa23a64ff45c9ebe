// Media buys and the registry in the console, on a real server with its demo: their main paths and what goes wrong, in a
// real browser.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Buy, BuyReports } from '../../src/console/api/buys.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import * as fixtures from '../support/console-buy-fixtures.ts'
import {
  type Answers,
  axeFaults,
  axeFaultsInBoth,
  type ConsolePage,
  type ConsoleServer,
  cutOff,
  openConsole,
  type PageOptions,
  startConsole,
} from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

if (!CHROMIUM) console.warn('the console is NOT tested in a browser: set CHROMIUM_PATH')

let browser: Browser
let server: ConsoleServer

describe.skipIf(!CHROMIUM)(`media buys and the registry in the console ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole()])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  /** A page for one test; what went wrong in it fails the test. */
  async function inPage(options: PageOptions, look: (page: ConsolePage) => Promise<void>) {
    const page = await openConsole(browser, server, options)
    await look(page)
    expect(page.faults).toEqual([])
    await page.context().close()
  }
  const heading = (page: ConsolePage, name: string | RegExp) =>
    page.getByRole('heading', { name, level: 1 }).waitFor()
  /** The demo's buy that is in trouble. */
  async function openTroubled(page: ConsolePage) {
    await page.goto(`${server.url}/console/buys?trouble=late`)
    await page.locator('main a.open').first().click()
    await heading(page, 'Autumn hikes')
    await settled(page)
  }

  test('every view is accessible in light and in dark colours, and nothing is cut off at 360 px', async () => {
    await inPage({ path: '/buys' }, async (page) => {
      const places = ['/buys', '/registry', '/registry/feed', '/registry/check']
      for (const path of [...places, '/registry/northwind-outdoor.example', 'the buy']) {
        await page.setViewportSize({ width: 1280, height: 800 })
        if (path === 'the buy') await openTroubled(page)
        else await page.goto(`${server.url}/console${path}`)
        await settled(page)
        expect(await axeFaultsInBoth(page), path).toEqual([])
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await cutOff(page), path).toEqual([])
      }
    })
  })

  test('a buy in trouble is found from the overview, and displays its pace, reports and webhooks', async () => {
    await inPage({}, async (page) => {
      await page.getByRole('link', { name: /report is late/ }).click()
      await heading(page, 'Media buys')
      expect(await page.getByLabel('Trouble').inputValue()).toBe('late')
      await page.getByText('1 impairment · 1 report late').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await heading(page, 'Autumn hikes')
      await page.locator('.chart canvas').waitFor()
      await page.getByText('The figures of one window are not there yet.').waitFor()
      await page.getByRole('button', { name: 'Impressions' }).click()
      await page.getByRole('img', { name: /so far, in impressions/ }).waitFor()
      await page.getByRole('button', { name: 'Late', exact: true }).click()
      await eventually(() => expect(new URL(page.url()).search).toBe('?state=late'))
      const windows = page.getByRole('table', { name: /Windows of the reports/ })
      await eventually(async () =>
        expect(await windows.locator('tbody .badge').allTextContents()).toEqual(['late']),
      )
      await windows.locator('a.open').click()
      await heading(page, /^Delivery \d+$/)
      await page.getByRole('link', { name: 'The buy' }).click()
      await heading(page, 'Autumn hikes')
      await page.getByRole('table', { name: /Notifications to the buyer/ }).waitFor()
      await page.getByText('by the clock; now running').waitFor()
    })
  })

  test('an impairment is raised with a reason for the buyer, reported, and cleared; the log has both', async () => {
    await inPage({ path: '/buys?q=solara' }, async (page) => {
      await page.locator('main a.open').first().click()
      await heading(page, 'First light')
      await page.getByRole('button', { name: 'Raise an impairment' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('What', { exact: true }).selectOption('property')
      expect(await dialog.getByLabel('Became').inputValue()).toBe('depublished')
      await dialog.getByRole('button', { name: 'Raise' }).click()
      await page.getByText('Raise an impairment: Enter the id of the impaired resource.').waitFor()
      await dialog.getByLabel('Its id').fill('sports.demo.example')
      await dialog.getByLabel('Why').selectOption('property_depublished')
      await dialog.getByLabel('Reason for the buyer (optional)').fill('the <b>site</b> is closed')
      expect(await axeFaults(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Raise' }).click()
      await page.getByText('Raised. The buyer is notified.').waitFor()
      await page.getByText('property depublished: The <b>site</b> is closed.').waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
      await page.getByText('This buy has no impairments.').waitFor()
      await page.goto(`${server.url}/console/audit`)
      await page.getByText('impairments.raise').first().waitFor()
      await page.getByText('impairments.clear').first().waitFor()
    })
  })

  test('a domain is looked up, its reference verified now, and the result comes by itself', async () => {
    await inPage({ path: '/registry' }, async (page) => {
      await page.getByLabel('Look up a domain').fill('WWW.Northwind-Outdoor.example')
      await page.getByRole('button', { name: 'Look up' }).click()
      await heading(page, 'northwind-outdoor.example')
      const invalid = page.locator('section.panel', { hasText: 'adagents.json: a file' })
      await invalid.locator('.issues code').first().waitFor()
      await invalid.getByText('One verification').waitFor()
      await invalid.getByRole('button', { name: 'Verify now' }).click()
      await page.getByText('It is next in the queue.').waitFor()
      // No one loads the page again.
      await invalid.getByText('The last 2 verifications').waitFor()
      await page.getByRole('link', { name: 'Its feed' }).click()
      await heading(page, 'Feed')
      await eventually(async () => {
        const returned = await page.locator('tbody a.open').allTextContents()
        expect(new Set(returned)).toEqual(new Set(['northwind-outdoor.example']))
      })
      await page.getByRole('link', { name: 'References' }).click()
      await page.getByRole('searchbox').fill('sol')
      await eventually(async () => {
        const returned = await page.locator('tbody a.open').allTextContents()
        expect(returned).toEqual(['solara-coffee.example', 'solara-coffee.example'])
      })
    })
  })

  test('a pasted file displays its errors with their places and the text found there', async () => {
    await inPage({ path: '/registry/check' }, async (page) => {
      const file = page.getByLabel('The file')
      await file.fill('{"id": 7, "names": [{"en": "<u>Acme</u>"}]}')
      await page.getByRole('button', { name: 'Check' }).click()
      const faults = page.getByRole('list', { name: 'Faults' })
      await faults.getByText('/id').waitFor()
      await faults.getByText('This must be a string, not a number.').waitFor()
      await faults.getByText('There is 7 now.').waitFor()
      await file.fill('{"id": "acme",')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('The file is not JSON.').waitFor()
      await file.fill('{"authoritative_location": "https://cdn.example/brand.json"}')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.locator('.badge', { hasText: /^valid$/ }).waitFor()
      expect(await axeFaults(page)).toEqual([])
    })
  })

  const refusal = (status: number, code: string, message: string) => ({
    status,
    body: { error: { code, message } },
  })
  test.each([
    ['/buys', '/buys'],
    ['/registry', '/registry/references'],
    ['/registry/feed', '/registry/feed'],
  ])('%s says that there is nothing, and that the server is gone', async (path, requested) => {
    const options = { path, answers: { [requested]: { body: { items: [] } } }, width: 360 }
    const page = await openConsole(browser, server, options)
    await page.locator('.notice h2').waitFor()
    expect(await cutOff(page)).toEqual([])
    expect(page.faults).toEqual([])
    await page.unrouteAll()
    await page.route(
      (address) => address.pathname === `/console/api${requested}`,
      (route) => route.abort('connectionrefused'),
    )
    await page.reload()
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('tbody tr').first().waitFor()
    await page.context().close()
  })

  test('a part that cannot be had says so in its place, and the rest of the buy is there', async () => {
    const { media_buy_id } = fixtures.buy()
    const path = `/buys/${media_buy_id}`
    const answers: Answers = {
      ...hostileAnswers(),
      [`${path}/pacing`]: refusal(503, 'storage', 'the database is away'),
    }
    const page = await openConsole(browser, server, { path, answers })
    await page.getByText('The database is away.').waitFor()
    await page.getByRole('table', { name: /Windows of the reports/ }).waitFor()
    await page.goto(`${server.url}/console/buys/mb_none`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.goto(`${server.url}/console/registry/not%20a%20domain`)
    await page.getByRole('heading', { name: 'The server did not accept this' }).waitFor()
    await page.context().close()
  })

  const hostileAnswers = (): Answers => {
    const path = `/buys/${fixtures.buy().media_buy_id}`
    return {
      '/buys': { body: { items: [fixtures.buyItem()] } },
      [path]: { body: fixtures.buy() satisfies Buy },
      [`${path}/pacing`]: { body: fixtures.pacing() },
      [`${path}/reports`]: { body: fixtures.reports() satisfies BuyReports },
      [`${path}/activity`]: { body: fixtures.activity() },
      '/registry/references': { body: { items: [fixtures.reference()] } },
      '/registry/domains/x.example': { body: fixtures.domain() },
      [`/registry/publishers/${encodeURIComponent(fixtures.domain().domain)}`]: {
        body: fixtures.publisher(),
      },
      '/registry/feed': { body: { items: [fixtures.feedEvent()] } },
    }
  }
  test('what third parties wrote is text, also at 360 px, and a viewer sees no action', async () => {
    const answers: Answers = { ...hostileAnswers(), '/session': { body: fixtures.viewer() } }
    const page = await openConsole(browser, server, { path: '/buys', answers, width: 360 })
    const { media_buy_id } = fixtures.buy()
    for (const path of [
      '/buys',
      `/buys/${media_buy_id}`,
      '/registry',
      '/registry/x.example',
      '/registry/feed',
    ]) {
      await page.goto(`${server.url}/console${path}`)
      await settled(page)
      for (const folded of await page.locator('main details:not([open])').all()) {
        await folded.locator('summary').first().click()
      }
      await page.getByText('window.hacked').first().waitFor()
      expect(await page.evaluate('window.hacked'), path).toBeUndefined()
      expect(await page.locator('main u, main img, main script').count(), path).toBe(0)
      expect(await cutOff(page), path).toEqual([])
      for (const name of ['Raise an impairment', 'Clear', 'Verify now']) {
        expect(await page.getByRole('button', { name }).count(), `${path} ${name}`).toBe(0)
      }
    }
    expect(page.faults).toEqual([])
    await page.context().close()
  })
})

/** Nothing is loading any more. */
async function settled(page: ConsolePage): Promise<void> {
  await page.locator('h1').first().waitFor()
  await eventually(async () =>
    expect(await page.locator('.skeleton, [aria-busy=true]').count()).toBe(0),
  )
}
