// Principals and the tenants of a sandbox against each other: none sees, changes or uses up what is another's.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servedTasks } from '../../src/app/served-tasks.ts'
import type { RateLimit } from '../../src/lib/token-bucket.ts'
import { SANDBOX_LIMITS } from '../../src/sandbox/limits.ts'
import { addPrefix, type TenantPorts, tenantOf } from '../../src/sandbox/tenants.ts'
import { A2A_METHODS } from '../../src/transports/a2a/methods.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import { ask } from '../support/console.ts'
import {
  idMembers,
  idProbes,
  type Owned,
  purchase,
  syncedCreative,
  VALID_REQUESTS,
} from '../support/foreign-ids.ts'
import { catalogueProduct } from '../support/media-buys.ts'
import { catalogueSignal, naiveSearch } from '../support/memory-signals.ts'

type Json = Record<string, unknown>

const UNKNOWN = 'no-such-id-0123456789'
const HOOK = 'http://127.0.0.1:9/hook'

/** Members that name nothing of a principal's: formats, brands, prices, ids that the caller itself makes up. */
const NOT_OWNED =
  /(?:^|[.\]])(?:(?:target_|output_|input_)?format_ids?|target_capability_ids?|brand_id|concept_ids?|placement_ids|pricing_option_id|format_option_id|subscriber_id|operation_id|opportunity_id|metric_id|transformer_id|refine_from_build_variant_id)$/
/** Pages of a list are tested apart. */
const CURSORS = ['pagination.cursor', 'cursor']
/** Tasks for operators' own calls of other agents, which take no stored id. */
const WITHOUT_ACCOUNT = ['call_proto_agent']

test('every id that a task takes is known to the tests below', async () => {
  const { tasks, close } = await servedTasks()
  const probed = new Set(
    idProbes({ buy: '', package: '' }).map(({ task, member }) => `${task} ${member}`),
  )
  const found: string[] = []
  const names: string[] = []
  for (const entry of tasks.entries) {
    if (entry.name !== entry.task.name) continue
    names.push(entry.name)
    for (const member of idMembers(entry)) {
      if (!CURSORS.includes(member) && !NOT_OWNED.test(member))
        found.push(`${entry.name} ${member}`)
    }
  }
  await close()
  expect(found.filter((one) => !probed.has(one))).toEqual([])
  expect([...probed].filter((one) => !found.includes(one))).toEqual([])
  expect(names.filter((name) => !WITHOUT_ACCOUNT.includes(name)).sort()).toEqual(
    Object.keys(VALID_REQUESTS).sort(),
  )
})

describe.each(['sqlite', 'postgres'] as const)('two principals [%s]', (store) => {
  let app: TestApp
  let alice: { principal_id: string; key: string }
  let bob: { principal_id: string; key: string }
  let owned: Owned
  let own: { buy: string; package: string; feed: string }
  let contextId: string

  beforeAll(async () => {
    app = await startApp({
      store,
      config: {
        demo: true,
        console: false,
        signalsAccounts: 'any',
        formatAgentUrls: ['*'],
        publicUrl: 'https://ads.example',
      },
      signalSearch: (storage) =>
        naiveSearch(async () =>
          (await storage().signals.page(undefined, 1_000)).map(({ signal }) => signal),
        ),
    })
    alice = await app.named('Alice')
    bob = await app.named('Bob')
    const { storage } = app
    await storage.transact(async (tx) => {
      await storage.products.put(tx, [
        catalogueProduct(),
        catalogueProduct({ product_id: 'alices-product', visible_to: [alice.principal_id] }),
      ])
      await storage.signals.put(tx, [
        catalogueSignal(),
        catalogueSignal({
          signal_agent_segment_id: 'alices-signal',
          visibility: { principals: ['Alice'] },
        }),
      ])
    })
    owned = await ownedRows()
    const bought = await done('create_media_buy', purchase(), bob.key)
    const { feed_version } = await done('list_products', { proto_version: '3.2' }, bob.key)
    own = {
      buy: String(bought.media_buy_id),
      package: packageOf(bought),
      feed: String(feed_version),
    }
    await done('sync_creatives', { creatives: [syncedCreative('bobs')] }, bob.key)
  })
  afterAll(() => app.stop())

  const task = (name: string, body: Json, key: string): Promise<Answer> =>
    call(`${app.url}/v3/${name}`, { key, body: { proto_version: '3.1', ...body } })
  const done = async (name: string, body: Json, key = alice.key): Promise<Json> => {
    const keyed = { idempotency_key: `tenants-${randomUUID()}`, ...body }
    const { status, body: answer, text } = await task(name, keyed, key)
    expect(status, `${name}: ${text}`).toBeLessThan(300)
    return answer
  }
  const packageOf = ({ packages }: Json) => (packages as { package_id: string }[])[0]!.package_id

  async function ownedRows(): Promise<Owned> {
    await done('sync_creatives', { creatives: [syncedCreative('alices-creative')] })
    const bought = await done(
      'create_media_buy',
      purchase({}, { creative_ids: ['alices-creative'] }),
    )
    const synced = await done('sync_accounts', {
      idempotency_key: 'accounts-of-alice-01',
      accounts: [{ brand: { domain: 'alice.example' }, operator: 'agency.example' }],
    })
    const offered = await done('get_products', { buying_mode: 'brief', brief: 'homepage banner' })
    const reported = await done('provide_performance_feedback', {
      media_buy_id: bought.media_buy_id,
      measurement_period: { start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' },
      performance_index: 1.5,
    })
    contextId = 'conversation-of-alice'
    const begun = await done('simulate_task', {
      duration_seconds: 3_600,
      outcome: 'input-required',
      context_id: contextId,
      push_notification_config: { url: HOOK, operation_id: 'op' },
    })
    return {
      task: String(begun.task_id),
      buy: String(bought.media_buy_id),
      package: packageOf(bought),
      creative: 'alices-creative',
      account: String((synced.accounts as Json[])[0]?.account_id),
      proposal: String((offered.proposals as Json[])[0]?.proposal_id),
      feedback: String(reported.feedback_id),
      product: 'alices-product',
      signal: 'alices-signal',
    }
  }

  /** What an answer says, whichever id was named and whenever it was given. */
  function said({ status, text }: Answer, id: string): Json {
    const same = text
      .replaceAll(id, 'THE-ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'THE-TIME')
      .replaceAll(/\b(?:mb|pk|pkg|task|prv|prop|ctx)_[\w-]{8,}/g, 'A-NEW-ID')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'A-UUID')
      .replaceAll(/foreign-ids-[\w-]+/g, 'THE-KEY')
    return { status, body: JSON.parse(same) as unknown }
  }

  const state = async () => {
    const answers = await Promise.all([
      task('get_task_status', { task_id: owned.task, include_history: true }, alice.key),
      task('get_media_buys', {}, alice.key),
      task('list_creatives', { include_assignments: true }, alice.key),
      task('list_accounts', {}, alice.key),
    ])
    return answers.map((answer) => {
      const { body } = answer
      return { ...body, timestamp: undefined }
    })
  }

  test('another’s id is answered like one that does not exist, and changes nothing', async () => {
    const before = await state()
    const differing: unknown[] = []
    for (const { task: name, member, names, request } of idProbes(own)) {
      const theirs = await task(name, request(owned[names]), bob.key)
      const none = await task(name, request(UNKNOWN), bob.key)
      const [one, other] = [said(theirs, owned[names]), said(none, UNKNOWN)]
      if (JSON.stringify(one) !== JSON.stringify(other)) {
        differing.push({ name, member, one, other })
      }
      // A request that fails before anything is looked up would prove nothing.
      expect(JSON.stringify(one), `${name} ${member}`).not.toContain('INVALID_REQUEST')
    }
    expect(differing).toEqual([])
    expect(await state()).toEqual(before)
  })

  test('the same ids in their owner’s hands are answered otherwise', async () => {
    // Else the test above would compare refusals that have nothing to do with ids.
    const read =
      /^(?:get_task_status|get_media_buys|list_tasks|get_signals|list_creatives filters.creative_ids)/
    for (const { task: name, member, names, request } of idProbes(own)) {
      if (!read.test(`${name} ${member}`)) continue
      const answers = [owned[names], UNKNOWN].map(async (id) =>
        said(await task(name, request(id), alice.key), id),
      )
      const [theirs, none] = await Promise.all(answers)
      expect(theirs, `${name} ${member}`).not.toEqual(none)
    }
  })

  test('another’s account is answered like one that does not exist, by every task', async () => {
    const differing: unknown[] = []
    for (const [name, request] of Object.entries(VALID_REQUESTS)) {
      const answers: Json[] = []
      for (const account_id of [owned.account, 'acc_no_such_account']) {
        const answer = await task(name, { ...request(), account: { account_id } }, bob.key)
        answers.push(said(answer, account_id))
      }
      if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) differing.push(name, answers)
    }
    expect(differing).toEqual([])
  })

  test('another’s cursor shows nothing of theirs', async () => {
    for (const creative_id of ['more-1', 'more-2', 'more-3']) {
      await done('sync_creatives', { creatives: [syncedCreative(creative_id)] })
    }
    await done('create_media_buy', purchase())
    for (const name of ['list_creatives', 'get_media_buys', 'list_tasks', 'list_accounts']) {
      const page = { pagination: { max_results: 1 } }
      const first = await done(name, page)
      const cursor = (first.pagination as Json | undefined)?.cursor
      if (cursor === undefined) continue
      const { text } = await task(name, { pagination: { max_results: 50, cursor } }, bob.key)
      expect(text, name).not.toMatch(/alices-creative|more-\d|alice\.example/)
      expect(text, name).not.toContain(owned.buy)
      expect(text, name).not.toContain(owned.task)
    }
  })

  test('one key used by two callers identifies two calls', async () => {
    const body = { idempotency_key: 'the-same-key-of-both', ...syncedBy('alice-only') }
    const first = await done('sync_creatives', body)
    const second = await done('sync_creatives', { ...body, ...syncedBy('bob-only') }, bob.key)
    expect(second.replayed).not.toBe(true)
    expect(JSON.stringify(second)).not.toContain('alice-only')
    expect(JSON.stringify(first)).not.toContain('bob-only')
    const again = await done('sync_creatives', body)
    expect(JSON.stringify(again)).toContain('alice-only')
  })
  const syncedBy = (creative_id: string) => ({ creatives: [syncedCreative(creative_id)] })

  test('A2A: another’s task is not there for any method, nor its registrations', async () => {
    const rpc = async (method: string, params: Json, key: string) =>
      call(`${app.url}/a2a`, { key, body: { jsonrpc: '2.0', id: 1, method, params } })
    const message = {
      kind: 'message',
      role: 'user',
      messageId: 'm-1',
      parts: [
        {
          kind: 'data',
          data: { skill: 'simulate_task', parameters: { duration_seconds: 3_600 } },
        },
      ],
    }
    const configuration = {
      blocking: false,
      pushNotificationConfig: { id: 'cfg', url: HOOK, token: 'a-token-of-alice-0123' },
    }
    const sent = await rpc('message/send', { message, configuration }, alice.key)
    const { id, contextId: conversation } = sent.body.result as Json
    expect(typeof id).toBe('string')
    const differing: unknown[] = []
    const asks = (taskId: string, context: string): Json => ({
      id: taskId,
      taskId,
      url: HOOK,
      pushNotificationConfigId: 'cfg',
      pushNotificationConfig: { id: 'cfg', url: HOOK },
      message: { ...message, messageId: 'm-2', taskId, contextId: context },
    })
    for (const method of A2A_METHODS) {
      const theirs = await rpc(method, asks(String(id), String(conversation)), bob.key)
      const none = await rpc(method, asks(UNKNOWN, String(conversation)), bob.key)
      const [one, other] = [said(theirs, String(id)), said(none, UNKNOWN)]
      if (JSON.stringify(one) !== JSON.stringify(other)) differing.push({ method, one, other })
    }
    expect(differing).toEqual([])
    const kept = await rpc('tasks/get', { id }, alice.key)
    expect((kept.body.result as Json).status).toMatchObject({ state: 'working' })
    const configs = await rpc('tasks/pushNotificationConfig/list', { id }, alice.key)
    expect(configs.body.result).toHaveLength(1)
  })

  test('previews are found by their own id and by no neighbour of it', async () => {
    const returned = await done('preview_creative', VALID_REQUESTS.preview_creative!())
    const [first] = returned.previews as { renders: { preview_url: string }[] }[]
    const url = new URL(first!.renders[0]!.preview_url)
    const { pathname } = url
    const at = pathname.search(/[A-Za-z0-9_-]{12,}/)
    expect(at).toBeGreaterThan(0)
    const changed = pathname.replace(/[A-Za-z0-9_-]{12,}/, (id) =>
      id.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    )
    expect((await call(`${app.url}${pathname}`)).status).toBe(200)
    expect((await call(`${app.url}${changed}`)).status).toBe(404)
  })
})

describe.each(['sqlite', 'postgres'] as const)('tenants of a sandbox [%s]', (store) => {
  const PREFIX = 'grader-of-acme-'
  const SANDBOX_ACCOUNT = {
    brand: { domain: 'acme.example' },
    operator: 'agency.example',
    sandbox: true,
  }
  let app: TestApp
  let tenants = 0

  beforeAll(async () => {
    app = await startApp({
      store,
      config: { sandbox: true, signalsModel: false, trustProxy: ['127.0.0.1'] },
    })
    const { transact, sandboxNotes: notes } = app.storage
    await addPrefix({ transact, notes }, { prefix: PREFIX, name: 'Acme' })
  })
  afterAll(() => app.stop())

  const newTenant = () => `${PREFIX}${++tenants}`
  const post = (task: string, body: Json, key: string, from = '198.51.100.7') =>
    call(`${app.url}/v3/${task}`, {
      key,
      body: { proto_version: '3.0', ...body },
      headers: { 'x-forwarded-for': from },
    })
  const force = async (scenario: string, params: Json, key: string): Promise<Json> =>
    (await post('comply_test_controller', { scenario, params, account: SANDBOX_ACCOUNT }, key)).body

  /** Scenarios that name something of the caller's, with the id in its place. */
  const FORCED: Readonly<Record<string, readonly [string, (id: string) => Json]>> = {
    force_creative_status: ['creative', (id) => ({ creative_id: id, status: 'rejected' })],
    force_creative_purge: ['creative', (id) => ({ creative_id: id, purge_kind: 'hard' })],
    force_account_status: ['account', (id) => ({ account_id: id, status: 'closed' })],
    force_media_buy_status: ['buy', (id) => ({ media_buy_id: id, status: 'canceled' })],
    force_task_completion: ['task', (id) => ({ task_id: id, result: {} })],
    simulate_delivery: ['buy', (id) => ({ media_buy_id: id, impressions: 5 })],
    simulate_budget_spend: ['buy', (id) => ({ media_buy_id: id, spend_percentage: 50 })],
  }
  /** Scenarios that make something under an id of the caller's choice, or name nothing. */
  const NAMES_NOTHING =
    /^(?:seed_|force_(?:create_media_buy|get_products|get_signals)_arm$|query_upstream_traffic$)/

  async function seeded(key: string, mark: string) {
    const ids = {
      creative: `cr-${mark}`,
      account: `acc-${mark}`,
      buy: `mb-${mark}`,
      task: `tk-${mark}`,
    }
    for (const [scenario, params] of [
      ['seed_creative', { creative_id: ids.creative, fixture: {} }],
      ['seed_account', { account_id: ids.account, fixture: {} }],
      ['seed_media_buy', { media_buy_id: ids.buy, fixture: {} }],
      ['force_get_products_arm', { arm: 'submitted', task_id: ids.task }],
    ] as const) {
      expect(await force(scenario, params, key), scenario).toMatchObject({ success: true })
    }
    const begun = await post('get_products', { buying_mode: 'wholesale' }, key)
    expect(begun.body).toMatchObject({ status: 'submitted', task_id: ids.task })
    return ids
  }
  const ownedBy = async (key: string, { task }: { task: string }) => {
    const answers = await Promise.all([
      post('get_media_buys', {}, key),
      post('list_creatives', {}, key),
      post('list_accounts', {}, key),
      post('get_task_status', { task_id: task, include_history: true }, key),
    ])
    return answers.map(({ body }) => ({ ...body, timestamp: undefined }))
  }

  test('no scenario reaches what is another tenant’s, nor says that it exists', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    const { scenarios } = await force('list_scenarios', {}, alice)
    const named = (scenarios as string[]).filter((name) => !NAMES_NOTHING.test(name))
    expect(named.sort()).toEqual(Object.keys(FORCED).sort())
    const ids = await seeded(alice, 'alice')
    const before = await ownedBy(alice, ids)
    for (const [scenario, [kind, params]] of Object.entries(FORCED)) {
      const id = ids[kind as keyof typeof ids]
      const theirs = await force(scenario, params(id), bob)
      const none = await force(scenario, params(UNKNOWN), bob)
      expect(theirs, scenario).toMatchObject({ success: false, error: 'NOT_FOUND' })
      const same = (answer: Json, named: string) =>
        JSON.stringify({ ...answer, timestamp: undefined }).replaceAll(named, 'THE-ID')
      expect(same(theirs, id)).toBe(same(none, UNKNOWN))
    }
    expect(await ownedBy(alice, ids)).toEqual(before)
  })

  test('an id that another tenant chose before is refused, and theirs stays as it is', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    const ids = await seeded(alice, 'chosen')
    const before = await ownedBy(alice, ids)
    const buy = { media_buy_id: ids.buy, fixture: { status: 'canceled' } }
    expect(await force('seed_media_buy', buy, bob)).toMatchObject({ error: 'INVALID_PARAMS' })
    const account = { account_id: ids.account, fixture: { status: 'closed' } }
    expect(await force('seed_account', account, bob)).toMatchObject({ error: 'INVALID_PARAMS' })
    await force('force_get_products_arm', { arm: 'submitted', task_id: ids.task }, bob)
    const begun = await post('get_products', { buying_mode: 'wholesale' }, bob)
    expect(begun.status).toBe(409)
    // Creatives are named by each owner for itself.
    const creative = { creative_id: ids.creative, fixture: { name: 'Of Bob' } }
    expect(await force('seed_creative', creative, bob)).toMatchObject({ success: true })
    expect(await ownedBy(alice, ids)).toEqual(before)
  })

  test('a forced answer is for the next call of its own tenant alone', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    await force('force_get_products_arm', { arm: 'rejected', reason: 'forced' }, alice)
    expect((await post('get_products', { buying_mode: 'wholesale' }, bob)).status).toBe(200)
    expect((await post('get_products', { buying_mode: 'wholesale' }, alice)).text).toContain(
      'forced',
    )
  })

  test('of two formats with one id each tenant has its own', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    const slot = (asset_id: string) => ({
      assets: [{ asset_id, asset_type: 'text', required: true }],
    })
    const format_id = 'format_of_both'
    await force('seed_creative_format', { format_id, fixture: slot('of_alice') }, alice)
    await force('seed_creative_format', { format_id, fixture: slot('of_bob') }, bob)
    const faults = async (key: string) => {
      const manifest = { format_id: { agent_url: app.url, id: format_id }, assets: {} }
      return (await post('validate_input', { proto_version: '3.1', manifest }, key)).text
    }
    expect(await faults(alice)).toContain('of_alice')
    expect(await faults(bob)).toContain('of_bob')
    expect(await faults(bob)).not.toContain('of_alice')
  })

  test('a tenant hides no product of the sandbox, and changes none that it may not buy', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    const shared = { product_id: 'of_everybody', fixture: { name: 'Of everybody' } }
    expect(await force('seed_product', shared, alice)).toMatchObject({ success: true })
    const hidden = { product_id: 'of_everybody', fixture: { visible_to: ['nobody'] } }
    await force('seed_product', hidden, bob)
    const listed = await post('get_products', { buying_mode: 'wholesale' }, alice)
    expect(listed.text).toContain('of_everybody')
    const principals = await app.storage.principals.list()
    const visible_to = [
      principals.find(({ name }) => name.endsWith(` ${alice.slice(PREFIX.length)}`))!.principal_id,
    ]
    await force('seed_product', { product_id: 'of_alice', fixture: { visible_to } }, alice)
    const taken = { product_id: 'of_alice', fixture: { name: 'Of Bob' } }
    expect(await force('seed_product', taken, bob)).toMatchObject({ error: 'INVALID_PARAMS' })
    const option = {
      pricing_option_id: 'free',
      fixture: { pricing_model: 'cpm', currency: 'USD', fixed_price: 0.01 },
    }
    const theirs = await force('seed_pricing_option', { product_id: 'of_alice', ...option }, bob)
    const none = await force('seed_pricing_option', { product_id: 'of_nobody', ...option }, bob)
    expect(theirs).toMatchObject({ error: 'NOT_FOUND' })
    expect(JSON.stringify(theirs).replaceAll('of_alice', 'of_nobody')).toBe(JSON.stringify(none))
  })

  test('seeds of one tenant have an end, and those of another do not count', async () => {
    const [alice, bob] = [newTenant(), newTenant()]
    const big = (n: number) => ({
      format_id: `big_${n}`,
      fixture: { name: 'x', unused: 'x'.repeat(250_000) },
    })
    let refused: Json | undefined
    for (let n = 0; n < 20 && !refused; n++) {
      const answer = await force('seed_creative_format', big(n), alice)
      if (answer.success !== true) refused = answer
    }
    expect(refused).toMatchObject({ success: false, error: 'INVALID_PARAMS' })
    expect(String(refused?.error_detail)).toContain(String(SANDBOX_LIMITS.seedBytes.value))
    expect(await force('seed_creative_format', big(1), bob)).toMatchObject({ success: true })
    // The same again is not new.
    expect(await force('seed_creative_format', big(0), alice)).toMatchObject({
      message: 'existing',
    })
  })

  test('recorded calls of one tenant push out none of another’s', async () => {
    const { transact, sandboxNotes: notes } = app.storage
    const put = (owner: string, name: string) =>
      transact(async (tx) => {
        await notes.put(tx, { owner, kind: 'call', name }, {})
        await notes.trim(tx, { owner, kind: 'call' }, 2)
      })
    await put('quiet', 'first')
    for (let n = 0; n < 10; n++) await put('busy', `call-${n}`)
    expect(await notes.list('call', { owner: 'quiet', limit: 10 })).toHaveLength(1)
  })

  test('one address creates a limited number of tenants; known keys and other addresses continue', async () => {
    const from = '203.0.113.9'
    const make = (n: number, address: string) =>
      post('list_accounts', {}, `${PREFIX}flood-${n}`, address)
    let made = 0
    let refused = await make(made, from)
    while (refused.status === 200 && made < 200) refused = await make(++made, from)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('new keys')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Refilled by the second while the test ran.
    expect(made).toBeLessThan(SANDBOX_LIMITS.newTenants.value * 3)
    expect((await make(0, from)).status).toBe(200)
    expect((await make(1_000, '203.0.113.10')).status).toBe(200)
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/hook',
    'http://192.168.1.1:8080/hook',
    'http://[fd00::1]/hook',
    'http://[::ffff:10.0.0.1]/hook',
    'http://0x0a000001/hook',
    'http://167772161/hook',
    'http://0.0.0.0/hook',
    'file:///etc/passwd',
  ])('a tenant has no webhook sent to %s', async (url) => {
    const key = newTenant()
    await force('seed_product', { product_id: 'bought', fixture: {} }, key)
    const start = Date.now() + 86_400_000
    const buying = await post(
      'create_media_buy',
      {
        idempotency_key: `ssrf-${randomUUID()}`,
        account: SANDBOX_ACCOUNT,
        start_time: new Date(start).toISOString(),
        end_time: new Date(start + 86_400_000).toISOString(),
        packages: [{ product_id: 'bought', pricing_option_id: 'sandbox_default', budget: 1_000 }],
        push_notification_config: { url, operation_id: 'op' },
      },
      key,
    )
    expect(buying.status, buying.text).toBeGreaterThanOrEqual(400)
    expect(buying.status).toBeLessThan(500)
    expect(buying.text).toContain('push_notification_config')
    expect((await post('get_media_buys', {}, key)).body.media_buys).toEqual([])
  })

  test('a tenant’s key opens no console, nor any of its routes', async () => {
    const key = newTenant()
    expect((await post('list_accounts', {}, key)).status).toBe(200)
    const session = await ask(`${app.url}/console/api/session`, { method: 'POST', body: { key } })
    expect([401, 403]).toContain(session.status)
    const authorization = `Bearer ${key}`
    for (const path of ['principals', 'webhooks', 'settings', 'audit']) {
      const { status } = await ask(`${app.url}/console/api/${path}`, { headers: { authorization } })
      expect([401, 403, 404], path).toContain(status)
    }
  })
})

test('a full sandbox says so to new keys, creates no tenant, and knows the old ones', async () => {
  const known = { principal_id: 'prn_known', is_sandbox: true }
  const always: RateLimit = { take: () => ({ ok: true }) }
  const ports = {
    transact: () => Promise.reject(new Error('nothing may be created')),
    notes: { list: async () => [{ name: 'grader-', value: { name: 'Grader' } }] },
    principals: {
      byKeyHash: async () => undefined,
      list: async () => Array.from({ length: SANDBOX_LIMITS.tenants.value }, () => known),
    },
    newTenants: always,
  } as unknown as TenantPorts
  const refused = await tenantOf(ports, 'grader-new-key', '203.0.113.1')
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const principals = { ...ports.principals, byKeyHash: async () => known as never }
  expect(await tenantOf({ ...ports, principals }, 'grader-old-key', '203.0.113.1')).toBe(known)
})
