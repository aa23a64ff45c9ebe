// Signals in the console, in a real browser: searched, activated and watched going live, imported from a file; and
// what the views say when something is wrong.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
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
import * as fixtures from '../support/signal-fixtures.ts'

if (!CHROMIUM) console.warn('the console is NOT tested in a browser: set CHROMIUM_PATH')

let browser: Browser
let server: ConsoleServer

const HIKERS = '/signals/catalogue/strideway-out-hikers'
const HEADER =
  'signal_agent_segment_id,name,description,signal_type,data_provider,coverage_percentage,cpm,currency,platforms'

describe.skipIf(!CHROMIUM)(`signals in the console ${BROWSER_TITLE}`, () => {
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
  const csv = (name: string, ...rows: string[]) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from([HEADER, ...rows, ''].join('\n')),
  })

  test('a description finds signals with their reasons, and is in the address', async () => {
    await inPage({ path: '/signals' }, async (page) => {
      await page.getByText('Whom do you want to reach?').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('day hikers')
      const first = page.locator('.result').first()
      await first.getByRole('link', { name: 'Day Hikers' }).waitFor()
      await first.getByText('exact name').waitFor()
      await first.getByText('Name matches.').waitFor()
      await first.getByText(/covers 13 %/).waitFor()
      await page.getByText(/signals? found; the best match is Day Hikers/).waitFor()
      expect(new URL(page.url()).search).toBe('?q=day+hikers')
      await page.getByRole('searchbox').blur()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Day Hikers', level: 1 }).waitFor()
    })
  })

  test('a signal is activated, and the page follows it until it is live', async () => {
    await inPage({ path: HIKERS }, async (page) => {
      await page.getByLabel('Where').selectOption({ label: 'sandbox' })
      await page.getByRole('button', { name: 'Activate' }).click()
      await page.getByText('The activation has begun.').waitFor()
      await page.locator('.place-activations').getByText('activating').waitFor()
      // No request is sent except those that the stream of events triggers.
      await page.getByText(/^sandbox_/).waitFor()
      await page.locator('.place-activations').getByText('live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Its task' }).click()
      await page.getByRole('heading', { name: 'activate signal' }).waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Deactivate' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
      await page.locator('.place-activations').getByText('taken off').waitFor()
    })
  })

  test('a file is checked, its errors are reported by row, and then it is imported', async () => {
    await inPage({ path: '/signals/catalogue' }, async (page) => {
      await page
        .locator('input[type=file]')
        .setInputFiles(
          csv(
            '<u>mine</u>.csv',
            'zz-new,Brand <u>new</u>,Something new,marketplace,Zed,12,1.5,USD,sandbox',
            'zz-bad,Bad one,Something,market,Zed,120,1,USD,sandbox',
          ),
        )
      await page.getByText('<u>mine</u>.csv').waitFor()
      await page.getByRole('row', { name: /line 3 signal_type This must be one of/ }).waitFor()
      await page.getByRole('row', { name: /line 3 coverage_percentage .* at most 100/ }).waitFor()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as CSV' }).click()
      expect((await saved).suggestedFilename()).toMatch(/faults\.csv$/)
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Import 1 signal' }).click()
      await page.getByText(/was imported: 2 rows, of which 1 were omitted/).waitFor()
      await page.getByRole('searchbox').fill('zz-new')
      await page.getByRole('link', { name: 'Brand <u>new</u>' }).click()
      await page.getByRole('heading', { name: 'Brand <u>new</u>' }).waitFor()
      await page.goto(`${server.url}/console/audit`)
      await page.getByText('<u>mine</u>.csv').first().waitFor()
    })
  })

  test('a file can be dropped, one that is the whole catalogue says what it removes, and one too large is refused', async () => {
    await inPage({ path: '/signals/catalogue' }, async (page) => {
      await page.locator('.drop-zone').waitFor()
      await drop(page, 'all.csv', `${HEADER}\nzz-a,A,One,marketplace,Zed,1,1,USD,sandbox\n`)
      await page.getByRole('button', { name: 'Import 1 signal' }).waitFor()
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: /Import 1 and remove \d+ signals/ }).waitFor()
      await page.getByRole('button', { name: 'Do not import' }).click()
      await drop(page, 'words', 'nothing')
      await page.getByRole('button', { name: 'It is CSV' }).click()
      await page.getByText(/The first line must list the columns/).waitFor()
      await page.getByRole('button', { name: 'Do not import' }).click()
    })
    const choices = { principals: [], providers: [], max_file_bytes: 1_048_576 }
    const answers = { '/signal-choices': { body: choices } }
    await inPage({ path: '/signals/catalogue', answers }, async (page) => {
      await page.getByText('up to 1 MB').waitFor()
      const large = { name: 'l.csv', mimeType: 'text/csv', buffer: Buffer.alloc(1_600_000) }
      await page.locator('input[type=file]').setInputFiles(large)
      await page.getByText(/l\.csv has 1\.5 MB, and a file may have 1 MB/).waitFor()
      expect(await page.locator('.drop-zone').count()).toBe(1)
    })
  })

  test('the catalogue is filtered by provider and type, and shows what a principal sees', async () => {
    await inPage({ path: '/signals/catalogue' }, async (page) => {
      const rows = page.locator('tbody a.open')
      await page.getByText('private').first().waitFor()
      await page.getByLabel('Provider').selectOption('Strideway')
      await page.getByRole('link', { name: 'Climbers and Boulderers' }).waitFor()
      await page.getByLabel('Type').selectOption('owned')
      await page.getByText('No signals fit these filters').waitFor()
      expect(await rows.count()).toBe(0)
      await page.getByRole('button', { name: 'Show all signals' }).click()
      await rows.first().waitFor()
      await page.getByLabel('As seen by').selectOption({ label: 'As Adwire demo' })
      await eventually(() => expect(new URL(page.url()).searchParams.has('as')).toBe(true))
      await rows.first().waitFor()
    })
  })

  test.each(['/signals?q=ski%20trip', HIKERS, '/signals/catalogue'])(
    '%s is accessible and whole in light and dark, and at 360 px',
    async (path) => {
      await inPage({ path }, async (page) => {
        await page.locator('.result, .place, tbody a.open').first().waitFor()
        expect(await axeFaultsInBoth(page)).toEqual([])
        expect(await cutOff(page)).toEqual([])
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await axeFaults(page, { of: 'structure' })).toEqual([])
        expect(await cutOff(page)).toEqual([])
      })
    },
  )

  const HOSTILE: readonly [string, Answers][] = [
    ['/signals?q=x', { '/signals': { body: fixtures.signalsPage() } }],
    ['/signals/catalogue', { '/signals': { body: fixtures.signalsPage() } }],
    ['/signals/catalogue/s1', { '/signals/s1': { body: fixtures.signalDetails() } }],
  ]
  test.each(HOSTILE)(
    '%s shows markup of third parties as text, and at 360 px',
    async (path, answers) => {
      await inPage({ path, answers, width: 360 }, async (page) => {
        await page.getByText('<u>line</u>').first().waitFor()
        expect(await page.locator('main u, main img, main script').count()).toBe(0)
        expect(await cutOff(page)).toEqual([])
      })
    },
  )

  test('a viewer sees everything, and nothing to press', async () => {
    const session = await fetch(`${server.url}/console/api/session`, {
      headers: { cookie: server.cookie },
    }).then((answer) => answer.json() as Promise<object>)
    const answers = { '/session': { body: { ...session, roles: ['viewer'] } } }
    await inPage({ path: '/signals/catalogue', answers }, async (page) => {
      await page.locator('tbody a.open').first().click()
      await page.getByRole('heading', { name: 'Platforms and agents' }).waitFor()
      expect(await page.getByRole('button', { name: /Activate|Take off/ }).count()).toBe(0)
      await page.goBack()
      await page.locator('tbody a.open').first().waitFor()
      expect(await page.locator('input[type=file]').count()).toBe(0)
    })
  })

  test('what is empty, forbidden or gone is reported', async () => {
    const empty = { '/signals': { body: { ...fixtures.signalsPage(), items: [], total: 0 } } }
    await inPage({ path: '/signals?q=nobody', answers: empty }, async (page) => {
      await page.getByText('No signal fits this description').waitFor()
    })
    await inPage({ path: '/signals/catalogue', answers: empty }, async (page) => {
      await page.getByText('The catalogue is empty').waitFor()
    })
    const refused = { status: 403, body: { error: { code: 'viewer', message: 'this needs more' } } }
    const page = await openConsole(browser, server, {
      path: '/signals?q=hikers',
      answers: { '/signals': refused },
    })
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await page.route('**/console/api/signal*', (route) => route.abort('connectionrefused'))
    await page.goto(`${server.url}/console/signals/catalogue`)
    await page.getByRole('heading', { name: 'The server does not answer' }).waitFor()
    await page.locator('input[type=file]').setInputFiles(csv('a.csv', ''))
    await page
      .getByText(/The server does not answer\. It may be/)
      .last()
      .waitFor()
    await page.context().close()
  })

  /** As a person drops a file: the browser gives it to the page in an event. */
  async function drop(page: ConsolePage, name: string, text: string) {
    const data = await page.evaluateHandle(
      ([fileName, content]) => {
        const { DataTransfer, File } = globalThis as unknown as BrowserGlobals
        const transfer = new DataTransfer()
        transfer.items.add(new File([content ?? ''], fileName ?? ''))
        return transfer
      },
      [name, text],
    )
    await page.dispatchEvent('.drop-zone', 'drop', { dataTransfer: data })
  }
})

/** What is needed of a browser's globals; the tests are typed for Node. */
interface BrowserGlobals {
  DataTransfer: new () => { items: { add(file: unknown): void } }
  File: new (parts: string[], name: string) => unknown
}
