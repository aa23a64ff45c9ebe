import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokePrincipal } from '../../src/agent/principals.ts'
import { removeRequestKey } from '../../src/agent/request-keys.ts'
import { createRequestSigner } from '../../src/client/sign-request.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createA2aClient } from '../../src/transports/a2a/client.ts'
import { throughEgress } from '../../src/transports/client.ts'
import { createHttpClient } from '../../src/transports/http/client.ts'
import { createMcpClient } from '../../src/transports/mcp/client.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { JWKS, REVOCATIONS, revocationList } from '../support/seller-site.ts'
import {
  callerSite,
  callerWith,
  codeIn,
  requestKey,
  signedCall,
  signedMessage,
} from '../support/signed-caller.ts'

const TRANSPORTS = [
  { transport: 'HTTP', create: createHttpClient, path: '' },
  { transport: 'MCP', create: createMcpClient, path: '/mcp' },
  { transport: 'A2A', create: createA2aClient, path: '' },
] as const

describe('signed requests', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.stop())
  const tasks = () => `${app.url}/v3/list_tasks`

  test.each(TRANSPORTS)(
    'spec 5: a call over $transport is its signer’s, whose key is found through its brand.json',
    async ({ create, path }) => {
      const pair = requestKey('caller-1')
      const site = await callerSite([pair.publicJwk])
      const { principal_id } = await callerWith(app, { agentUrl: site.agentUrl })
      const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
      const signer = createRequestSigner({ key: pair.privateJwk })
      const client = create({ url: `${app.url}${path}`, fetch: throughEgress(egress), signer })
      expect(await client.call('list_tasks', {})).toMatchObject({ ok: true, status: 'completed' })
      expect(await client.call('list_tasks', {})).toMatchObject({ ok: true })
      await egress.close()
      const calls = app.logged.map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(calls.filter((line) => line.principal_id === principal_id && line.task)).toHaveLength(
        2,
      )
      expect(site.requested(JWKS)).toBe(1)
    },
  )

  test('spec 3.2: the paths of tasks are signed without a body, and with one', async () => {
    const pair = requestKey('paths')
    await callerWith(app, { jwk: pair.publicJwk })
    expect((await signedCall(pair, `${app.url}/v3/tasks?status=working`)).status).toBe(200)
    expect((await signedCall(pair, `${app.url}/v3/tasks/none`)).status).toBe(404)
    const cancel = `${app.url}/v3/tasks/none/cancel`
    expect((await signedCall(pair, cancel, { body: {} })).status).toBe(404)
    const { headers } = await signedMessage(pair, `${app.url}/v3/tasks?status=working`, {
      body: undefined,
    })
    const other = await call(`${app.url}/v3/tasks?status=completed`, { headers })
    expect(codeIn(other)).toBe('401 request_signature_invalid')
  })

  test('spec 8: a request that comes a second time is refused, with a body and without one', async () => {
    const pair = requestKey('again')
    await callerWith(app, { jwk: pair.publicJwk })
    for (const body of ['{}', undefined]) {
      const url = body === undefined ? `${app.url}/v3/tasks` : tasks()
      const sent = await signedMessage(pair, url, { body })
      const once = () => call(url, { headers: sent.headers, ...(body ? { body } : {}) })
      expect((await once()).status).toBe(200)
      expect(codeIn(await once())).toBe('401 request_signature_replayed')
    }
  })

  test('spec 5: a body other than the signed one is refused before anything reads it', async () => {
    const pair = requestKey('swapped')
    await callerWith(app, { jwk: pair.publicJwk })
    const answer = await signedCall(pair, tasks(), {
      body: {},
      change: (sent) => {
        sent.body = '{"this is no JSON'
      },
    })
    expect(codeIn(answer)).toBe('401 request_signature_digest_mismatch')
    const twice = await signedCall(pair, tasks(), { body: '{"status":"a","status":"b"}' })
    expect(codeIn(twice)).toBe('401 request_body_malformed')
    const added = await signedCall(pair, tasks(), {
      method: 'POST',
      change: (sent) => {
        sent.body = '{}'
        sent.headers['content-type'] = 'application/json'
      },
    })
    expect(codeIn(added)).toBe('401 request_signature_components_incomplete')
  })

  test('spec 5: a wrong signature is refused with its code where none is needed, over every transport', async () => {
    const pair = requestKey('nobody knows')
    const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 7, method, params })
    const data = { skill: 'list_creative_formats', parameters: {} }
    const message = { messageId: 'm', role: 'user', parts: [{ kind: 'data', data }] }
    const bodies = {
      '/v3/list_creative_formats': {},
      '/mcp': rpc('tools/call', { name: 'list_creative_formats', arguments: {} }),
      '/a2a': rpc('message/send', { message }),
    }
    for (const [path, body] of Object.entries(bodies)) {
      expect((await call(app.url + path, { body })).status).toBe(200)
      const answer = await signedCall(pair, app.url + path, { body })
      expect(codeIn(answer)).toBe('401 request_signature_key_unknown')
      if (path === '/v3/list_creative_formats') {
        expect(answer.body).toMatchObject({
          errors: [{ code: 'AUTH_INVALID', recovery: 'correctable' }],
        })
      } else expect(answer.body).toMatchObject({ id: null, error: { code: -32_028 } })
    }
  })

  test('spec 5: with a bearer key both must name one principal', async () => {
    const [one, other] = [requestKey('both-1'), requestKey('both-2')]
    const signer = await callerWith(app, { jwk: one.publicJwk })
    const stranger = await callerWith(app, { jwk: other.publicJwk })
    const by = (key: string) => signedCall(one, tasks(), { body: {}, key })
    expect((await by(signer.key)).status).toBe(200)
    expect(codeIn(await by(stranger.key))).toBe('401 request_signature_key_unknown')
    expect(await by('adw_0123456789abcdefg')).toMatchObject({
      status: 401,
      body: { errors: [{ code: 'AUTH_INVALID' }] },
    })
  })

  test('spec 5: callers may give their keys the same name: the signature identifies the owner', async () => {
    const pairs = [requestKey('key-1'), requestKey('key-1'), requestKey('key-1')]
    const site = await callerSite([pairs[2]!.publicJwk])
    const callers = [
      await callerWith(app, { jwk: pairs[0]!.publicJwk }, 'On file'),
      await callerWith(app, { jwk: pairs[1]!.publicJwk }, 'On file too'),
      await callerWith(app, { jwksUrl: `${site.origin}${JWKS}` }, 'Publishing'),
    ]
    for (const [n, pair] of pairs.entries()) {
      const before = app.logged.length
      expect((await signedCall(pair, tasks(), { body: {} })).status).toBe(200)
      expect(app.logged.slice(before).join()).toContain(callers[n]!.principal_id)
    }
    const forged = await signedCall(requestKey('key-1'), tasks(), { body: {} })
    expect(codeIn(forged)).toBe('401 request_signature_invalid')
  })

  test('spec 5: a key that is rotated while calls continue loses none of them', async () => {
    const [old, next] = [requestKey('old'), requestKey('next')]
    const site = await callerSite([old.publicJwk])
    await callerWith(app, { agentUrl: site.agentUrl })
    const statuses: number[] = []
    const some = async (pair: typeof old) => {
      const calls = Array.from({ length: 5 }, () => signedCall(pair, tasks(), { body: {} }))
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status))
    }
    await some(old)
    site.publish([old.publicJwk, next.publicJwk])
    await Promise.all([some(old), some(next)])
    site.publish([next.publicJwk])
    await some(next)
    expect(statuses).toEqual(Array(20).fill(200))
    expect(site.requested(JWKS)).toBe(2)
  })

  test('spec 5: what is revoked or removed counts from then on', async () => {
    const [one, two] = [requestKey('removed'), requestKey('revoked')]
    const removed = await callerWith(app, { jwk: one.publicJwk })
    const revoked = await callerWith(app, { jwk: two.publicJwk })
    const [listed, signing] = [requestKey('listed'), requestKey('signs lists')]
    const site = await callerSite([listed.publicJwk, signing.publicJwk])
    const now = Date.now()
    const times = { updated: now - 60_000, next_update: now + 600_000 }
    const list = { issuer: site.origin, ...times, revoked_kids: ['listed'] }
    site.serve(REVOCATIONS, await revocationList(signing, list))
    await callerWith(app, { agentUrl: site.agentUrl })
    for (const pair of [one, two]) {
      expect((await signedCall(pair, tasks(), { body: {} })).status).toBe(200)
    }
    await removeRequestKey(app.storage, removed.key_id)
    await revokePrincipal(app.storage, revoked.principal_id)
    for (const pair of [one, two]) {
      const answer = await signedCall(pair, tasks(), { body: {} })
      expect(codeIn(answer)).toBe('401 request_signature_key_unknown')
    }
    const byList = await signedCall(listed, tasks(), { body: {} })
    expect(codeIn(byList)).toBe('401 request_signature_key_revoked')
  })

  test('spec 5: a principal is refused what its scopes do not allow, signed or not', async () => {
    const pair = requestKey('alone')
    const { principal_id } = await callerWith(app, { jwk: pair.publicJwk })
    await app.storage.database.transact((tx) =>
      tx.run('UPDATE principals SET scopes = \'["operator"]\' WHERE principal_id = $1', [
        principal_id,
      ]),
    )
    expect((await signedCall(pair, tasks(), { body: {} })).status).toBe(403)
  })

  test('spec 5: what a third party’s keyid names is never fetched', async () => {
    const site = await callerSite([])
    const pair = requestKey(`${site.origin}${JWKS}`)
    const answer = await signedCall(pair, tasks(), { body: {} })
    expect(codeIn(answer)).toBe('401 request_signature_key_unknown')
    await pause(50)
    expect([site.requested(JWKS), site.requested('/mcp')]).toEqual([0, 0])
  })

  test('spec 5: a signature for another address is refused here', async () => {
    const pair = requestKey('elsewhere')
    await callerWith(app, { jwk: pair.publicJwk })
    const sent = await signedMessage(pair, 'https://other.example/v3/list_tasks', { body: '{}' })
    const answer = await call(tasks(), sent as { headers: Record<string, string>; body: string })
    expect(codeIn(answer)).toBe('401 request_signature_invalid')
    const named = await call(`http://localhost:${new URL(app.url).port}/v3/list_tasks`, {
      ...(await signedMessage(pair, tasks(), { body: '{}' })),
    })
    expect(codeIn(named)).toBe('401 request_target_uri_malformed')
  })

  test('spec 4.5: the capabilities report how requests are signed, and where the operator’s keys are', async () => {
    const { body } = await call(`${app.url}/v3/get_agent_capabilities`, { body: {} })
    expect(body).toMatchObject({
      request_signing: {
        supported: true,
        covers_content_digest: 'required',
        required_for: [],
        warn_for: [],
        supported_for: expect.arrayContaining(['list_tasks', 'build_creative']),
        protocol_methods_required_for: [],
        protocol_methods_supported_for: expect.arrayContaining(['tools/call', 'tasks/cancel']),
      },
      identity: {
        brand_json_url: `${app.url}/.well-known/brand.json`,
        key_origins: { request_signing: app.url, webhook_signing: app.url },
      },
      webhook_signing: { supported: true, delivery_retry_horizon_seconds: 86_400 },
    })
    const named = await call(`${app.url}/v3/get_agent_capabilities`, {
      body: { proto_version: '3.2' },
    })
    const { request_signing } = named.body as { request_signing: Record<string, string[]> }
    const methods = request_signing.protocol_methods_supported_for ?? []
    expect(methods).toEqual(expect.arrayContaining(['tools/list', 'tasks/cancel']))
    const untold = ['tools/call', 'ping', 'initialize', 'CancelTask']
    for (const method of untold) expect(methods).not.toContain(method)
    expect(named.body.identity).not.toHaveProperty('brand_json_url')
  })
})
