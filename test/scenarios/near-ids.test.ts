// A buyer who misspells an id learns which one it probably meant, and nothing about the ids of others.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

type Json = Record<string, unknown>

let app: TestApp
let key: string
let stranger: string
beforeAll(async () => {
  app = await startApp()
  key = await app.principal()
  stranger = await app.principal()
  await app.storage.transact(async (tx) => {
    await app.storage.products.put(tx, [
      catalogueProduct({ product_id: 'news_homepage' }),
      catalogueProduct({ product_id: 'news_homepages', visible_to: ['prn_nobody'] }),
    ])
    const deployments = [
      { type: 'platform' as const, platform: 'the-trade-desk', is_live: false },
      { type: 'platform' as const, platform: 'trade-desk-two', is_live: false },
    ]
    await app.storage.signals.put(tx, [
      catalogueSignal({ signal_agent_segment_id: 'outdoor-runners', deployments }),
      catalogueSignal({
        signal_agent_segment_id: 'outdoor-runner',
        visibility: { principals: ['prn_nobody'] },
      }),
    ])
  })
})
afterAll(() => app.stop())

const task = async (name: string, body: Json, as = key) =>
  (await call(`${app.url}/v3/${name}`, { key: as, body })).body
const suggestionOf = ({ errors }: Json) => (errors as Json[])[0]?.suggestion
const purchase = (over: Json = {}): Json => ({
  start_time: new Date(Date.now() + DAY_MS).toISOString(),
  end_time: new Date(Date.now() + 5 * DAY_MS).toISOString(),
  packages: [{ product_id: 'news_homepage', budget: 1_000, pricing_option_id: 'cpm_usd', ...over }],
})

/** With another last letter. */
function misspelt(id: unknown): string {
  const text = String(id)
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
}

test('a product: only one that the buyer may see', async () => {
  const refused = await task('create_media_buy', purchase({ product_id: 'news_homepagse' }))
  expect(refused).toMatchObject({ errors: [{ code: 'PRODUCT_NOT_FOUND' }] })
  expect(suggestionOf(refused)).toBe(
    'Did you mean news_homepage? Use a product_id returned by get_products.',
  )
  const nothing = await task('create_media_buy', purchase({ product_id: 'weather_radio' }))
  expect(suggestionOf(nothing)).toBe('Use a product_id returned by get_products.')
})

test('a signal: only one that the caller may see', async () => {
  const deployments = [{ type: 'platform', platform: 'the-trade-desk' }]
  const of = (signal_agent_segment_id: string) =>
    task('activate_signal', { signal_agent_segment_id, deployments })
  expect(suggestionOf(await of('outdoor-runnerz'))).toBe(
    'Did you mean outdoor-runners? Use a signal_agent_segment_id returned by get_signals.',
  )
  // The hidden one is answered as any other that does not exist.
  expect(suggestionOf(await of('outdoor-runner'))).toBe(suggestionOf(await of('outdoor-runnerz')))
})

test('a platform: one of those on which the caller may have the signal', async () => {
  const refused = await task('activate_signal', {
    signal_agent_segment_id: 'outdoor-runners',
    deployments: [{ type: 'platform', platform: 'the-trade-dsk' }],
  })
  expect(refused).toMatchObject({ errors: [{ code: 'DEPLOYMENT_UNAUTHORIZED' }] })
  expect(suggestionOf(refused)).toContain('Did you mean the-trade-desk? Use a target')
})

test('a media buy and a package: only those of the buyer', async () => {
  const made = await task('create_media_buy', purchase())
  const near = misspelt(made.media_buy_id)
  const asked = (as: string) =>
    Promise.all([
      task('update_media_buy', { media_buy_id: near, paused: true }, as),
      task('get_media_buy_delivery', { media_buy_ids: [near] }, as),
      task('get_creative_delivery', { media_buy_ids: [near] }, as),
      task(
        'provide_performance_feedback',
        {
          media_buy_id: near,
          measurement_period: { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' },
          performance_index: 1,
        },
        as,
      ),
    ])
  const general = 'Use a media_buy_id returned by get_media_buys.'
  for (const refused of await asked(key)) {
    expect(suggestionOf(refused)).toBe(`Did you mean ${String(made.media_buy_id)}? ${general}`)
  }
  for (const refused of await asked(stranger)) expect(suggestionOf(refused)).toBe(general)

  const listed = await task('get_media_buys', { media_buy_ids: [near] })
  expect(listed.ext).toEqual({
    request_notes: [
      `/media_buy_ids/0: no media buy ${near} was found; did you mean ${String(made.media_buy_id)}?`,
    ],
  })
  const [bought] = made.packages as Json[]
  const { media_buy_id } = made
  const refused = await task('update_media_buy', {
    media_buy_id,
    packages: [{ package_id: misspelt(bought?.package_id), paused: true }],
  })
  expect(suggestionOf(refused)).toBe(
    `Did you mean ${String(bought?.package_id)}? Use a package_id returned by get_media_buys.`,
  )
})

test('an account: only one of the buyer', async () => {
  const wanted = { brand: { domain: 'acme.example' }, operator: 'agency.example' }
  const { accounts } = await task('sync_accounts', { accounts: [wanted] })
  const { account_id } = (accounts as Json[])[0] as Json
  const body = { ...purchase(), account: { account_id: misspelt(account_id) } }
  const general = 'Use an account returned by list_accounts.'
  expect(suggestionOf(await task('create_media_buy', body))).toBe(
    `Did you mean ${String(account_id)}? ${general}`,
  )
  expect(suggestionOf(await task('create_media_buy', body, stranger))).toBe(general)
})

test('a format: in an error, and in a note on a filter', async () => {
  const format = (id: string) => ({ agent_url: app.url, id })
  const refused = await task('build_creative', {
    target_format_id: format('display_300x250_imgae'),
    message: 'A sale',
  })
  expect(refused).toMatchObject({
    errors: [
      {
        message: expect.stringContaining('near it: display_300x250_image'),
        suggestion: 'Use a format_id returned by list_creative_formats.',
      },
    ],
  })
  const listed = await task('list_creative_formats', {
    format_ids: [format('display_300x250_imgae')],
  })
  expect(JSON.stringify(listed.ext)).toContain('did you mean display_300x250_image')
})

test('an error does not repeat its advice in the message', async () => {
  const refusals = await Promise.all([
    task('create_media_buy', purchase({ product_id: 'weather_radio' })),
    task('get_task_status', { task_id: 'no-such-task' }),
    task('build_creative', {
      target_format_id: { agent_url: app.url, id: 'no_such_format' },
      message: 'A sale',
    }),
    task('create_media_buy', { ...purchase(), packages: undefined, proposal_id: 'no-such' }),
  ])
  for (const { errors } of refusals) {
    const [{ message, suggestion } = {}] = errors as Json[]
    const advice = String(suggestion).replace(/\.$/, '')
    expect(String(message)).not.toContain(advice)
    expect(String(message)).not.toContain('returned by')
  }
})
