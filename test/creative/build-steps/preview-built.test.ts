import { afterEach, expect, test } from 'vitest'
import type { PreviewStore } from '../../../src/creative/preview-store.ts'
import {
  createMakePreviews,
  type MakePreviews,
} from '../../../src/creative/rendering/make-previews.ts'
import { createDrawStills } from '../../../src/creative/stills/draw-stills.ts'
import type { StillBrowser } from '../../../src/creative/stills/still-browser.ts'
import type { StillRequest } from '../../../src/lib/browser/take-still.ts'
import { ProtocolError } from '../../../src/protocol/errors.ts'
import { createPreviewStore } from '../../../src/storage/stores/creatives/previews.ts'
import { catalogue, inProcessWorkerPool } from '../../support/creative.ts'
import { eventually } from '../../support/eventually.ts'
import { AGENT, type BuildHarness, buildHarness, formatId, seedRequest } from './build-harness.ts'

let harness: BuildHarness
afterEach(() => harness.close())

const request = seedRequest('display_300x250', { include_preview: true })

/** With the real previews, whose `add` may be another. */
async function start(
  add: (own: PreviewStore) => PreviewStore['add'] = ({ add }) => add,
  take?: StillBrowser['take'],
) {
  let store: PreviewStore
  const ownAsset = async () => undefined
  const drawStills = take && createDrawStills({ browser: { atOnce: 1, take }, ownAsset })
  const makePreviews: MakePreviews = (preference) => {
    const previews = { add: add(store), refuseFull: store.refuseFull }
    const common = { catalogue: catalogue(), workerPool: inProcessWorkerPool(), onFault: () => {} }
    const ports = { ...common, previews, publicUrl: () => AGENT, drawStills }
    return createMakePreviews(ports)(preference)
  }
  harness = await buildHarness({ makePreviews, hasStills: take !== undefined })
  store = createPreviewStore(harness.database, { clock: harness.clock })
  return store
}

const countOf = async (table: string) => {
  const found = await harness.database.read.get<{ count: number }>(
    `SELECT count(*) AS count FROM ${table}`,
  )
  return Number(found?.count)
}

test('spec 4.2: the previews of a build can be opened as those of preview_creative', async () => {
  const store = await start()
  const { preview } = await harness.build({
    ...request,
    preview_inputs: [{ name: 'a' }, { name: 'b' }],
  })
  expect(preview?.previews.map(({ input }) => input.name)).toEqual(['a', 'b'])
  const [first] = preview?.previews ?? []
  expect(first?.preview_url).toBe(`${AGENT}/previews/${first?.preview_id}`)
  expect(first?.format_id).toMatchObject({ id: 'display_300x250_image' })
  expect(preview?.interactive_url).toContain('/interactive')
  expect(await store.seen(first?.preview_id ?? '')).toMatchObject({ state: 'live' })
})

test('they are markup, or pages and markup, when requested', async () => {
  await start()
  const { preview: html } = await harness.build({ ...request, preview_output_format: 'html' })
  expect(html?.previews[0]?.preview_html).toContain('<!doctype html>')
  expect(html?.previews[0]).not.toHaveProperty('preview_url')
  const { preview: both } = await harness.build({ ...request, preview_output_format: 'both' })
  expect(both?.previews[0]?.preview_html).toBe(both?.previews[0]?.renders[0]?.preview_html)
  expect(both?.previews[0]?.preview_url).toMatch(/\/previews\/[\w-]{36}$/)
})

test('they are pictures of each format, which show what is stored only with the build', async () => {
  const taken: StillRequest[] = []
  const store = await start(undefined, async (still) => {
    taken.push(still)
    const { width, height } = still
    return { png: Buffer.from('png'), width, height, isCut: false }
  })
  const { target_format_id, ...others } = request
  const { preview, creative_manifests } = await harness.build({
    ...others,
    preview_output_format: 'image',
    preview_quality: 'production',
    target_format_ids: [target_format_id, formatId('display_728x90_image')],
  })
  expect(preview?.previews.map(({ request_index }) => request_index)).toEqual([0, 1])
  const pictures = creative_manifests?.map(({ assets }) => JSON.stringify(assets)) ?? []
  for (const [index, { files, scale }] of taken.entries()) {
    expect(scale).toBe(2)
    expect(files.size).toBe(1)
    for (const url of files.keys()) expect(pictures[index]).toContain(url)
  }
  expect(preview?.previews[0]?.preview_url).toMatch(/\/previews\/[\w-]{36}\.png$/)
  expect(await store.seen(preview?.previews[1]?.preview_id ?? '')).toMatchObject({
    body: { kind: 'still' },
  })
})

test('pictures are refused before anything is built where there is no browser', async () => {
  await start()
  const building = harness.build({ ...request, preview_output_format: 'image' })
  const error = await building.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    errors: [{ code: 'UNSUPPORTED_FEATURE', field: '/preview_output_format' }],
  })
  expect(await harness.storedAssets()).toBe(0)
})

test('each creative of several has its previews, with its place in the request', async () => {
  await start()
  const { target_format_id, ...others } = request
  const { preview } = await harness.build({
    ...others,
    target_format_ids: [target_format_id, formatId('display_728x90_image')],
  })
  expect(preview?.previews.map(({ request_index }) => request_index)).toEqual([0, 1])
})

test('the previews commit with the build: when their store breaks there, nothing of it stays', async () => {
  let isBroken = true
  await start((own) => async (tx, previews, options) => {
    const expiresAt = await own.add(tx, previews, options)
    // As if the process died here: what was written in the transaction is undone.
    if (isBroken) throw new Error('the disk is gone')
    return expiresAt
  })
  const building = harness.build(request)
  await eventually(() => expect(harness.faults).toHaveLength(1))
  expect(await harness.storedAssets()).toBe(0)
  expect(await countOf('previews')).toBe(0)
  isBroken = false
  harness.clock.advance(1_000)
  const answer = await building
  expect(answer.preview?.previews).toHaveLength(1)
  expect(await harness.storedAssets()).toBe(1)
  expect(await countOf('previews')).toBe(1)
})

test('a preview that is refused does not fail the build, and its place says why', async () => {
  await start(() => async () => {
    throw new ProtocolError('QUOTA_EXCEEDED', 'you have too many previews')
  })
  const answer = await harness.build(request)
  expect(answer.preview).toBeUndefined()
  expect(answer.preview_error).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  expect(answer.creative_manifest).toBeDefined()
  expect(await harness.storedAssets()).toBe(1)
})

test('a preview that cannot be drawn says why as well', async () => {
  harness = await buildHarness({
    makePreviews: async () => {
      throw new ProtocolError('SERVICE_UNAVAILABLE', 'no previews today')
    },
  })
  const answer = await harness.build(request)
  expect(answer.preview_error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(answer.creative_manifest).toBeDefined()
})
