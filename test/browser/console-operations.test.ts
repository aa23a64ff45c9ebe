// What an operator does on an endpoint, with received messages and with approvals, on a demo server in a real browser.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedMessage } from '../../src/console/api/received.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import { EMPTY_PAGE, HOSTILE } from '../support/console-fixtures.ts'
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

describe.skipIf(!CHROMIUM)(`an operator’s hand in the console ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([openBrowser(), startConsole()])
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
  })

  async function inPage(options: PageOptions, look: (page: ConsolePage) => Promise<void>) {
    const page = await openConsole(browser, server, options)
    await look(page)
    expect(page.faults).toEqual([])
    await page.context().close()
  }
  const get = async <T>(path: string): Promise<T> => {
    const headers = { cookie: server.cookie }
    return (await fetch(`${server.url}/console/api${path}`, { headers })).json() as Promise<T>
  }
  const endpointPath = async (part: string) => {
    const { items } = await get<{ items: { endpoint_id: string }[] }>(`/endpoints?q=${part}`)
    return `/endpoints/${encodeURIComponent(items[0]?.endpoint_id ?? '')}`
  }
  const says = (page: ConsolePage, text: string | RegExp) => page.getByText(text).first().waitFor()

  test('what was lost is counted and sent again, and the page says how far it is', async () => {
    await inPage({ path: await endpointPath('strict') }, async (page) => {
      await page.getByRole('button', { name: 'Recover' }).click()
      await says(page, /deliveries are sent again|There is none/)
      await page.getByLabel('Created since').fill('2020-01-01T00:00')
      await says(page, '7 deliveries are sent again.')
      expect(await axeFaults(page)).toEqual([])
      await page.getByLabel('Which').selectOption('all')
      await says(page, 'For a receiver that lost acknowledged webhooks.')
      await page.getByLabel('Which').selectOption('failed')
      await page.getByRole('button', { name: 'Send again', exact: true }).click()
      await says(page, 'Started. Matching deliveries are sent again in the background.')
      await says(page, '7 of 7 sent again')
      await page.getByText('finished').waitFor()
    })
  })

  test('the limits of an endpoint are changed and taken back, and what is no number is refused', async () => {
    await inPage({ path: await endpointPath('well') }, async (page) => {
      const limits = page.getByRole('region', { name: 'Limits' })
      await limits.getByText('no bound').waitFor()
      await limits.getByRole('button', { name: 'Change' }).click()
      await page.getByLabel('Concurrent attempts').fill('two')
      await page.getByRole('button', { name: 'Save' }).click()
      await says(page, 'Change: Enter a number, or leave the field empty.')
      await page.getByLabel('Concurrent attempts').fill('2')
      await page.getByLabel('Attempts a second').fill('0.5')
      await page.getByRole('button', { name: 'Save' }).click()
      await limits.getByText('set by an operator').waitFor()
      await limits.getByText('0.5 attempts').waitFor()
      await limits.getByRole('button', { name: 'Default' }).click()
      await limits.getByText('no bound').waitFor()
    })
  })

  test('a dead letter is found, says why, is applied again and discarded', async () => {
    await inPage({ path: '/' }, async (page) => {
      await page.getByRole('link', { name: /1 received message could not be applied/ }).click()
      await page.getByRole('heading', { name: 'Received', level: 1 }).waitFor()
      expect(await page.getByLabel('State').inputValue()).toBe('dead')
      await page.locator('main a.open').first().click()
      await says(page, 'It was acknowledged but could not be applied.')
      await says(page, /orders\.csv is read-only/)
      const before = page.url()
      const other = await openConsole(browser, server, { path: new URL(before).pathname.slice(8) })
      await says(other, 'It was acknowledged but could not be applied.')
      // The response comes after every client received the change: what is gone by then is not requested again.
      await page.route('**/apply', async (route) => {
        const response = await route.fetch()
        await says(other, /no longer exists/)
        await route.fulfill({ response })
      })
      await page.getByRole('button', { name: 'Apply again' }).click()
      await says(page, /It is applied again, as message \d+\./)
      await eventually(() => expect(page.url()).not.toBe(before))
      await page.getByText('Next attempt').waitFor()
      await other.getByRole('link', { name: 'Find it by its key' }).click()
      await eventually(async () => expect(await other.locator('tbody tr').count()).toBe(1))
      await other.context().close()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.locator('dialog').getByRole('button', { name: 'Discard' }).click()
      await page.getByText('superseded', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
    })
  })

  test('received messages are searched and filtered in the address', async () => {
    await inPage({ path: '/received' }, async (page) => {
      await page.getByRole('searchbox').fill('spring-campaign-1')
      await eventually(() => expect(new URL(page.url()).search).toBe('?q=spring-campaign-1'))
      await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(1))
      await page.getByLabel('State').selectOption('stale')
      await page.getByRole('button', { name: 'Show all messages' }).click()
      await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(6))
    })
  })

  test('the operator asks the buyer, and the question is displayed beside the decision', async () => {
    await inPage({ path: '/approvals' }, async (page) => {
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      const dialog = page.locator('dialog')
      await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
      await says(page, 'Ask: Write a question first.')
      await page.getByLabel('Question').fill(HOSTILE)
      await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
      await says(page, /Waiting for the buyer’s answer/)
      await page.locator('main a.open').first().click()
      await says(page, 'The buyer has not answered yet')
      await page.getByText(HOSTILE, { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'Approve' }).waitFor()
      expect(await axeFaults(page)).toEqual([])
    })
  })

  test('the views are accessible in light and dark, and nothing is cut off at 360 px', async () => {
    const { items } = await get<{ items: { message_id: number }[] }>('/received')
    const paths = ['/received', `/received/${items[0]?.message_id}`, await endpointPath('strict')]
    await inPage({ width: 360 }, async (page) => {
      for (const path of paths) {
        await page.goto(`${server.url}/console${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await eventually(async () =>
          expect(await page.locator('.skeleton, [aria-busy=true]').count()).toBe(0),
        )
        expect(await cutOff(page), path).toEqual([])
        expect(await axeFaultsInBoth(page), path).toEqual([])
      }
    })
  })

  test('what third parties wrote is displayed as text, a viewer has no actions, and an empty inbox says so', async () => {
    const { items } = await get<{ items: { message_id: number }[] }>('/received')
    const path = `/received/${items[0]?.message_id}`
    const message = await get<ReceivedMessage>(path)
    const session = await get<object>('/session')
    const hostile: ReceivedMessage = {
      ...message,
      sender: HOSTILE,
      reason: HOSTILE,
      task_id: HOSTILE,
      operation_id: HOSTILE,
      route: HOSTILE,
      status: HOSTILE,
      state: 'dead',
      may: { apply: true, drop: true },
      body: { ...message.body, text: JSON.stringify({ [HOSTILE]: HOSTILE }) },
    }
    const answers = {
      '/session': { body: { ...session, roles: ['viewer'] } },
      [path]: { body: hostile },
      '/received': { body: EMPTY_PAGE },
    }
    await inPage({ path, answers, width: 360 }, async (page) => {
      await says(page, 'It was acknowledged but could not be applied.')
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await page.getByRole('button', { name: /Apply|Discard/ }).count()).toBe(0)
      expect(await cutOff(page)).toEqual([])
      await page.goto(`${server.url}/console/received`)
      await page.getByRole('heading', { name: 'Nothing was received' }).waitFor()
    })
  })

  test('a server that is gone is reported in place of the list', async () => {
    const page = await openConsole(browser, server, { path: '/audit' })
    await page.getByText('live', { exact: true }).waitFor()
    await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Received', exact: true }).click()
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()
    await page.context().close()
  })
})
