// What one principal's webhooks, or one seller's keys, can do to another's: nothing.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { localSigner } from '../../src/signing/local-signer.ts'
import { webhookProfile } from '../../src/signing/profile.ts'
import { signMessage } from '../../src/signing/sign.ts'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { createReplayStore } from '../../src/storage/stores/nonces/replay.ts'
import { createReceiver } from '../../src/webhooks/receiver/receiver.ts'
import { loopbackEgress } from '../lib/safe-fetch/loopback.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { testDatabase } from '../support/databases.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { keyPair, sellerSite } from '../support/seller-site.ts'
import { envelope, NAMES } from '../webhooks/receiver/receive-harness.ts'

describe('webhooks of two principals', () => {
  let app: TestApp
  let dns: DnsServer
  let receiver: Server
  let port: number
  let alice: string
  let bob: string
  const received: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(request.url ?? '')
      request.resume()
      response.writeHead(isFailing(request) ? 500 : 200).end()
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    port = (receiver.address() as AddressInfo).port
    // Silent about every name but one.
    dns = await startDnsServer((name) => (name === 'healthy.example' ? ['127.0.0.1'] : undefined))
    app = await startApp({ config: { demo: true, console: false, dnsServers: [dns.address] } })
    alice = await app.principal()
    bob = await app.principal()
  })
  afterAll(async () => {
    await app.stop()
    await dns.close()
    receiver.close()
    receiver.closeAllConnections()
  })

  const isFailing = ({ url }: IncomingMessage) => url?.includes('tenant=alice') ?? false
  const simulate = (key: string, url: string) =>
    call(`${app.url}/v3/simulate_task`, {
      key,
      body: {
        duration_seconds: 0,
        steps: 1,
        push_notification_config: { url, operation_id: 'op' },
      },
    })
  const receivedAt = (part: string) => received.filter((url) => url.includes(part)).length
  const rows = <Row>(sql: string) => app.storage.database.read.all<Row>(sql)

  test('spec 6.4: six failures of one do not hold the other’s at the same host and path', async () => {
    for (let n = 0; n < 6; n++) {
      const { status } = await simulate(alice, `http://127.0.0.1:${port}/hook?tenant=alice&n=${n}`)
      expect(status).toBe(202)
    }
    await eventually(async () => expect((await app.storage.outbox.stats()).openCircuits).toBe(1))
    await simulate(bob, `http://127.0.0.1:${port}/hook?tenant=bob`)
    await eventually(() => expect(receivedAt('tenant=bob')).toBe(2))
    const held = await app.storage.outboxOperations.list({ state: 'held' })
    expect(new Set(held.map(({ url }) => url))).toEqual(new Set([`http://127.0.0.1:${port}/hook`]))
    expect(new Set(held.map(({ owner }) => owner)).size).toBe(1)
    expect((await app.storage.outbox.stats()).openCircuits).toBe(1)
  })

  test('spec 6.4: forty hooks of one to names that never resolve do not keep the other’s waiting', async () => {
    for (let n = 0; n < 40; n++) {
      await simulate(alice, `http://never-${n}.example:${port}/never`)
    }
    await eventually(() => expect(requested('never-').size).toBeGreaterThanOrEqual(16))
    await simulate(bob, `http://healthy.example:${port}/named`)
    await simulate(bob, `http://127.0.0.1:${port}/literal`)
    await eventually(() => {
      expect(receivedAt('/named')).toBe(2)
      expect(receivedAt('/literal')).toBe(2)
    })
    const circuits = await rows<{ lane: string }>('SELECT lane FROM webhook_circuits')
    expect(circuits.filter(({ lane }) => lane.includes('healthy'))).toEqual([])
    // A host that received no request has not failed: it has no record.
    const failed = await rows<{ url: string }>(
      "SELECT url FROM webhook_attempts WHERE status = 'timeout' AND url LIKE '%/never'",
    )
    for (const { url } of failed) expect(requested('never-')).toContain(new URL(url).hostname)
  })

  const requested = (beginning: string) =>
    new Set(dns.requested.map(({ name }) => name).filter((name) => name.startsWith(beginning)))
})

describe('webhooks of two sellers', () => {
  const profile = webhookProfile({ tag: NAMES.webhookTag, keyUse: NAMES.keyUse })

  /** A receiver that trusts both, with one route for all, and few places for nonces. */
  async function receiving(store: 'sqlite' | 'postgres') {
    const { database, drop } = await testDatabase(store)
    const sites = [await sellerSite(), await sellerSite()] as const
    const keys = sites.map((site) => {
      const pair = keyPair('k1')
      site.publish([pair.publicJwk])
      return localSigner(pair.privateJwk)
    })
    const receiver = createReceiver({
      transact: database.transact,
      onWake: database.onWake,
      inbox: createInboxStore(database),
      replay: createReplayStore(database, { perKeyCap: 3 }),
      egress: loopbackEgress(),
      routes: [{ name: 'shared', mode: 'rfc9421' }],
      sellers: sites.map(({ agentUrl }) => ({ agentUrl })),
      onFault: (error) => {
        throw error
      },
    })
    onTestFinished(async () => {
      await receiver.stop(0)
      await drop()
    })
    const deliver = async (seller: 0 | 1, nonce?: string) => {
      const body = Buffer.from(JSON.stringify(envelope()))
      const url = 'https://buyer.example/hooks/shared'
      const headers = { 'content-type': 'application/json' }
      const message = { method: 'POST', url, headers, body }
      const now = Math.floor(Date.now() / 1_000)
      const signer = keys[seller]
      if (!signer) throw new Error('there are two sellers')
      const signed = await signMessage(message, {
        signer,
        profile,
        now,
        ...(nonce ? { nonce } : {}),
      })
      if (!signed.ok) throw new Error(signed.detail)
      const reply = await receiver.receive({
        route: 'shared',
        method: 'POST',
        url,
        body,
        headers: { ...headers, ...signed.headers },
      })
      return { status: reply.status, body: reply.body }
    }
    return { deliver, sites, database }
  }

  test.each(['sqlite', 'postgres'] as const)(
    'R2: on %s two who call their key alike share no nonce and no cap',
    async (store) => {
      const { deliver, sites, database } = await receiving(store)
      const nonce = 'n'.repeat(22)
      expect((await deliver(0, nonce)).status).toBe(200)
      expect((await deliver(1, nonce)).status).toBe(200)
      // Each of them once.
      for (const seller of [0, 1] as const) {
        const again = await deliver(seller, nonce)
        expect(again.status).toBe(401)
        expect(again.body).toContain('webhook_signature_replayed')
      }
      // The first fills its cap, and gets an error that says so; the other continues.
      for (let n = 0; n < 2; n++) expect((await deliver(0)).status).toBe(200)
      expect((await deliver(0)).body).toContain('webhook_signature_rate_abuse')
      expect((await deliver(1)).status).toBe(200)
      const senders = await database.read.all<{ sender: string }>(
        'SELECT sender FROM webhook_inbox ORDER BY message_id',
      )
      const [first, second] = sites.map(({ agentUrl }) => agentUrl)
      expect(senders.map(({ sender }) => sender)).toEqual([first, second, first, first, second])
    },
  )
})
