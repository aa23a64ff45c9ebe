import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'
import { eventually } from '../../../support/eventually.ts'

const HOSTILE = '<img src=x onerror="alert(1)">'
const BANNER = { id: 'display_300x250_html' }
const html = (content: string) => ({ html_creative: { asset_type: 'html', content } })

describe('the creative studio of the console', () => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    app = await startApp({ config: { trustProxy: ['127.0.0.1'] } })
    operator = await signIn(app, await app.principal('operator', 'tasks'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)
  const built = async (body: object) => {
    const { status, body: started } = await operator.post('/studio/builds', body)
    expect([status, started.error]).toEqual([200, undefined])
    const [{ task_id }] = started.builds
    await eventually(async () => {
      const { body: listed } = await viewer.get(`/studio/builds?task_ids=${task_id}`)
      expect(listed.builds[0].status).toBe('completed')
    })
    return (await viewer.get(`/studio/builds/${task_id}`)).body
  }

  test('formats are found by name, id, size, type and what they need', async () => {
    const found = async (query: string) => ids((await viewer.get(`/studio/formats?${query}`)).body)
    expect(await found('q=300x250')).toContain('display_300x250_image')
    expect(await found('q=300 × 250')).not.toContain('display_728x90_image')
    expect(await found('q=DISPLAY_728x90_image_2x')).toEqual(['display_728x90_image_2x'])
    expect(await found('type=audio&limit=2')).toEqual(['audio_standard_15s', 'audio_standard_30s'])
    expect(await found('asset_type=vast')).toEqual(['video_vast', 'video_vast_30s'])
    const { body } = await viewer.get('/studio/formats?family=display_*_image&limit=200')
    expect(body.items.every(({ id }: { id: string }) => /^display_\d+x\d+_image$/.test(id))).toBe(
      true,
    )
    expect(body.families).toContainEqual({ family: 'display_*_image', formats: body.items.length })
  })

  test('a format says its slots, and one without a size takes the size that it is given', async () => {
    const { body } = await viewer.get('/studio/formats/display_image?width=120&height=60')
    expect(body.shape).toEqual({ width: 120, height: 60, is_exact: true })
    expect(body.slots[0]).toMatchObject({
      name: 'banner_image',
      required: true,
      asset_type: 'image',
    })
    expect((await viewer.get('/studio/formats/nothing')).status).toBe(404)
    const wrong = await viewer.get('/studio/formats/display_300x250_image?width=1&height=1')
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'bad_size'])
  })

  test('spec 2.5: what fits is previewed with its macros; what does not is reported with its place', async () => {
    const returned = await operator.post('/studio/preview', {
      format: BANNER,
      assets: html('<p>Hello {CITY}</p>'),
      macros: { CITY: HOSTILE },
    })
    const [render] = returned.body.preview.renders
    expect([returned.body.faults, render.role, render.sandbox]).toEqual([
      [],
      'primary',
      'allow-scripts',
    ])
    const page = await (await fetch(app.url + render.path)).text()
    expect(page).toContain('Hello ')
    expect(page).not.toContain(HOSTILE)

    const bad = await operator.post('/studio/preview', {
      format: { id: 'display_300x250_image' },
      assets: { banner_image: { asset_type: 'image', url: 'ftp://x' } },
    })
    expect(bad.body.preview).toBeUndefined()
    const places = bad.body.faults.map(({ pointer }: { pointer: string }) => pointer)
    expect(places).toContain('/assets/banner_image/url')
    expect(places).toContain('/assets/click_url')
  })

  test('spec 4.2: a build of several sizes is a task each, returned with its preview and notes', async () => {
    const { body } = await operator.post('/studio/builds', {
      formats: [{ id: 'display_300x250_html' }, { id: 'nothing' }],
      message: 'Fresh coffee every morning. Order now.',
      brand_manifest: { name: 'Acme', url: 'https://acme.example' },
    })
    expect(body.builds[1].refusal).toMatch(/unknown format nothing/)
    const one = await built({
      formats: [BANNER],
      message: 'Fresh coffee every morning. Order now.',
      brand_manifest: { name: 'Acme', url: 'https://acme.example' },
      variants: 2,
    })
    expect(one.creatives).toHaveLength(2)
    expect(one.requested.message).toMatch(/^Fresh coffee/)
    expect(one.format).toEqual(BANNER)
    expect(one.creatives[0].preview.renders[0].path).toMatch(/^\/previews\//)
    const audit = await viewer.get('/audit?action=studio.build')
    expect(audit.body.items[0]).toMatchObject({ outcome: 'done', target: 'display_300x250_html' })
  })

  test('spec 4.5: what is filled in or built is saved to one’s library, and found there by all', async () => {
    const saved = await operator.post('/studio/library', {
      creative_id: 'c-1',
      name: HOSTILE,
      tags: ['spring'],
      creative: { format: BANNER, assets: html('<p>Hello</p>') },
    })
    expect([saved.status, saved.body.action]).toEqual([200, 'created'])
    const { library_id } = saved.body
    const { body: page } = await viewer.get('/studio/library?q=ONERROR&status=approved')
    expect(page.items).toMatchObject([{ library_id, creative_id: 'c-1', name: HOSTILE }])
    const { body: one } = await viewer.get(`/studio/library/${library_id}`)
    expect(one).toMatchObject({ tags: ['spring'], format: BANNER.id, assignments: [] })
    const preview = await viewer.post(`/studio/library/${library_id}/preview`)
    expect(preview.body.preview.renders).toHaveLength(1)

    const made = await built({ formats: [BANNER], message: 'Warm bread at seven.' })
    const again = await operator.post('/studio/library', {
      creative_id: 'c-1',
      name: 'Bread',
      creative: { task_id: made.task_id, index: 0 },
    })
    expect(again.body.action).toBe('updated')
    const none = await operator.post('/studio/library', {
      creative_id: 'c-2',
      name: 'None',
      creative: { task_id: made.task_id, index: 7 },
    })
    expect([none.status, none.body.error.code]).toEqual([409, 'not_built'])
    const entries = (await viewer.get('/audit?action=studio.save')).body.items
    expect(entries.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'refused',
      'done',
      'done',
    ])
  })

  test('a viewer builds, saves and previews nothing that they wrote', async () => {
    for (const path of ['/studio/preview', '/studio/builds', '/studio/library']) {
      const { status, body } = await viewer.post(path, {})
      expect([path, status, body.error.code]).toEqual([path, 403, 'viewer'])
    }
  })

  test('an operator whose key may call no tasks is informed of that, and it is recorded', async () => {
    const other = await signIn(app, await app.principal('operator'))
    const body = { formats: [BANNER], message: 'Hello.' }
    const { status, body: refused } = await other.post('/studio/builds', body)
    expect([status, refused.error.message]).toEqual([
      403,
      'build_creative requires a key with the scope tasks',
    ])
    const [entry] = (await viewer.get('/audit?action=studio.build')).body.items
    expect(entry).toMatchObject({ outcome: 'refused', target: BANNER.id })
  })

  test('a page of the console frames previews of its own address, and nothing else', async () => {
    const framed = async (headers: object) => {
      const answer = await fetch(`${app.url}/console/studio`, { headers: { ...headers } })
      return /frame-src ([^;]*);/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
    }
    expect(await framed({})).toBe(`${app.url}/previews/`)
    const api = await viewer.get('/studio/formats')
    expect(api.headers.get('content-security-policy')).toContain("frame-src 'none'")
  })
})
