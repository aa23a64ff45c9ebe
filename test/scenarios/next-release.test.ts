// What one more release costs: a file that says what it adds and renames. Its callers get that and all before it, and
// callers of the releases before it notice nothing (spec 9).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ErrorCode, ProtocolError } from '../../src/protocol/errors.ts'
import { newMember, newName } from '../../src/protocol/releases/features.ts'
import type { Release } from '../../src/protocol/releases/release.ts'
import { KNOWN_RELEASES } from '../../src/protocol/releases/releases.ts'
import { defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { withoutJudge } from '../support/answer-judge.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'
import { v3_3 } from '../support/next-release.ts'

type Json = Record<string, unknown>

let before: TestApp
let after: TestApp
const keys = new Map<TestApp, string>()

/** A task whose handler already speaks the new release. */
const listOffers = defineTask({
  name: 'list_offers',
  summary: 'Lists offers.',
  area: 'media-buy',
  access: 'public',
  changes: false,
  request: z.looseObject({ objective: z.string(), sold_out: z.boolean().optional() }),
  response: z.looseObject({}),
  cost: constantCost(10, 'nothing'),
  handle: async ({ objective, sold_out }) => {
    if (sold_out) throw new ProtocolError('PRODUCT_WITHDRAWN' as ErrorCode, 'sold out')
    return { offers: [{ title: objective, carbon_grams: 7 }] }
  },
})

const withOffers: Release = {
  ...v3_3,
  adds: {
    ...v3_3.adds,
    carbon: newMember(
      { task: 'list_offers', in: 'offers[]', name: 'carbon_grams' },
      'Offers have `carbon_grams`.',
    ),
  },
  renames: {
    ...v3_3.renames,
    titles_of_offers: newName(
      { task: 'list_offers', in: 'offers[]', from: 'name', to: 'title' },
      'The `name` of an offer is its `title`.',
    ),
    objectives: newName(
      { task: 'list_offers', from: 'brief', to: 'objective', reads: 'new' },
      'The `brief` of `list_offers` is its `objective`.',
    ),
  },
}

beforeAll(async () => {
  // No schema declares what the invented release adds.
  withoutJudge()
  const config = { console: false, signalsModel: false }
  const moreTasks = [listOffers]
  before = await startApp({ config, moreTasks })
  after = await startApp({ config, moreTasks, releases: [...KNOWN_RELEASES, withOffers] })
  for (const app of [before, after]) {
    keys.set(app, await app.principal())
    await app.storage.transact((tx) => app.storage.products.put(tx, [catalogueProduct()]))
  }
})
afterAll(() => Promise.all([before.stop(), after.stop()]))

async function ask(app: TestApp, task: string, body: Json) {
  const answer = await call(`${app.url}/v3/${task}`, { key: keys.get(app) ?? '', body })
  const text = JSON.stringify(answer.body)
    .replaceAll(app.url, 'http://server')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an-id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a-time')
  return { status: answer.status, body: JSON.parse(text) as Json }
}

const OLDER: Record<string, Json> = {
  'no version': {},
  'a major version': { proto_major_version: 3 },
  '3.0': { proto_version: '3.0' },
  '3.1': { proto_version: '3.1' },
  '3.2': { proto_version: '3.2' },
}

const flight = {
  start_time: new Date(Date.now() + DAY_MS).toISOString(),
  end_time: new Date(Date.now() + 9 * DAY_MS).toISOString(),
}
const CALLS: readonly [string, Json][] = [
  ['get_products', { brief: 'the homepage', promoted_offering: 'shoes' }],
  ['get_products', { brief: 'the homepage', buying_mode: 'brief' }],
  ['get_products', { objective: 'the homepage', title: 'x', buying_mode: 'wholesale' }],
  ['get_signals', { signal_spec: 'electric cars' }],
  ['list_creative_formats', { asset_types: ['image'], pagination: { max_results: 2 } }],
  ['get_media_buys', {}],
  [
    'create_media_buy',
    {
      ...flight,
      idempotency_key: 'next-release-0123456789',
      packages: [{ product_id: 'none', pricing_option_id: 'x', budget: 5, buyer_ref: 'a' }],
    },
  ],
  ['get_task_status', { task_id: 'none' }],
]

describe('spec 9: callers of the releases before do not notice a new one:', () => {
  test.each(Object.entries(OLDER))('%s', async (_who, version) => {
    for (const [task, request] of CALLS) {
      const body = { ...request, ...version }
      expect(await ask(after, task, body)).toEqual(await ask(before, task, body))
    }
    const of = async (app: TestApp) => (await ask(app, 'get_agent_capabilities', version)).body
    const { proto: was, ...others } = await of(before)
    const { proto: is, ...same } = await of(after)
    expect(same).toEqual(others)
    expect(is).toEqual({
      ...(was as Json),
      supported_versions: ['3.0', '3.1', '3.2', '3.3'],
      build_version: expect.stringMatching(/^3\.3\.0\+adwire\./),
    })
  })

  test('a handler that speaks the new release answers them in theirs', async () => {
    for (const version of Object.values(OLDER)) {
      const found = await ask(after, 'list_offers', { ...version, brief: 'shoes' })
      expect(found.body.offers).toEqual([{ name: 'shoes' }])
      const refused = await ask(after, 'list_offers', { ...version, brief: 'x', sold_out: true })
      expect(refused).toMatchObject({
        status: 404,
        body: { errors: [{ code: 'PRODUCT_NOT_FOUND', recovery: 'correctable' }] },
      })
      expect(JSON.stringify(refused.body)).not.toContain('PRODUCT_WITHDRAWN')
    }
  })
})

describe('spec 9: callers of the new release', () => {
  const NEW = { proto_version: '3.3' }

  test('get the new member, the new names and the new code', async () => {
    const found = await ask(after, 'get_products', {
      ...NEW,
      objective: 'the homepage',
      buying_mode: 'brief',
    })
    expect(found.body).toMatchObject({ proto_version: '3.3', product_count: 1 })
    const [product] = found.body.products as [Json]
    expect(product).toMatchObject({ title: catalogueProduct().name })
    expect(product).not.toHaveProperty('name')
    const refused = await ask(after, 'create_media_buy', { ...CALLS[6]?.[1], ...NEW })
    expect(refused).toMatchObject({
      status: 404,
      body: { errors: [{ code: 'PRODUCT_WITHDRAWN', recovery: 'correctable' }] },
    })
  })

  test('are answered as it is by a handler that speaks it', async () => {
    const found = await ask(after, 'list_offers', { ...NEW, objective: 'shoes' })
    expect(found.body.offers).toEqual([{ title: 'shoes', carbon_grams: 7 }])
    const refused = await ask(after, 'list_offers', { ...NEW, objective: 'x', sold_out: true })
    expect(refused).toMatchObject({
      status: 404,
      body: { errors: [{ code: 'PRODUCT_WITHDRAWN', recovery: 'correctable' }] },
    })
  })

  test('keep everything of 3.2', async () => {
    const of = async (release: string, task: string, request: Json) => {
      const { body } = await ask(after, task, { ...request, proto_version: release })
      return { ...body, proto_version: undefined }
    }
    for (const [task, request] of [['get_agent_capabilities', {}] as const, ...CALLS.slice(3, 6)]) {
      expect(await of('3.3', task, request)).toEqual(await of('3.2', task, request))
    }
    const { creative } = (await ask(after, 'get_agent_capabilities', NEW)).body
    expect(creative).toHaveProperty('supported_formats')
  })

  test('are answered by 3.2 where it is not served', async () => {
    const { body } = await ask(before, 'get_products', { ...NEW, buying_mode: 'wholesale' })
    expect(body.proto_version).toBe('3.2')
    expect(body).not.toHaveProperty('product_count')
  })
})
