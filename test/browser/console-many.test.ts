// A hundred thousand deliveries in the store, looked through in a real browser as an operator does it.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillConsole, SOME } from '../../bench/support/console-rows.mjs'
import { openStorage } from '../../src/app/open-storage.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import {
  type ConsolePage,
  type ConsoleServer,
  openConsole,
  startConsole,
} from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

const ROWS = 100_000
const PAGE = 50

let browser: Browser
let server: ConsoleServer

describe.skipIf(!CHROMIUM)(`the console with ${ROWS} deliveries ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole({ prepare })])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  async function prepare(data: string) {
    const storage = await openStorage({ data, databaseUrl: undefined, databasePool: 1 })
    await fillConsole(storage, ROWS)
    await storage.close()
  }

  test('its deliveries are paged forward and back, filtered, searched and opened', async () => {
    const page = await openConsole(browser, server, { path: '/deliveries' })
    const first = await hrefs(page, PAGE)
    await page.getByRole('button', { name: 'Next' }).click()
    await changed(page, first)
    const second = await hrefs(page, PAGE)
    expect(second.filter((href) => first.includes(href))).toEqual([])
    await page.getByRole('button', { name: 'Previous' }).click()
    await changed(page, second)
    expect(await hrefs(page, PAGE)).toEqual(first)

    await page.getByRole('combobox', { name: 'State' }).selectOption('exhausted')
    await changed(page, first)
    await hrefs(page, PAGE)
    const states = await page.locator('main tbody .badge').allTextContents()
    expect(new Set(states)).toEqual(new Set(['failed permanently']))

    await page.goto(`${server.url}/console/deliveries`)
    await page.getByRole('searchbox').fill(SOME.operation)
    await page.keyboard.press('Enter')
    const [found] = await hrefs(page, 1)
    expect(new URL(page.url()).searchParams.get('q')).toBe(SOME.operation)
    await page.locator('main a.open').click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(found)
    await page.getByText(SOME.operation).first().waitFor()
    expect(page.faults).toEqual([])
    await page.context().close()
  })

  test('its endpoints are as many pages as there are, each with what became of its deliveries', async () => {
    const page = await openConsole(browser, server, { path: '/endpoints?q=buyer399.example' })
    const [found] = await hrefs(page, 1)
    await page.locator('main a.open').click()
    await page.getByRole('heading', { name: 'About' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(found)
    expect(page.faults).toEqual([])
    await page.context().close()
  })
})

/**
 * Where the rows link to, once there are this many: the previous rows stay displayed until the next list has
 * arrived.
 */
async function hrefs(page: ConsolePage, count: number): Promise<string[]> {
  return eventually(async () => {
    const links = await page
      .locator('main a.open')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    expect(links).toHaveLength(count)
    return links
  })
}

/** The first row is another than before. */
async function changed(page: ConsolePage, before: readonly string[]): Promise<void> {
  const row = page.locator('main a.open').first()
  await eventually(async () => expect(await row.getAttribute('href')).not.toBe(before[0]))
}
