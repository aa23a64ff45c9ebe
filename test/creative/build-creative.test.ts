import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkManifest } from '../../src/creative/manifest-check/check-manifest.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { Asset } from '../../src/protocol/schemas/assets.ts'
import { buildCreativeRequest } from '../../src/protocol/schemas/build-creative.ts'
import { catalogue } from '../support/creative.ts'
import { eventually } from '../support/eventually.ts'
import {
  AGENT,
  assetsOf,
  type BuildHarness,
  buildHarness,
  countColour,
  formatId,
  imageOf,
  PURPLE,
  refusalOf,
  seedRequest,
} from './build-steps/build-harness.ts'

let harness: BuildHarness
beforeAll(async () => {
  harness = await buildHarness()
})
afterAll(() => harness.close())

test.each([
  ['display_300x250', 300, 250, 200],
  ['display_728x90_image', 728, 90, 150],
  ['display_160x600_image', 160, 600, 150],
  ['mobile_banner_320x50', 320, 50, 50],
  ['display_970x250_image', 970, 250, 200],
  ['mobile_story_vertical', 1080, 1920, 10_000],
  ['display_300x250_image_2x', 600, 500, 10_000],
])('spec 4.2: a brand and an offering become a complete %s', async (id, width, height, kb) => {
  const answer = await harness.build(seedRequest(id))
  const manifest = answer.creative_manifest
  const image = imageOf(answer)
  expect(image).toMatchObject({ asset_type: 'image', width, height })
  expect(manifest?.promoted_offering).toBe('Winter Sale')
  expect(assetsOf(answer).click_url).toMatchObject({
    asset_type: 'url',
    url: 'https://acme.example',
  })
  expect(manifest?.assets as object).not.toHaveProperty('impression_tracker')
  const bytes = await harness.bytesOf(image)
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
  expect(bytes.byteLength).toBeLessThanOrEqual(kb * 1_000)
  expect(bytes.byteLength).toBe(image.file_size_bytes)
  expect(await countColour(bytes, PURPLE)).toBeGreaterThan(width * height * 0.02)
  const found = catalogue().find(manifest?.format_id as never, [AGENT])
  expect(found.ok && checkManifest(manifest as never, found.format)).toEqual([])
})

test.each(['#73F', '#73fc', '#7733FFCC'])(
  'spec 2.4: a brand colour given as %s is used like its long form',
  async (primary) => {
    const inColour = (colour: string) => {
      const request = seedRequest('display_300x250')
      request.creative_manifest.assets.promoted_offerings.brand_manifest.colors.primary = colour
      expect(buildCreativeRequest.safeParse(request).error?.issues).toBeUndefined()
      return harness.build(request)
    }
    const bytes = await harness.bytesOf(imageOf(await inColour(primary)))
    expect(await countColour(bytes, '#7733ff')).toBeGreaterThan(300 * 250 * 0.02)
    expect(bytes).toEqual(await harness.bytesOf(imageOf(await inColour('#7733ff'))))
  },
)

test('spec 4.2: the same request gives the same bytes and recipe, another one others', async () => {
  const one = await harness.build(seedRequest('display_300x250'))
  const two = await harness.build(seedRequest('display_300x250'))
  const other = await harness.build(seedRequest('display_300x250', { message: 'headline: "Now"' }))
  expect(two.recipe_hash).toBe(one.recipe_hash)
  expect(imageOf(two).url).toBe(imageOf(one).url)
  expect(other.recipe_hash).not.toBe(one.recipe_hash)
  expect(imageOf(other).url).not.toBe(imageOf(one).url)
})

test('a generative target is answered with the format that it builds', async () => {
  const single = await harness.build(seedRequest('display_300x250_generative'))
  expect(single.creative_manifest?.format_id).toEqual(formatId('display_300x250_image'))
  const sized = formatId('display_generative', { width: 400, height: 300 })
  const template = await harness.build(seedRequest('display_300x250', { target_format_id: sized }))
  expect(template.creative_manifest?.format_id).toEqual(
    formatId('display_image', { width: 400, height: 300 }),
  )
})

test('native texts are written within their limits and the brand is named', async () => {
  const { creative_manifest } = await harness.build(
    seedRequest('native_content', { message: 'Shop at https://acme.example/sale today.' }),
  )
  const assets = creative_manifest?.assets as Record<string, Asset>
  expect(assets.headline?.content).toContain('Winter Sale')
  expect(assets.body?.content).toContain('50% off')
  expect(assets.disclosure).toMatchObject({ content: 'Sponsored by Acme Shoes' })
  expect(assets.click_url?.url).toBe('https://acme.example/sale')
  expect(assets.author).toBeUndefined()
  expect(await sharp(await harness.bytesOf(assets.thumbnail)).metadata()).toMatchObject({
    format: 'png',
  })
})

test('an HTML target holds markup of its size that leads to the brand', async () => {
  const { creative_manifest } = await harness.build(seedRequest('display_300x250_html'))
  const assets = creative_manifest?.assets as Record<string, Asset>
  expect(assets.html_creative?.asset_type).toBe('html')
  expect(assets.html_creative?.content).toContain('https://acme.example')
})

test('a message alone is enough, when it says where a click leads', async () => {
  const answer = await harness.build({
    message: 'headline: "Fresh bread daily". Link to https://bakery.example/.',
    target_format_id: formatId('display_300x250'),
  })
  expect(assetsOf(answer).click_url?.url).toBe('https://bakery.example/')
})

test('what the manifest already has is carried over', async () => {
  const request = seedRequest('display_300x250')
  const tracker = {
    asset_type: 'url',
    url: 'https://t.example/i?cb={CACHEBUSTER}',
    url_type: 'tracker_pixel',
  }
  Object.assign(request.creative_manifest.assets, {
    impression_tracker: tracker,
    click_url: { asset_type: 'url', url: 'https://acme.example/?c={MEDIA_BUY_ID}' },
  })
  const { creative_manifest } = await harness.build(request)
  expect(creative_manifest?.assets).toMatchObject({
    impression_tracker: tracker,
    click_url: { asset_type: 'url', url: 'https://acme.example/?c={MEDIA_BUY_ID}' },
  })
})

test('several targets are built in their order, or none of them', async () => {
  const several = {
    ...seedRequest('display_300x250', { target_format_id: undefined }),
    target_format_ids: [formatId('display_728x90'), formatId('display_300x250')],
  }
  const answer = await harness.build(several)
  expect(answer.creative_manifests?.map(({ format_id }) => format_id?.id)).toEqual([
    'display_728x90_image',
    'display_300x250_image',
  ])
  const before = await harness.storedAssets()
  const impossible = {
    ...several,
    message: 'something never built before',
    target_format_ids: [formatId('display_300x250'), formatId('video_standard_30s')],
  }
  expect(await refusalOf(harness.build(impossible))).toMatchObject({ code: 'UNSUPPORTED_FEATURE' })
  expect(await harness.storedAssets()).toBe(before)
})

test.each([
  ['video_standard_30s', 'a video'],
  ['video_vast_30s', 'a VAST tag'],
  ['audio_standard_30s', 'a sound'],
  ['display_300x250_3p', 'a script'],
])('spec 4.2: %s is refused rather than faked', async (id, what) => {
  const refusal = await refusalOf(harness.build(seedRequest(id)))
  expect(refusal.code).toBe('UNSUPPORTED_FEATURE')
  expect(refusal.message).toContain(what)
})

test.each([
  ['an unknown format', { target_format_id: formatId('no_such') }, 'FORMAT_NOT_SUPPORTED'],
  [
    'another agent’s format',
    { target_format_id: { agent_url: 'https://other.example', id: 'display_300x250' } },
    'FORMAT_NOT_SUPPORTED',
  ],
  [
    'a template without a size',
    { target_format_id: formatId('display_image') },
    'INVALID_FORMAT_ID',
  ],
  [
    'the request has no content',
    { message: undefined, creative_manifest: { assets: {} } },
    'VALIDATION_ERROR',
  ],
  ['an earlier variant', { refine_from_build_variant_id: 'v1' }, 'UNSUPPORTED_FEATURE'],
  ['a transformer', { transformer_id: 't1' }, 'REFERENCE_NOT_FOUND'],
  [
    'a creative that is not there',
    { creative_id: 'c1', creative_manifest: undefined },
    'CREATIVE_NOT_FOUND',
  ],
  [
    'no click-through to be found',
    { creative_manifest: {}, message: 'A sale!' },
    'VALIDATION_ERROR',
  ],
])('spec 7.1: %s is refused', async (_what, over, code) => {
  const refusal = await refusalOf(harness.build(seedRequest('display_300x250', over)))
  expect(refusal.code).toBe(code)
})

test('what is refused at once makes no task, also with a webhook', async () => {
  const before = harness.recorded.reported.length
  const request = {
    ...seedRequest('no_such'),
    push_notification_config: { url: 'https://buyer.example/hook', operation_id: 'op-1' },
  }
  expect(await refusalOf(harness.handle(request))).toMatchObject({ code: 'FORMAT_NOT_SUPPORTED' })
  expect(harness.recorded.registered).toEqual([])
  expect(harness.recorded.reported).toHaveLength(before)
})

test('spec 3.2: with a webhook the call is answered at once, and each stage is reported', async () => {
  const request = {
    ...seedRequest('display_300x250', { message: 'with a webhook' }),
    push_notification_config: { url: 'https://buyer.example/hook', operation_id: 'op-2' },
  }
  const answer = (await harness.handle(request)) as { status: string; task_id: string }
  expect(answer.status).toBe('submitted')
  const reported = () =>
    harness.recorded.reported.filter(({ task_id }) => task_id === answer.task_id)
  await eventually(async () => expect(reported().at(-1)?.status).toBe('completed'))
  expect(reported().map(({ status }) => status)).toEqual([...Array(4).fill('working'), 'completed'])
  expect(reported().at(-1)?.result).toMatchObject({
    creative_manifest: { format_id: { agent_url: AGENT } },
  })
})

test('an estimate costs nothing and builds nothing', async () => {
  const before = await harness.storedAssets()
  const answer = await harness.build(
    seedRequest('display_300x250', { mode: 'estimate', message: 'estimate me' }),
  )
  expect(answer).toMatchObject({ mode: 'estimate', estimate: { cost_high: 0, leaves_total: 1 } })
  expect(answer.creative_manifest).toBeUndefined()
  expect(await harness.storedAssets()).toBe(before)
})

test('a build that an other process takes over gives the same', async () => {
  const request = seedRequest('display_300x250', { message: 'taken over' })
  const whole = await harness.build(request)
  const begun = {
    task_id: 'taken-over',
    owner: 'prn_alice',
    task_type: 'build_creative',
    domain: 'creative',
    status: 'working' as const,
    context: undefined,
    context_id: undefined,
    is_told: true,
    has_webhook: false,
    // The last stage, in a process that has made nothing of it.
    state: { stage: 'store', calledOn: AGENT },
    request,
    idempotency_key: undefined,
    deadlineMs: 60_000,
  }
  await harness.database.transact((tx) => harness.tasks.add(tx, begun))
  const key = { owner: 'prn_alice', task_id: 'taken-over' }
  await eventually(async () => {
    expect((await harness.tasks.get(key))?.status).toBe('completed')
  })
  const { result } = (await harness.tasks.get(key)) ?? {}
  expect((result as typeof whole).creative_manifest).toEqual(whole.creative_manifest)
})

test('the task requires what the specification requires', () => {
  const { task } = harness
  expect(task).toMatchObject({ name: 'build_creative', access: 'tasks', changes: true })
  expect(task.bodyLimitBytes).toBe(10 * 1_024 * 1_024)
  expect(task.alsoRequired?.({}, RELEASES.version('unversioned'))).toMatchObject([
    { pointer: '/target_format_id' },
  ])
  const issues = [{ pointer: '/target_format_id', message: 'x', keyword: 'type' }]
  expect(task.refusalFor?.(issues, {})).toBe('INVALID_FORMAT_ID')
})
