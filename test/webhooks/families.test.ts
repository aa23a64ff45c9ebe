// The webhooks that report no task, from the sender to the receiver (spec 6.4): both ends on databases of their own,
// real signatures, real HTTP.

import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FAMILY_BODIES } from '../../src/protocol/schemas/webhook-families.ts'
import type { WebhookFamily } from '../../src/protocol/webhook-family.ts'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { createReplayStore } from '../../src/storage/stores/nonces/replay.ts'
import { createChannelStore } from '../../src/storage/stores/outbox/channels.ts'
import { createOutboxOperations } from '../../src/storage/stores/outbox/operations.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { nodeHandler } from '../../src/webhooks/receiver/adapters/node.ts'
import type { WebhookMessage } from '../../src/webhooks/receiver/message.ts'
import { createReceiver } from '../../src/webhooks/receiver/receiver.ts'
import type { Route } from '../../src/webhooks/receiver/routes.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import { MAX_NOTIFICATION_BYTES, subjectOfFamily } from '../../src/webhooks/sender/notify.ts'
import { createSender } from '../../src/webhooks/sender/sender.ts'
import { listen, loopbackEgress } from '../lib/safe-fetch/loopback.ts'
import { testDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { sellerSite } from '../support/seller-site.ts'
import { BOX, PAIR, SIGNER } from '../support/sender.ts'

const AT = '2026-01-01T00:00:00Z'
const BODIES: Record<WebhookFamily, Record<string, unknown>> = {
  collection_list_changed: {
    list_id: 'c1',
    list_name: 'News',
    resolved_at: AT,
    cache_valid_until: AT,
    change_summary: { collections_added: 2, collections_removed: 0, total_collections: 9 },
  },
  property_list_changed: {
    list_id: 'p1',
    resolved_at: AT,
    ext: { note: 'x' },
    change_summary: { properties_added: 1, properties_removed: 3, total_properties: 7 },
  },
  artifact: {
    media_buy_id: 'mb1',
    batch_id: 'b1',
    timestamp: AT,
    artifacts: [{ artifact: { url: 'https://a.example' }, delivered_at: AT, package_id: 'pk1' }],
    pagination: { total_artifacts: 1, batch_number: 1, total_batches: 1 },
  },
  revocation: {
    rights_id: 'r1',
    brand_id: 'acme',
    reason: 'the licence has ended',
    effective_at: AT,
    revoked_uses: ['display'],
  },
}
const FAMILIES = Object.keys(BODIES) as WebhookFamily[]
const OWNER = 'alice'
const TOKEN = 'a-token-of-the-buyer'
const SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee01'

/** A seller that sends, and a buyer that receives. */
async function house(route: Omit<Route, 'name'>, config: object = {}) {
  const site = await sellerSite()
  site.publish([PAIR.publicJwk])
  const [seller, buyer] = await Promise.all([testDatabase('sqlite'), testDatabase('sqlite')])
  onTestFinished(seller.drop)
  onTestFinished(buyer.drop)
  const applied: WebhookMessage[] = []
  const inbox = createInboxStore(buyer.database)
  const egress = loopbackEgress()
  const receiver = createReceiver({
    transact: buyer.database.transact,
    onWake: buyer.database.onWake,
    inbox,
    egress,
    routes: [{ name: 'acme', ...route } as Route],
    sellers: [{ agentUrl: site.agentUrl }],
    replay: createReplayStore(buyer.database),
    handle: (message) => applied.push(message),
    onFault: () => {},
  })
  receiver.start()
  onTestFinished(() => receiver.stop(0))
  /** Answers that do not arrive: what they acknowledged is sent again. */
  const lost = { count: 0 }
  const baseUrl = () => server.url('').replace(/\/$/, '')
  const server = await listen(
    createServer((request, response) => {
      if (lost.count-- > 0) response.end = () => response.destroy()
      return nodeHandler(receiver, { baseUrl: baseUrl() })(request, response)
    }),
    'http',
  )
  const { transact, onWake } = seller.database
  const sender = createSender({
    transact,
    onWake,
    box: BOX,
    egress,
    onFault: () => {},
    channels: createChannelStore(seller.database),
    outbox: createOutboxStore(seller.database, { moveCircuit }),
    signer: async () => SIGNER,
  })
  sender.start()
  onTestFinished(() => sender.stop(0))
  for (const family of FAMILIES) {
    const subject = subjectOfFamily(family)
    const wanted = { owner: OWNER, subject, name: 'push', form: 'mcp' } as const
    const url = server.url('/hooks/acme')
    const checked = sender.check({ ...wanted, config: { url, ...config } })
    if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
    await transact((tx) => sender.register(tx, checked.channel))
  }
  const notify = (family: WebhookFamily, body: object, owner = OWNER) =>
    transact((tx) => sender.notify(tx, { owner, family, body }))
  const deliveries = () => createOutboxOperations(seller.database).list({})
  return { applied, lost, notify, deliveries, site }
}

test('spec 6.4: every family is sent, verified, stored and applied once, though its answer is lost', async () => {
  const { applied, lost, notify, deliveries, site } = await house({ mode: 'rfc9421' })
  lost.count = 1
  for (const family of FAMILIES) {
    expect(await notify(family, BODIES[family])).toEqual({ ok: true, deliveries: 1 })
  }
  await eventually(async () => {
    expect((await deliveries()).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
    expect(applied).toHaveLength(4)
  })
  const sent = await deliveries()
  expect(sent.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(5)
  for (const family of FAMILIES) {
    const [message] = applied.filter((one) => one.family === family)
    const delivery = sent.find((one) => one.notification_type === family)
    expect(message).toMatchObject({ sender: site.agentUrl, payload: BODIES[family] })
    expect(message?.idempotency_key).toBe(delivery?.idempotency_key)
    expect(FAMILY_BODIES[family].safeParse(message?.payload).success).toBe(true)
  }
  const changed = applied.find(({ family }) => family === 'collection_list_changed')
  expect(changed?.payload).toMatchObject({ event: 'collection_list_changed', signature: 'rfc9421' })
})

describe.each([
  ['signed', { mode: 'rfc9421' }, {}],
  [
    'HMAC-SHA256',
    { mode: 'HMAC-SHA256', secret: SECRET },
    { authentication: { schemes: ['HMAC-SHA256'], credentials: SECRET } },
  ],
] as const)('on a channel that is %s', (_name, route, config) => {
  test('spec 2.9: the token of the registration comes along where the body has no place for it', async () => {
    const { applied, notify } = await house({ ...route, token: TOKEN }, { ...config, token: TOKEN })
    await notify('property_list_changed', BODIES.property_list_changed)
    await eventually(() => expect(applied).toHaveLength(1))
    expect(JSON.stringify(applied[0]?.payload)).not.toContain(TOKEN)
  })
})

describe('what cannot be reported', () => {
  test('spec 6.4: is named with all its faults, and nothing is sent', async () => {
    const { notify, deliveries } = await house({ mode: 'rfc9421' })
    const pointers = async (family: WebhookFamily, body: object) => {
      const reported = await notify(family, body)
      return reported.ok ? 'sent' : reported.issues.map(({ pointer }) => pointer).sort()
    }
    expect(await pointers('collection_list_changed', {})).toEqual(['/list_id', '/resolved_at'])
    const { collection_list_changed: list, artifact, revocation } = BODIES
    // Changes of lists are closed objects, and of one event.
    expect(await pointers('collection_list_changed', { ...list, more: 1 })).toEqual(['/more'])
    const wrongEvent = { ...list, event: 'property_list_changed' }
    expect(await pointers('collection_list_changed', wrongEvent)).toEqual(['/event'])
    expect(await pointers('artifact', { ...artifact, artifacts: [{}] })).toEqual([
      '/artifacts/0/artifact',
      '/artifacts/0/delivered_at',
    ])
    expect(await pointers('revocation', { ...revocation, revoked_uses: [] })).toEqual([
      '/revoked_uses',
    ])
    const key = { idempotency_key: 'a-key-of-the-caller' }
    expect(await pointers('revocation', { ...revocation, ...key })).toEqual(['/idempotency_key'])
    const reason = { ext: { text: 'x'.repeat(MAX_NOTIFICATION_BYTES) } }
    expect(await pointers('revocation', { ...revocation, ...reason })).toEqual([''])
    expect(await pointers('revocation', [])).not.toBe('sent')
    expect(await deliveries()).toEqual([])
    // The two others are open.
    expect(await pointers('revocation', { ...revocation, more: 1 })).toBe('sent')
  })

  test('only the owner’s channels are notified', async () => {
    const { notify: report } = await house({ mode: 'rfc9421' })
    expect(await report('revocation', BODIES.revocation, 'bob')).toEqual({
      ok: true,
      deliveries: 0,
    })
  })
})
