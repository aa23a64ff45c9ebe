// What the console displays when something is wrong, or nothing is there, or a third party wrote the displayed text.
// The app is that of a real server; the responses under test are injected.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import * as fixtures from '../support/console-fixtures.ts'
import {
  type Answers,
  type ConsolePage,
  type ConsoleServer,
  cutOff,
  openConsole,
  startConsole,
} from '../support/console-pages.ts'
import { eventually } from '../support/eventually.ts'

if (!CHROMIUM) console.warn('the console is NOT tested in a browser: set CHROMIUM_PATH')

let browser: Browser
let server: ConsoleServer

/** Every view with what it asks the API for. */
const LISTS = ['/deliveries', '/endpoints', '/tasks', '/approvals', '/audit'] as const

describe.skipIf(!CHROMIUM)(`the console when something is wrong ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole()])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  const openWith = (path: string, answers: Answers, width = 1280) =>
    openConsole(browser, server, { path, answers, width })
  const refusal = (status: number, code: string, message: string) => ({
    status,
    body: { error: { code, message }, demo: true },
  })

  test.each(LISTS)('%s says that there is nothing, and what would be there', async (path) => {
    const page = await openWith(path, { [path]: { body: fixtures.EMPTY_PAGE } }, 360)
    await page.locator('.notice h2').waitFor()
    expect(await page.locator('.notice p').count()).toBeGreaterThan(0)
    expect(await page.locator('table').count()).toBe(0)
    expect(await cutOff(page)).toEqual([])
    expect(page.faults).toEqual([])
    await page.context().close()
  })

  test('a line parts every row of a list from the next, once the rows are there', async () => {
    // More of them than their placeholder bars, and with ids that count from one.
    const items = Array.from({ length: 12 }, (_, index) => ({
      audit_id: 12 - index,
      at: '2026-01-02T03:04:05.000Z',
      action: `task.cancel_${index}`,
      outcome: 'done',
      detail: '',
      principal_id: 'prn_1',
      principal_name: 'Operator',
    }))
    const page = await openWith('/audit', { '/audit': { body: { items } } })
    await page.getByText('task.cancel_11').waitFor()
    const widths = await page.evaluate(
      "[...document.querySelectorAll('tbody td:first-child')].map((cell) => getComputedStyle(cell).borderTopWidth)",
    )
    expect(widths).toEqual(['0px', ...Array.from({ length: 11 }, () => '1px')])
    await page.context().close()
  })

  test('filters that find nothing can be taken away with one button', async () => {
    const page = await openWith('/deliveries?status=failed&q=nowhere', {
      '/deliveries': { body: fixtures.EMPTY_PAGE },
    })
    await page.getByRole('button', { name: 'Show all deliveries' }).click()
    await eventually(() => expect(new URL(page.url()).search).toBe(''))
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    await page.context().close()
  })

  test('an overview of a server on which nothing happened says that all is well', async () => {
    const page = await openWith('/', { '/overview': { body: fixtures.quietOverview() } }, 360)
    await page.getByText('Everything is healthy.').waitFor()
    expect(await cutOff(page)).toEqual([])
    expect(page.faults).toEqual([])
    await page.context().close()
  })

  test('a server that is gone is reported, what was displayed stays, and the page recovers', async () => {
    const page = await openConsole(browser, server, { path: '/audit' })
    await page.getByText('live', { exact: true }).waitFor()
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()

    await page.unroute('**/console/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('heading', { name: 'The server does not answer' })
      .waitFor({ state: 'detached' })

    await page.locator('.table-frame').waitFor()
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('This page may be out of date.').waitFor()
    expect(await page.locator('.table-frame').count()).toBe(1)
    await page.context().close()
  })

  test('what is forbidden says who is signed in, and offers no way around', async () => {
    const page = await openWith('/tasks', { '/tasks': refusal(403, 'viewer', 'this needs more') })
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await page.getByText('This needs more.').waitFor()
    expect(await page.getByText('with the role admin').count()).toBe(1)
    await page.context().close()
  })

  test('what does not exist is reported with a way back', async () => {
    const page = await openConsole(browser, server, { path: '/deliveries/999999999' })
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${server.url}/console/no/such/view`)
    await page.getByText('There is no such page in the console').waitFor()
    await page.context().close()
  })

  test('a server error is reported as a readable message, and trying again sends the request again', async () => {
    const page = await openWith('/endpoints', {
      '/endpoints': refusal(500, 'internal', 'something is broken here'),
    })
    await page.getByRole('heading', { name: 'Something went wrong on the server' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Something went' }).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a session that has ended leads to the page to sign in, and from there back', async () => {
    const page = await openConsole(browser, server, { path: '/deliveries?status=delivered' })
    await page.locator('.table-frame').waitFor()
    await page.context().clearCookies()
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('Your session has ended.').waitFor()
    await page.getByRole('button', { name: 'Explore the demo' }).click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=failed')
    await page.context().close()
  })

  test('a refused action says why, and leaves everything as it was', async () => {
    const page = await openWith('/deliveries/17', {
      '/deliveries/17': { body: fixtures.delivery() },
      '/deliveries/17/retry': refusal(409, 'conflict', 'it is under way'),
    })
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('Retry now: It is under way.').waitFor()
    expect(await page.getByRole('button', { name: 'Retry now' }).isEnabled()).toBe(true)
    await page.context().close()
  })

  const page = (item: unknown) => ({ body: { items: [item] } })
  const HOSTILE_VIEWS: readonly [string, Answers][] = [
    ['/', { '/overview': { body: fixtures.overview() } }],
    ['/deliveries', { '/deliveries': page(fixtures.deliveryItem()) }],
    ['/deliveries/17', { '/deliveries/17': { body: fixtures.delivery() } }],
    ['/endpoints', { '/endpoints': page(fixtures.endpoint()) }],
    [
      '/endpoints/e1',
      {
        '/endpoints/e1': { body: fixtures.endpoint() },
        '/endpoints/e1/recoveries': { body: { items: [] } },
        '/deliveries': page(fixtures.deliveryItem()),
      },
    ],
    ['/tasks', { '/tasks': page(fixtures.task()) }],
    ['/tasks/t1', { '/tasks/t1': { body: fixtures.task() } }],
    ['/approvals', { '/approvals': page(fixtures.approval()) }],
  ]
  test.each(HOSTILE_VIEWS)(
    '%s shows markup of third parties as text, and at 360 px',
    async (path, answers) => {
      const page = await openWith(path, answers, 360)
      await page.getByText('<u>line</u>').first().waitFor()
      expect(await foreignIn(page)).toEqual({ hacked: false, elements: 0 })
      expect(await cutOff(page)).toEqual([])
      expect(page.faults).toEqual([])
      await page.context().close()
    },
  )

  test('the checklist of a webhook shows markup of third parties as text', async () => {
    const page = await openWith('/verify', { '/verify': { body: fixtures.verifyAnswer() } }, 360)
    await page.getByLabel('The request').fill('POST / HTTP/1.1')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('<u>line</u>').first().waitFor()
    expect(await foreignIn(page)).toEqual({ hacked: false, elements: 0 })
    expect(await cutOff(page)).toEqual([])
    expect(page.faults).toEqual([])
    await page.context().close()
  })

  /** Whether a third party's script ran, and how many elements came out of texts. */
  function foreignIn(page: ConsolePage) {
    return page.evaluate(() => {
      const { hacked, document } = globalThis as unknown as {
        hacked?: number
        document: { querySelectorAll(selector: string): { length: number } }
      }
      return {
        hacked: hacked !== undefined,
        elements: document.querySelectorAll('main img, main script, main u').length,
      }
    })
  }
})
