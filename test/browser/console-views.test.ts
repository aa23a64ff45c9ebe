// Each view of the console on a real server with something to look at: its main path, in a real browser.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTraffic } from '../../scripts/console-traffic.mjs'
import type { DeliveriesPage, Delivery } from '../../src/console/api/deliveries.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import {
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
let traffic: Awaited<ReturnType<typeof makeTraffic>>

describe.skipIf(!CHROMIUM)(`the views of the console ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole()])
    traffic = await makeTraffic(server.url, server.key)
  })
  afterAll(async () => {
    traffic?.close()
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

  test('one click on the demo signs in, and leads to where one wanted to go', async () => {
    await inPage({ path: '/tasks', signIn: false }, async (page) => {
      await heading(page, 'Sign in')
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Explore the demo' }).click()
      await heading(page, 'Tasks')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are signed out.').waitFor()
      await page.reload()
      await heading(page, 'Sign in')
    })
  })

  test('a key that opens nothing is refused with a readable message, and an operator’s key signs in', async () => {
    await inPage({ signIn: false }, async (page) => {
      await page.getByLabel('Key').fill('adw_this_is_no_key_at_all')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page
        .getByRole('alert')
        .getByText(/No principal has this key/)
        .waitFor()
      await page.getByLabel('Key').fill(server.key)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await heading(page, 'Overview')
    })
  })

  const VIEWS = [
    ['/', 'Overview'],
    ['/deliveries', 'Deliveries'],
    ['/endpoints', 'Endpoints'],
    ['/tasks', 'Tasks'],
    ['/approvals', 'Approvals'],
    ['/verify', 'Verify a webhook'],
    ['/audit', 'Audit log'],
  ] as const
  test('every view is accessible in light and in dark colours', async () => {
    await inPage({}, async (page) => {
      for (const [, title] of VIEWS) {
        await page
          .getByRole('navigation', { name: 'Views' })
          .getByRole('link', { name: title })
          .click()
        await heading(page, title)
        await settled(page)
        expect(await axeFaultsInBoth(page), title).toEqual([])
      }
      for (const list of [
        '/deliveries?status=delivered',
        '/deliveries?status=retrying',
        '/endpoints',
        '/approvals',
      ]) {
        await page.goto(`${server.url}/console${list}`)
        await settled(page)
        if ((await page.locator('main a.open').count()) === 0) continue
        await page.locator('main a.open').first().click()
        await page.getByRole('heading', { name: 'About' }).waitFor()
        expect(await axeFaultsInBoth(page), list).toEqual([])
      }
    })
  })

  test('nothing is cut off at 360 px, and the menu leads everywhere', async () => {
    await inPage({ width: 360 }, async (page) => {
      for (const [, title] of VIEWS) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('link', { name: title, exact: true }).click()
        await heading(page, title)
        await settled(page)
        expect(await cutOff(page), title).toEqual([])
      }
      for (const list of ['/deliveries', '/endpoints', '/tasks']) {
        await page.goto(`${server.url}/console${list}`)
        await page.locator('main a.open').first().click()
        await page.getByRole('heading', { name: 'About' }).waitFor()
        expect(await cutOff(page), list).toEqual([])
      }
    })
  })

  test('the overview says what is wrong, and each figure leads to what it counts', async () => {
    await inPage({}, async (page) => {
      await page.getByRole('list', { name: 'What needs attention' }).waitFor()
      await page
        .getByRole('img', { name: /Deliveries that finished in the last 24 hours/ })
        .waitFor()
      await page.locator('.chart canvas').waitFor()
      await page.getByRole('button', { name: '1 h', exact: true }).click()
      await page.getByRole('img', { name: /in the last hour/ }).waitFor()
      expect(new URL(page.url()).search).toBe('?range=1h')
      await page.getByRole('link', { name: /^Retrying/ }).click()
      await heading(page, 'Deliveries')
      expect(await page.getByLabel('State').inputValue()).toBe('retrying')
    })
  })

  test('deliveries are filtered and searched in the address, and walked by the keyboard', async () => {
    await inPage({ path: '/deliveries' }, async (page) => {
      await page.getByLabel('State').selectOption('delivered')
      await eventually(() => expect(new URL(page.url()).search).toBe('?status=delivered'))
      await eventually(async () => {
        const words = await page.locator('tbody .badge').allTextContents()
        expect(words.length).toBeGreaterThan(0)
        expect(new Set(words)).toEqual(new Set(['delivered']))
      })
      await page.keyboard.press('/')
      await page.keyboard.type('campaign-1-completed')
      await eventually(() => expect(page.url()).toContain('q=campaign-1-completed'))
      await page.keyboard.press('Escape')
      // The rows from before the search are still there for a moment, so the right ones are waited for.
      const found = await deliveryPaths(server, 'status=delivered&q=campaign-1-completed')
      const rows = page.locator('main a.open')
      const paths = () => rows.evaluateAll((links) => links.map((a) => new URL(String(a)).pathname))
      await eventually(async () => expect(await paths()).toEqual(found))
      await page.keyboard.press('j')
      await page.locator('main a.open:focus').waitFor()
      await page.keyboard.press('Enter')
      await heading(page, /^Delivery \d+$/)
      await page.goBack()
      await heading(page, 'Deliveries')
      expect(await page.getByRole('searchbox').inputValue()).toBe('campaign-1-completed')
    })
  })

  test('a long list is walked page by page, forth and back, by its address', async () => {
    await inPage({ path: '/deliveries' }, async (page) => {
      await settled(page)
      const rows = () => page.locator('main a.open').evaluateAll((links) => links.map(String))
      const first = await rows()
      expect(first).toHaveLength(50)
      await page.getByRole('button', { name: 'Next' }).click()
      await eventually(async () => expect(await rows()).not.toContain(first.at(-1)))
      expect(new URL(page.url()).searchParams.has('cursor')).toBe(true)
      await page.getByRole('button', { name: 'Previous' }).click()
      await eventually(async () => expect(await rows()).toContain(first.at(-1)))
      expect(new URL(page.url()).search).toBe('')
    })
  })

  test('one delivery displays its attempts, its request and an explanation of its signature', async () => {
    await inPage({ path: '/deliveries?status=delivered' }, async (page) => {
      await page.locator('main a.open').first().click()
      await page.getByText('Attempt 1: acknowledged').waitFor()
      await page.getByRole('rowheader', { name: 'signature-input' }).waitFor()
      await page.getByRole('heading', { name: 'Signature explained' }).waitFor()
      await page.getByRole('region', { name: 'body' }).getByText('"idempotency_key"').waitFor()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.getByText('Copied. It contains the original signature').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toMatch(/^curl --globoff --request POST --url 'http:/)
    })
  })

  test('a delivery that fails says why; it is retried and cancelled here, and the log has both', async () => {
    await inPage({ path: '/deliveries?status=retrying' }, async (page) => {
      await page.locator('main a.open').first().click()
      await page.locator('.banner').first().waitFor()
      await page.getByRole('button', { name: 'Retry now' }).click()
      await page.getByText('It is sent again.').waitFor()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('button', { name: 'Cancel the delivery' }).click()
      await page.locator('.view-head .badge', { hasText: 'cancelled' }).waitFor()
      await page.goto(`${server.url}/console/audit`)
      await page.getByText('deliveries.retry').first().waitFor()
      await page.getByText('deliveries.cancel').first().waitFor()
    })
  })

  test('refused sign-ins are in the audit log, and are filtered by outcome and address', async () => {
    const refused = await fetch(`${server.url}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'adw_0123456789abcdef' }),
    })
    expect(refused.status).toBe(401)
    for (const width of [1_280, 360]) {
      await inPage({ path: '/audit', width }, async (page) => {
        await page.getByLabel('Outcome').selectOption('refused')
        // The list before the filter has the text too, so what the filter leaves out is waited for first.
        await page
          .locator('tbody .badge', { hasText: 'done' })
          .first()
          .waitFor({ state: 'detached' })
        await page.getByText(/no principal has this key/).waitFor()
        expect(await cutOff(page)).toEqual([])
        expect(await page.locator('tbody .badge', { hasText: 'done' }).count()).toBe(0)
        if (width === 360) return
        await page.getByRole('link', { name: '127.0.0.1' }).first().click()
        await page.locator('.chip', { hasText: 'Address: 127.0.0.1' }).waitFor()
        await page.getByText(/no principal has this key/).waitFor()
      })
    }
  })

  test('an endpoint displays its errors as readable messages; it is paused, resumed, and sent a test event', async () => {
    await inPage({ path: '/endpoints?q=northwind' }, async (page) => {
      await page.locator('main a.open').first().click()
      await heading(page, /northwind/)
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused by an operator').waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByText('Paused by an operator').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Send a test event' }).click()
      await heading(page, /^Delivery \d+$/)
      // It comes by the stream: no one loads the page again.
      await page.locator('.view-head .badge', { hasText: 'delivered' }).waitFor()
    })
    await inPage({ path: '/endpoints?q=acme-media' }, async (page) => {
      await page.locator('main a.open').first().click()
      await page.getByText(/401/).first().waitFor()
    })
  })

  test('a task displays its history, and is canceled with a reason', async () => {
    await inPage({ path: '/tasks?status=working' }, async (page) => {
      await page.locator('main a.open').first().click()
      await heading(page, 'simulate task')
      await page.getByText('Asked', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByLabel('Reason (optional)').fill('no longer needed')
      await page.getByRole('button', { name: 'Cancel the task' }).click()
      await page.locator('.view-head .badge', { hasText: 'canceled' }).waitFor()
      await page.getByRole('link', { name: 'Its deliveries' }).click()
      await heading(page, 'Deliveries')
    })
  })

  test('what waits for a decision is approved and rejected, with a note for the buyer', async () => {
    await inPage({ path: '/approvals' }, async (page) => {
      await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(4))
      await page.getByRole('button', { name: 'Approve' }).first().click()
      await page.getByLabel('Note for the buyer (optional)').fill('with pleasure')
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(3))
      await page.locator('main a.open').first().click()
      await page.getByRole('heading', { name: 'Approval', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Reject' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
      await page.getByText('Rejected. The buyer is notified.').waitFor()
    })
  })

  test('spec 5: a pasted webhook passes every step, and one byte more fails at its digest', async () => {
    const { text, jwks, origin } = await sentRequest(server)
    await inPage({ path: '/verify' }, async (page) => {
      await page.getByLabel('The request').fill(text)
      await page.getByLabel('Sent to').fill(origin)
      await page.getByText('Or paste its key set').click()
      await page.getByLabel('Key set (JWKS)').fill(jwks)
      await page.getByLabel('Verify as of the time it was signed').check()
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByText('verified', { exact: true }).waitFor()
      expect(await page.locator('.steps .fail').count()).toBe(0)
      await page.getByLabel('The request').fill(`${text} `)
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByText('refused', { exact: true }).waitFor()
      expect(await page.locator('.steps .fail').textContent()).toMatch(/digest/i)
      expect(await axeFaults(page)).toEqual([])
    })
  })

  test('the keyboard leads to views, shows its help, and the colours can be turned', async () => {
    await inPage({}, async (page) => {
      await page.keyboard.press('g')
      await page.keyboard.press('e')
      await heading(page, 'Endpoints')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const ground = () =>
        page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
      const light = await ground()
      await page.getByRole('button', { name: 'Use dark colours' }).click()
      expect(await ground()).not.toBe(light)
      await page.reload()
      await heading(page, 'Endpoints')
      expect(await ground()).not.toBe(light)
    })
  })

  test('a viewer sees the same and can do nothing', async () => {
    const role = await sessionOf(server)
    const answers = { '/session': { body: { ...role, roles: ['viewer'] } } }
    const refusing = new URLSearchParams({ endpoint: traffic.urls[2] ?? '', status: 'retrying' })
    await inPage({ path: `/deliveries?${refusing}`, answers }, async (page) => {
      await settled(page)
      await page.locator('main a.open').first().click()
      await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
      expect(await page.getByRole('button', { name: /Retry|Cancel/ }).count()).toBe(0)
      await page.goto(`${server.url}/console/endpoints`)
      await page.locator('main a.open').first().click()
      await page.getByRole('heading', { name: 'About' }).waitFor()
      expect(await page.getByRole('button', { name: /Pause|Resume|test event/ }).count()).toBe(0)
      await page.goto(`${server.url}/console/approvals`)
      await settled(page)
      expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0)
    })
  })
})

/** Whatever is loading has loaded. */
async function settled(page: ConsolePage): Promise<void> {
  await eventually(async () => {
    expect(await page.locator('.skeleton, [aria-busy="true"]').count()).toBe(0)
  })
}

/** The pages of the deliveries that a query finds, in the order of the list. */
async function deliveryPaths({ url, cookie }: ConsoleServer, query: string): Promise<string[]> {
  const answer = await fetch(`${url}/console/api/deliveries?${query}`, { headers: { cookie } })
  const { items } = (await answer.json()) as DeliveriesPage
  expect(items).not.toEqual([])
  return items.map(({ delivery_id }) => `/console/deliveries/${delivery_id}`)
}

async function sessionOf({ url, cookie }: ConsoleServer): Promise<object> {
  const answer = await fetch(`${url}/console/api/session`, { headers: { cookie } })
  return (await answer.json()) as object
}

interface SentRequest {
  text: string
  jwks: string
  /** Where it was sent to. */
  origin: string
}

/** A webhook as it was sent, and the key set of its sender. */
async function sentRequest({ url, cookie }: ConsoleServer): Promise<SentRequest> {
  const get = async (path: string) =>
    (await fetch(`${url}${path}`, { headers: { cookie } })).json() as Promise<never>
  const { items } = (await get(
    '/console/api/deliveries?status=delivered&limit=1',
  )) as DeliveriesPage
  const path = `/console/api/deliveries/${items[0]?.delivery_id}`
  const { body, history } = (await get(path)) as Delivery
  const { headers = [], url: sentTo } = history.at(-1)?.request ?? { url: '' }
  const { pathname, host, origin } = new URL(sentTo)
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
  ]
  const jwks = await (await fetch(`${url}/.well-known/jwks.json`)).text()
  return { text: `${lines.join('\n')}\n\n${body.text}`, jwks, origin }
}
