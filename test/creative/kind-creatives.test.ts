// Creatives that name a canonical kind instead of a format (spec 4.5, as 3.1 and 3.2 have it).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'

type Json = Record<string, unknown>

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
})
afterAll(() => app.stop())

let calls = 0
const task = async (name: string, body: Json): Promise<Json> => {
  const idempotency_key = `kind-creatives-0123456789-${++calls}`
  const answer = await call(`${app.url}/v3/${name}`, { key, body: { idempotency_key, ...body } })
  return answer.body
}
const image = { asset_type: 'image', url: 'https://a.example/a.png', width: 300, height: 250 }
const landing_page_url = { asset_type: 'url', url: 'https://a.example/' }
const byKind = (creative_id: string, over: Json = {}) => ({
  creative_id,
  name: creative_id,
  format_kind: 'image',
  assets: { image_main: image, landing_page_url },
  ...over,
})
const listed = async (proto_version: string, creative_id: string) => {
  const body = { proto_version, filters: { creative_ids: [creative_id] } }
  const [row] = (await task('list_creatives', body)).creatives as Json[]
  return row as Json
}

test('spec 4.5: a creative of a kind is kept under the format that its assets fit', async () => {
  const creatives = [byKind('by_kind')]
  expect(await task('sync_creatives', { proto_version: '3.2', creatives })).toMatchObject({
    creatives: [{ creative_id: 'by_kind', action: 'created', status: 'approved' }],
  })
  const newest = await listed('3.2', 'by_kind')
  expect(newest).toMatchObject({ format_kind: 'image', assets: { image_main: {} } })
  expect(newest).not.toHaveProperty('format_id')
  const older = await listed('3.1', 'by_kind')
  expect(older).toMatchObject({ format_id: { id: 'display_300x250_image' } })
  expect(older).not.toHaveProperty('format_kind')
})

test('spec 4.5: a manifest may say the kind, and aliases of slots are read', async () => {
  const manifest = {
    format_kind: 'image',
    assets: { hero_image: image, click_url: landing_page_url },
  }
  const creatives = [{ creative_id: 'in_manifest', creative_manifest: manifest }]
  expect(await task('sync_creatives', { proto_version: '3.1', creatives })).toMatchObject({
    creatives: [{ action: 'created' }],
  })
})

test('spec 4.5: a format_id wins over a kind beside it, and is returned alone', async () => {
  const format_id = { agent_url: app.url, id: 'display_300x250_image' }
  const creatives = [byKind('both', { format_id })]
  await task('sync_creatives', { proto_version: '3.2', creatives })
  const row = await listed('3.2', 'both')
  expect(row).toMatchObject({ format_id: { id: 'display_300x250_image' } })
  expect(row).not.toHaveProperty('format_kind')
})

test('spec 7.1: a kind whose formats the assets do not fit is refused by its place', async () => {
  const creatives = [byKind('odd', { format_kind: 'audio_daast' })]
  expect(await task('sync_creatives', { proto_version: '3.2', creatives })).toMatchObject({
    creatives: [
      {
        action: 'failed',
        errors: [{ code: 'FORMAT_NOT_SUPPORTED', field: 'creatives[0].format_kind' }],
      },
    ],
  })
})
