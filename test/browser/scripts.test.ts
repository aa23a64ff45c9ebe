import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'

if (!CHROMIUM) console.warn('scripts are NOT tested in a browser: set CHROMIUM_PATH')

const BRANDS = [
  ['ja', 'ltr', '山の道具店', '長い一日を軽やかに歩く靴'],
  ['ar', 'rtl', 'متجر الصحراء', 'أحذية خفيفة للأيام الطويلة'],
  ['vi', 'ltr', 'Phở Hà Nội', 'Đậm đà hương vị truyền thống'],
  ['de', 'ltr', 'Wandergrün', 'Wanderschuhe für Weltentdecker'],
] as const

let app: TestApp
let browser: Browser
let key: string

describe.skipIf(!CHROMIUM)(`creatives of every script ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startApp(), openBrowser()])
    key = await app.principal()
  })
  afterAll(() => Promise.all([app?.stop(), leaveBrowser()]))

  async function task(name: string, body: object): Promise<Record<string, unknown>> {
    const answer = await call(`${app.url}/v3/${name}`, { key, body })
    expect(answer.status, answer.text).toBe(200)
    return answer.body as Record<string, unknown>
  }

  test.each(BRANDS)(
    'spec 4.2: a brand in %s (%s) is built, previewed with its words on the page, and kept',
    async (language, direction, name, offered) => {
      const colors = { primary: '#17324D', secondary: '#F2A541' }
      const brand_manifest = { name, url: 'https://brand.example', colors }
      const promoted_offerings = { brand_manifest, inline_offerings: [{ name: offered }] }
      const built = await task('build_creative', {
        target_format_id: { agent_url: app.url, id: 'display_300x250_html' },
        creative_manifest: { assets: { promoted_offerings } },
      })
      const { format_id, assets } = built.creative_manifest as Record<string, object>
      const creative_manifest = { format_id, assets }

      const returned = await task('preview_creative', {
        request_type: 'single',
        format_id,
        creative_manifest,
      })
      const [preview] = returned.previews as { renders: { preview_url: string }[] }[]
      const page = await browser.newPage()
      await page.goto(preview?.renders[0]?.preview_url ?? '')
      const frame = page.frameLocator('iframe').first()
      const words = (await frame.locator('body').innerText()).replace(/\s+/g, ' ')
      for (const word of [...name.split(' '), ...offered.split(' ')]) {
        // A line may break between any two letters of Japanese.
        expect(words.replaceAll(' ', '')).toContain(word)
      }
      const root = frame.locator('html')
      // By the letters, and by the words where many languages share them.
      expect(await root.getAttribute('lang')).toBe(language)
      expect((await root.getAttribute('dir')) ?? 'ltr').toBe(direction)
      await page.close()

      const kept = await task('sync_creatives', {
        creatives: [{ creative_id: `banner-${language}`, creative_manifest }],
      })
      expect(kept.creatives).toMatchObject([{ action: 'created', status: 'approved' }])
    },
  )
})
