// Keys, principals and a buyer's link in a real browser: their main paths, and what is worst about each.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrincipalsPage } from '../../src/console/api/principals.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import { EMPTY_PAGE } from '../support/console-fixtures.ts'
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

const HOSTILE = '<img src=x onerror="hacked=1"><b>Acme</b>'

let browser: Browser
let server: ConsoleServer

describe.skipIf(!CHROMIUM)(`keys, principals and links ${BROWSER_TITLE}`, () => {
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
  const inDialog = (page: ConsolePage, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true })
  const pathOf = async (name: string) => {
    const answer = await fetch(`${server.url}/console/api/principals?limit=200`, {
      headers: { cookie: server.cookie },
    })
    const { items } = (await answer.json()) as PrincipalsPage
    return `/principals/${items.find((item) => item.name === name)?.principal_id}`
  }

  test('a rotation says what follows before it is done, and a revocation is typed', async () => {
    await inPage({ path: '/keys' }, async (page) => {
      await page.getByRole('button', { name: 'Rotate' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/A new key is published now and signs in 10 min/).waitFor()
      await dialog.getByText(/stays in the key set for 16 min/).waitFor()
      await dialog.getByLabel('When').selectOption('hurry')
      await dialog.getByText(/refuse the new key for a few minutes/).waitFor()
      expect(await axeFaults(page)).toEqual([])
      await dialog.getByLabel('When').selectOption('usual')
      await inDialog(page, 'Rotate').click()
      await page
        .getByRole('status')
        .getByText(/takes over by itself/)
        .waitFor()
      const next = page.getByRole('row').filter({ hasText: 'published' })
      await next.getByText(/signs in/).waitFor()

      await next.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText(/It does not sign now/).waitFor()
      expect(await inDialog(page, 'Revoke the key').isDisabled()).toBe(true)
      const wanted = /Type (\S+) to confirm/.exec(await page.getByRole('dialog').innerText())?.[1]
      await page.getByLabel(/to confirm/).fill(wanted ?? '')
      await inDialog(page, 'Revoke the key').click()
      await page.getByRole('row').filter({ hasText: 'revoked' }).waitFor()
      await eventually(async () => expect(await page.getByText(/retires/).count()).toBe(0))
    })
  })

  test('a key is displayed once, and is in no address, no page and no memory afterwards', async () => {
    await inPage({ path: '/principals' }, async (page) => {
      await page.getByRole('button', { name: 'Create a principal' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE)
      await page.getByLabel(/^operator/).check()
      await page.getByText(/An operator can do everything/).waitFor()
      await page.getByLabel(/^operator/).uncheck()
      await inDialog(page, 'Create with a key').click()
      const key = (await page.locator('.secret code').textContent()) ?? ''
      expect(key).toMatch(/^adw_[\w-]{43}$/)
      await page.getByRole('button', { name: 'Copy the key' }).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
      expect(await axeFaults(page)).toEqual([])
      await inDialog(page, 'I saved it').click()
      await heading(page, HOSTILE)
      const secret = key.slice(8)
      expect(await page.content()).not.toContain(secret)
      expect(
        await page.evaluate('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)'),
      ).not.toContain(secret)

      // Pasted into the search, it stays out of the address as well.
      await page.getByRole('link', { name: 'Principals', exact: true }).first().click()
      await page.getByRole('searchbox').fill(key)
      await page.getByRole('searchbox').press('Enter')
      await eventually(() => expect(page.url()).toContain(`q=${key.slice(0, 8)}`))
      expect(page.url()).not.toContain(secret)
      await eventually(async () => expect(await page.locator('main a.open').count()).toBe(1))
      await page.locator('main a.open').click()
      await heading(page, HOSTILE)
      expect(await page.evaluate('globalThis.hacked')).toBeUndefined()

      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByLabel('Valid for').selectOption('30')
      await inDialog(page, 'Make the key').click()
      await inDialog(page, 'I saved it').click()
      const keys = page.getByRole('table').first().getByRole('row')
      await keys.filter({ hasText: 'ends in 29 d' }).getByRole('button', { name: 'Revoke' }).click()
      await inDialog(page, 'Revoke the key').click()
      await keys.filter({ hasText: 'revoked' }).waitFor()

      await page.locator('.view-head').getByRole('button', { name: 'Revoke' }).click()
      await page.getByLabel(/to confirm/).fill(HOSTILE)
      await inDialog(page, 'Revoke the principal').click()
      await page.getByText(/Its keys and links are not accepted/).waitFor()
      expect(await page.getByRole('button', { name: 'Make a key' }).count()).toBe(0)
    })
  })

  test('no one is offered to lock themselves out', async () => {
    await inPage({ path: await pathOf('Adwire demo') }, async (page) => {
      await page.getByText(/you cannot lock yourself out/).waitFor()
      const own = page.getByRole('row').filter({ hasText: 'you are signed in with it' })
      expect(await own.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true)
    })
  })

  test('a buyer’s link shows its own page until it is revoked, and its token leaves the address', async () => {
    const maker = await openConsole(browser, server, { path: await pathOf('Demo buyer') })
    await maker.getByRole('button', { name: 'Make a link' }).click()
    await maker.getByLabel('Valid for').selectOption('3600')
    await inDialog(maker, 'Make the link').click()
    const link = (await maker.locator('.secret code').textContent()) ?? ''
    expect(link).toMatch(/\/console\/link#adl_[\w-]{43}$/)
    await inDialog(maker, 'I saved it').click()

    await inPage(
      { path: link.slice(link.indexOf('/link')), signIn: false, scheme: 'dark' },
      async (page) => {
        await heading(page, 'Deliveries')
        expect(page.url()).toBe(`${server.url}/console/link`)
        expect(await page.evaluate('document.cookie')).toBe('')
        expect(await axeFaults(page)).toEqual([])
        await page.locator('main a.open').first().click()
        await page.getByRole('heading', { name: 'Timeline' }).waitFor()
        expect(await page.getByRole('button', { name: /Retry|Cancel/ }).count()).toBe(0)
        expect(await axeFaults(page)).toEqual([])
        for (const name of ['Endpoints', 'Reports']) {
          await page.getByRole('link', { name, exact: true }).click()
          await heading(page, name)
          await page.locator('.table-frame').waitFor()
          expect(await axeFaults(page)).toEqual([])
        }
        await page.reload()
        await heading(page, 'Reports')
        await page.setViewportSize({ width: 360, height: 740 })
        for (const path of ['deliveries', 'endpoints', 'reports']) {
          await page.goto(`${server.url}/console/link/${path}`)
          await page.locator('.table-frame').waitFor()
          expect([path, await cutOff(page)]).toEqual([path, []])
        }

        expect(page.faults).toEqual([])

        // The maker sees by itself that it was opened, and revokes it.
        const row = maker.getByRole('row').filter({ hasText: '(1×)' })
        await row.getByRole('button', { name: 'Revoke' }).click()
        await inDialog(maker, 'Revoke the link').click()
        await maker.getByRole('row').filter({ hasText: 'revoked' }).waitFor()
        await page.reload()
        await heading(page, 'This link is not open')
        await page.goto('about:blank')
        await page.goto(link)
        await page.getByText(/it has expired, was revoked/).waitFor()
        expect(await axeFaults(page)).toEqual([])
        // The browser itself writes down each 401.
        const others = page.faults.splice(0).filter((fault) => !fault.includes('401'))
        expect(others).toEqual([])
      },
    )
    expect(maker.faults).toEqual([])
    await maker.context().close()
  })

  test('the views are accessible in light and dark', async () => {
    await inPage({ path: '/keys' }, async (page) => {
      await page.getByRole('heading', { name: 'Where receivers find them' }).waitFor()
      expect(await axeFaultsInBoth(page)).toEqual([])
      for (const path of ['/principals', await pathOf('Demo buyer')]) {
        await page.goto(`${server.url}/console${path}`)
        await page.locator('.table-frame').first().waitFor()
        expect([path, await axeFaultsInBoth(page)]).toEqual([path, []])
      }
    })
  })

  test('nothing is cut off at 360 px, also not in a dialog', async () => {
    await inPage({ path: '/keys', width: 360 }, async (page) => {
      await page.getByRole('heading', { name: 'Where receivers find them' }).waitFor()
      expect(await cutOff(page)).toEqual([])
      await page.getByRole('button', { name: 'Revoke' }).first().click()
      expect(await cutOff(page)).toEqual([])
      for (const path of ['/principals', await pathOf('Demo buyer'), await pathOf('Adwire demo')]) {
        await page.goto(`${server.url}/console${path}`)
        await page.locator('.table-frame').first().waitFor()
        expect([path, await cutOff(page)]).toEqual([path, []])
      }
    })
  })

  test('a viewer sees everything and no actions', async () => {
    const answer = await fetch(`${server.url}/console/api/session`, {
      headers: { cookie: server.cookie },
    })
    const session = { ...((await answer.json()) as object), roles: ['viewer'] }
    const answers = { '/session': { body: session } }
    await inPage({ path: '/keys', answers }, async (page) => {
      await page.getByRole('heading', { name: 'Where receivers find them' }).waitFor()
      for (const path of ['/keys', '/principals', await pathOf('Demo buyer')]) {
        await page.goto(`${server.url}/console${path}`)
        await page.locator('.table-frame').first().waitFor()
        const acts = page
          .locator('main')
          .getByRole('button', { name: /Revoke|Make|Rotate|Create|Add/ })
        expect([path, await acts.count()]).toEqual([path, 0])
      }
    })
  })

  test('an empty list, a server that is gone, and a refusal are reported', async () => {
    const refused = { error: { code: 'viewer', message: 'this needs more' } }
    const answers = {
      '/principals': { body: EMPTY_PAGE },
      '/keys': { status: 403, body: refused },
    }
    const page = await openConsole(browser, server, { path: '/principals', answers })
    await page.getByText('There is no principal').waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    await page.goto(`${server.url}/console/link`)
    await heading(page, 'The page could not be loaded')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading(page, 'This link is not open')
    await page.context().close()
  })
})
