import { afterAll, beforeAll, expect, test } from 'vitest'
import { assetPath } from '../../../src/creative/assets/asset-store.ts'
import { createAssetStore } from '../../../src/storage/stores/creatives/assets.ts'
import { assetRoutes } from '../../../src/transports/http/asset-routes.ts'
import { type TestDatabase, testDatabase } from '../../support/databases.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { serveRoutes, type TestServer } from '../../support/test-agent.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const clock = fakeClock()
const faults: unknown[] = []
let opened: TestDatabase
let server: TestServer
let digest: string
const bytes = Buffer.from('89504e470d0a1a0a', 'hex')

beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
  const assets = createAssetStore(opened.database)
  const { transact } = opened.database
  digest = await transact((tx) => assets.put(tx, { bytes, media_type: 'image/png' }, 'prn_a'))
  server = await serveRoutes([
    assetRoutes({ assets, transact, clock, onFault: (error) => faults.push(error) }),
  ])
})
afterAll(async () => {
  await server.close()
  await opened.drop()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers })

test('spec 4.2: an asset is served with its type, for ever, and as nothing that runs', async () => {
  const answer = await get(assetPath(digest, 'image/png'))
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    etag: `"${digest}"`,
  })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
})

test('RFC 9110 §14: a player of a video gets the part that it requests', async () => {
  const path = assetPath(digest, 'image/png')
  const part = await get(path, { range: 'bytes=1-3' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1-3/8'])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(1, 4))
  const beyond = await get(path, { range: 'bytes=8-' })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */8'])
  const other = await get(path, { range: 'bytes=1-3', 'if-range': '"another"' })
  expect([other.status, other.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
})

test('who has it already is answered without it', async () => {
  const answer = await get(assetPath(digest, 'image/png'), { 'if-none-match': `"${digest}"` })
  expect([answer.status, await answer.text()]).toEqual([304, ''])
})

test.each([
  ['an unknown digest', () => `/assets/${'0'.repeat(64)}.png`],
  ['another type', () => `/assets/${digest}.jpg`],
  ['a type that is never kept', () => `/assets/${digest}.svg`],
  ['no type', () => `/assets/${digest}`],
  ['capital letters', () => `/assets/${digest.toUpperCase()}.png`],
  ['a folder above', () => '/assets/..%2f..%2fetc%2fpasswd'],
  ['a path after the name', () => `/assets/${digest}.png/x`],
  ['a zero byte', () => `/assets/${digest}.png%00`],
  ['a line feed', () => `/assets/${digest}.png%0a`],
])('%s is not found', async (_what, path) => {
  const answer = await get(path())
  expect(answer.status).toBe(404)
  expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable')
})

test('serving notes the use once a day, so that what is used is kept', async () => {
  const assets = createAssetStore(opened.database)
  const before = (await assets.get(digest))?.last_used_at
  clock.advance(DAY_MS)
  await get(assetPath(digest, 'image/png'))
  expect((await assets.get(digest))?.last_used_at).toBe(before)
  clock.advance(1)
  await get(assetPath(digest, 'image/png'))
  expect((await assets.get(digest))?.last_used_at).toBe(clock.now())
  expect(faults).toEqual([])
})
