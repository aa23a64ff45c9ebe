import { afterEach, expect, test } from 'vitest'
import type { PreviewStore } from '../../../src/creative/preview-store.ts'
import {
  createMakePreviews,
  type MakePreviews,
} from '../../../src/creative/rendering/make-previews.ts'
import { ProtocolError } from '../../../src/protocol/errors.ts'
import { createPreviewStore } from '../../../src/storage/stores/creatives/previews.ts'
import { catalogue, inProcessWorkshop } from '../../support/creative.ts'
import { eventually } from '../../support/eventually.ts'
import { AGENT, type BuildHarness, buildHarness, formatId, seedRequest } from './build-harness.ts'

let harness: BuildHarness
afterEach(() => harness.close())

const request = seedRequest('display_300x250', { include_preview: true })

/** With the real previews, whose `add` may be another. */
async function start(add: (own: PreviewStore) => PreviewStore['add'] = ({ add }) => add) {
  let store: PreviewStore
  const makePreviews: MakePreviews = (wish) => {
    const previews = { add: add(store), refuseFull: store.refuseFull }
    const common = { catalogue: catalogue(), workshop: inProcessWorkshop(), onFault: () => {} }
    return createMakePreviews({ ...common, previews, publicUrl: () => AGENT })(wish)
  }
  harness = await buildHarness({ makePreviews })
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
  expect(await store.get(first?.preview_id ?? '')).toMatchObject({ state: 'live' })
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
  expect(await countOf('previews')).toBe(2)
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
