import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Found, PreviewContent } from '../../../src/creative/preview-store.ts'
import { KEYLESS_DRAW_LIMITS } from '../../../src/creative/rendering/keyless-draws.ts'
import { writeRecipe } from '../../../src/creative/rendering/recipe.ts'
import { showPreview } from '../../../src/creative/rendering/show-preview.ts'
import { previewRoutes } from '../../../src/transports/http/preview-routes.ts'
import { inProcessWorkerPool } from '../../support/creative.ts'
import { eventually } from '../../support/eventually.ts'
import { banner, formatOf, manifestOf, wrapperTo } from './creatives.ts'

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000`
const recipeOf = (
  manifest = banner(),
  format = formatOf('display_300x250_image'),
  tags = new Map<string, string>(),
) =>
  writeRecipe({
    format,
    manifest,
    inputs: [{ name: '<b>One', macros: { CITY: '"Bern' } }],
    tags,
    itemLimit: undefined,
  })
const TAG = 'https://v.example/{CITY}'
const SEEN: Record<string, Found<PreviewContent>> = {
  [id('a')]: {
    state: 'live',
    body: { kind: 'page', text: '<!doctype html>Grüezi', csp: "default-src 'none'; sandbox" },
  },
  [id('d')]: { state: 'gone' },
}
const RECIPES: Record<string, Found<string>> = {
  [id('b')]: { state: 'live', body: recipeOf() },
  [id('c')]: {
    state: 'live',
    body: recipeOf(
      manifestOf('video_vast', { vast_tag: { asset_type: 'vast', url: TAG } }),
      formatOf('video_vast'),
      new Map([[TAG, wrapperTo('https://elsewhere.example/')]]),
    ),
  },
  [id('d')]: { state: 'gone' },
  [id('f')]: {
    state: 'live',
    body: writeRecipe({
      format: formatOf('native_mention'),
      manifest: manifestOf('native_mention', {
        mention_text: { asset_type: 'text', content: 'At {STORE_NAME} and {NOBODY}' },
      }),
      inputs: [{ name: 'One', macros: { STORE_NAME: 'Bern', UNUSED: '1' } }],
      tags: new Map(),
      itemLimit: undefined,
    }),
  },
}

const app = fastify()
const previews = {
  seen: async (one: string) => SEEN[one],
  recipe: async (one: string) => RECIPES[one],
}
previewRoutes(showPreview({ previews, workerPool: inProcessWorkerPool() }))(app)
const get = (path: string) => app.inject({ url: `/previews/${path}` })

test('spec 2.5: a page is served with its own policy, privately and without a cookie', async () => {
  const answer = await get(id('a'))
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('<!doctype html>Grüezi')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': expect.stringContaining('private'),
  })
  expect(answer.headers).not.toHaveProperty('set-cookie')
})

test.each([
  [id('d'), 410],
  [`${id('d')}/interactive`, 410],
  [id('e'), 404],
  [`${id('e')}/render`, 404],
  ['short', 404],
  [`${id('a')}/interactive`, 404],
  [id('b'), 404],
  [`${id('b')}/render?role=7`, 404],
])('spec 2.5: %s answers %i and is not kept', async (path, status) => {
  const answer = await get(path)
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toEqual({ error: expect.any(String) })
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('spec 2.5: the interactive page has a field for each macro that counts, filled from its variant', async () => {
  const { body, headers } = await get(`${id('b')}/interactive`)
  for (const name of ['COUNTRY', 'CITY', 'DEVICE_ID']) expect(body).toContain(`name="${name}"`)
  expect(body).toContain('value="&quot;Bern"')
  expect(body).toContain('&lt;b&gt;One')
  const csp = String(headers['content-security-policy'])
  expect(csp).toMatch(/script-src 'sha256-[^']+'; frame-src 'self'/)
  expect(csp).not.toContain('unsafe')
  expect(csp).not.toContain('connect-src')
})

test('spec 2.5: the creative is drawn again with the requested values', async () => {
  const { body, headers } = await get(
    `${id('b')}/render?CITY=Z%C3%BCrich&NOBODY=1&COUNTRY=a&COUNTRY=b`,
  )
  expect(body).toContain('https://t.example/i?c=Z%C3%BCrich')
  expect(body).toContain('country={COUNTRY}')
  expect(body).not.toContain('NOBODY')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test('spec 2.5: the interactive page has a field for an unknown macro that a variant has a value for', async () => {
  const { body } = await get(`${id('f')}/interactive`)
  expect(body).toContain('name="STORE_NAME"')
  for (const name of ['NOBODY', 'UNUSED']) expect(body).not.toContain(`name="${name}"`)
  const drawn = await get(`${id('f')}/render?STORE_NAME=Basel&NOBODY=1`)
  expect(drawn.body).toContain('At Basel and {NOBODY}')
})

test('a tag that was fetched is displayed as it was, and nothing is fetched again', async () => {
  const { body } = await get(`${id('c')}/render?CITY=Bern`)
  expect(body).toContain('https://v.example/Bern')
  expect(body).toContain('https://w.example/imp')
  expect(body).toContain('was not fetched when the preview was made')
})

test('viewers without a key have one drawing at a time; what one of them waits for is bounded', async () => {
  let drawing = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const workerPool = {
    run: async () => {
      drawing += 1
      await ended
      return { html: 'drawn', csp: '' }
    },
  } as object as ReturnType<typeof inProcessWorkerPool>
  const pages = showPreview({ previews, workerPool })
  const render = (by = { account: 'address 192.0.2.1', hasKey: false }) => {
    const { signal } = new AbortController()
    return pages.render(id('b'), { role: 0, macros: {} }, { ...by, signal })
  }
  const most = KEYLESS_DRAW_LIMITS.waitingOfOne.value
  const waiting = Array.from({ length: most }, () => render())
  expect(await render()).toMatchObject({ ok: false, status: 429, retryAfterSeconds: 1 })
  expect(drawing).toBe(1)
  // With a key it is drawn at once.
  const keyed = render({ account: 'prn_a', hasKey: true })
  await eventually(() => expect(drawing).toBe(2))
  end()
  for (const page of [keyed, ...waiting]) expect(await page).toMatchObject({ ok: true })
})
