// The creative studio in a real browser: formats by picture, a form with its preview, a build, a campaign, the library.

import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LibraryCreative } from '../../src/console/api/studio.ts'
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

const AT = '2026-11-17T09:00:00.000Z'
const HOSTILE = '</td><img src=/x onerror="window.hacked=1"><script>window.hacked=1</script>'
const VIEWER = {
  '/session': {
    body: {
      principal: { principal_id: 'v', name: 'Viewer' },
      roles: ['viewer'],
      csrf: 'c',
      demo: false,
      expires_at: '2099-01-01T00:00:00.000Z',
    },
  },
}
const HTML = '<p id="said">Hello {CITY} on {DEVICE_TYPE}</p>'

let browser: Browser
let server: ConsoleServer

describe.skipIf(!CHROMIUM)(`the creative studio ${BROWSER_TITLE}`, () => {
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
  /** Waits for words of the creative, in the frame within the frame of its page, which each change loads again. */
  const said = (page: ConsolePage, words: string) => {
    const creative = page.frameLocator('.beside iframe').frameLocator('iframe').locator('#said')
    return eventually(() => creative.getByText(words).waitFor({ timeout: 10_000 }))
  }

  test('a format is found by its size and chosen by its picture', async () => {
    await inPage({ path: '/studio' }, async (page) => {
      await page.locator('.format-card .sketch rect').first().waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('728x90')
      await page.getByText('5 of 5 formats').waitFor()
      expect(new URL(page.url()).search).toBe('?q=728x90')
      await page.getByLabel('Made of').selectOption('html')
      await page.getByText('1 of 1 formats').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Leaderboard HTML5' }).click()
      await heading(page, 'Leaderboard HTML5 (728x90)')
      await page.goBack()
      await page.getByLabel('Made of').selectOption('vast')
      await page.getByText('No formats fit these filters').waitFor()
      await page.getByRole('button', { name: 'Show all formats' }).click()
      await page.getByText('50 of 77 formats').waitFor()
    })
  })

  test('spec 2.5: the preview updates while typing, with macros and devices; errors are displayed at their fields', async () => {
    await inPage({ path: '/studio/formats/display_300x250_html' }, async (page) => {
      await page.getByLabel('HTML of html creative').fill(HTML)
      await said(page, 'Hello {CITY} on {DEVICE_TYPE}')
      await page.getByText('fits its format').waitFor()
      await page.getByRole('button', { name: 'Mobile' }).click()
      await said(page, 'on mobile')
      await page.getByText('What may be added').click()
      await page.getByLabel('Address of impression tracker').fill('ftp://nowhere')
      await page.getByText(/1 fault: showing the last valid version/).waitFor()
      const field = page.getByLabel('Address of impression tracker')
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await page.locator('.slot .fault').count()).toBe(1)
      await field.fill('https://track.example/i?d={DEVICE_TYPE}')
      await page.getByText('fits its format').waitFor()
      const sandbox = await page.locator('.beside iframe').getAttribute('sandbox')
      expect(sandbox).toBe('allow-scripts')
    })
  })

  test('a picture from this computer is taken as it is, with the size that it has', async () => {
    const buffer = await sharp({
      create: { width: 300, height: 250, channels: 3, background: '#22543d' },
    })
      .png()
      .toBuffer()
    await inPage({ path: '/studio/formats/display_300x250_image' }, async (page) => {
      const field = page.getByLabel('Or a file for banner image')
      await field.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') })
      await page.getByText('The browser cannot read this file as an image.').waitFor()
      await field.setInputFiles({ name: `${HOSTILE}.png`, mimeType: 'image/png', buffer })
      await page.getByText(/png picture, \d KB/).waitFor()
      await page.getByLabel('Address of click url').fill('https://solara-coffee.example/')
      await page.getByText('fits its format').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the manifest' }).click(),
      ])
      const manifest = JSON.parse(readFileSync(await download.path(), 'utf8'))
      expect(manifest.assets.banner_image).toMatchObject({ width: 300, height: 250 })
    })
  })

  test('spec 4.2: variants are generated side by side, one is edited and saved', async () => {
    await inPage({ path: '/studio/formats/display_300x250_html?mode=generate' }, async (page) => {
      await page.getByRole('button', { name: 'Generate', exact: true }).click()
      await page.getByText('Describe in one sentence what to make.').waitFor()
      await page.getByLabel('Message').fill('Fresh coffee at seven. Button: Order now.')
      await page.getByLabel('Brand, by its domain').fill('solara-coffee.example')
      await page.getByLabel('Variants').fill('2')
      await page.getByRole('button', { name: 'Generate', exact: true }).click()
      await page.getByRole('heading', { name: 'Variant 2' }).waitFor()
      const frames = page.locator('.creative iframe')
      await eventually(async () => expect(await frames.count()).toBe(2))
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Edit', exact: true }).nth(1).click()
      await page.getByText('fits its format').waitFor()
      expect(await page.getByLabel('HTML of html creative').inputValue()).toContain('Order now')
      await page.getByRole('button', { name: 'Save to the library' }).click()
      await page.getByLabel('Name').fill('Coffee at seven')
      await page.getByLabel('Id', { exact: true }).fill('coffee-at-seven')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('The creative is in your library.').waitFor()
      await page.getByRole('link', { name: 'Open it in the library' }).click()
      await heading(page, 'Coffee at seven')
      await page.getByText('First synced').first().waitFor()
      await page.locator('.scaled iframe').waitFor()
      await page.getByRole('link', { name: 'Open in the studio' }).click()
      await page.getByText('fits its format').waitFor()
    })
  })

  test('a campaign is built in the sizes that were chosen, and is at the same address again', async () => {
    await inPage({ path: '/studio/campaign' }, async (page) => {
      await page.getByLabel('Message').fill('Fresh coffee at seven. Button: Order now.')
      await page.getByRole('button', { name: 'Choose none' }).click()
      await page.getByRole('button', { name: 'Build 0 sizes' }).click()
      await page.getByText('Choose at least one size.').waitFor()
      await page.getByRole('checkbox', { name: /^300 × 250/ }).check()
      await page.getByRole('checkbox', { name: /^728 × 90/ }).check()
      await page.getByRole('button', { name: 'Build 2 sizes' }).click()
      await page.getByText('0 of 2 built, 2 not').waitFor()
      await page
        .getByText(/The format requires a click URL/)
        .first()
        .waitFor()
      await page.getByLabel('Brand, by its domain').fill('solara-coffee.example')
      await page.getByRole('button', { name: 'Build 2 sizes' }).click()
      await page.getByText('2 of 2 built').waitFor()
      await page.reload()
      await page.getByText('2 of 2 built').waitFor()
      const [archive] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Files of all sizes' }).click(),
      ])
      const bytes = readFileSync(await archive.path())
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
      for (const name of [
        'display_300x250_image/manifest.json',
        'display_728x90_image/banner_image.',
      ]) {
        expect([name, bytes.includes(name)]).toEqual([name, true])
      }
    })
  })

  const LOOKS = [
    ['/studio', 'Creative studio'],
    ['/studio/formats/display_image', 'Image banner, any size'],
    ['/studio/formats/display_728x90_image?mode=generate', /^Leaderboard image/],
    ['/studio/campaign', 'Campaign'],
    ['/studio/library', 'Library'],
  ] as const

  test.each(LOOKS)(
    '%s has nothing serious for axe, and nothing is cut off at 360 px',
    async (path, title) => {
      await inPage({ path }, async (page) => {
        await heading(page, title)
        await eventually(async () =>
          expect(await page.locator('.skeleton, [aria-busy=true]').count()).toBe(0),
        )
        expect(await axeFaultsInBoth(page)).toEqual([])
        await page.setViewportSize({ width: 360, height: 800 })
        expect(await axeFaults(page, { of: 'structure' })).toEqual([])
        await eventually(async () => expect(await cutOff(page)).toEqual([]))
      })
    },
  )

  test('a viewer sees formats and libraries, and no way to make anything', async () => {
    await inPage({ path: '/studio/formats/native_content', answers: VIEWER }, async (page) => {
      await page.getByRole('heading', { name: 'Made of' }).waitFor()
      expect(await page.locator('main form, main textarea').count()).toBe(0)
    })
    await inPage({ path: '/studio/campaign', answers: VIEWER }, async (page) => {
      await page.getByText('Viewers cannot build creatives').waitFor()
      expect(await page.getByRole('button', { name: /Build/ }).count()).toBe(0)
    })
    const answers = { ...VIEWER, '/studio/library': { body: { items: [] } } }
    await inPage({ path: '/studio/library', answers }, async (page) => {
      await page.getByText('The library is empty').waitFor()
    })
  })

  test('what does not exist, or does not respond, is reported as a readable message', async () => {
    const away = { status: 503, body: { error: { code: 'unavailable', message: 'gone for now' } } }
    const answers = { '/studio/formats': away, '/studio/formats/none': away }
    for (const path of ['/studio', '/studio/formats/none', '/studio/campaign']) {
      const page = await openConsole(browser, server, { path, answers })
      await page.getByText('The server does not answer').waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.context().close()
    }
    // Also of one that is called as another view is.
    for (const id of ['no_such_format', 'library']) {
      const page = await openConsole(browser, server, { path: `/studio/formats/${id}` })
      await page.getByText(new RegExp(`Unknown format ${id}`)).waitFor()
      await page.context().close()
    }
  })

  test('what third parties wrote is displayed as text', async () => {
    const creative: LibraryCreative = {
      library_id: 'l1',
      creative_id: HOSTILE,
      name: HOSTILE,
      format: HOSTILE,
      status: 'approved',
      principal_id: 'p',
      principal_name: HOSTILE,
      assignment_count: 1,
      created_at: AT,
      updated_at: AT,
      tags: [HOSTILE],
      concept: HOSTILE,
      bytes: 9,
      manifest: { format_id: { id: HOSTILE }, assets: { [HOSTILE]: { content: HOSTILE } } },
      files: [{ slot: HOSTILE, path: '/assets/x.png' }],
      assignments: [{ package_id: HOSTILE, assigned_at: AT }],
    }
    const answers = {
      '/studio/library/l1': { body: creative },
      '/studio/library': { body: { items: [creative] } },
      '/studio/library/l1/preview': {
        body: { faults: [{ pointer: HOSTILE, message: HOSTILE }], notes: [HOSTILE] },
      },
    }
    for (const path of ['/studio/library/l1', '/studio/library']) {
      await inPage({ path, answers, width: 360 }, async (page) => {
        await page.getByText(HOSTILE).first().waitFor()
        expect(await page.evaluate('window.hacked')).toBeUndefined()
        expect(await page.locator('main img').count()).toBe(0)
        await eventually(async () => expect(await cutOff(page)).toEqual([]))
      })
    }
  })
})
