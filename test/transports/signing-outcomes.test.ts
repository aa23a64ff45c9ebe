import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyPair } from '../../src/signing/keys.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import {
  callerWith,
  codeIn,
  requestKey,
  type SignedCall,
  signedCall,
  signedMessage,
} from '../support/signed-caller.ts'

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const tool = (name: string) => rpc('tools/call', { name, arguments: {} })
const skill = (name: string) =>
  rpc('message/send', {
    message: {
      messageId: 'm',
      role: 'user',
      parts: [{ kind: 'data', data: { skill: name, parameters: {} } }],
    },
  })
/** The same call over each transport. */
const callsOf = (task: string) => [
  { path: `/v3/${task}`, body: {} },
  { path: '/mcp', body: tool(task) },
  { path: '/a2a', body: skill(task) },
]
const half: SignedCall['change'] = ({ headers }) => {
  delete headers['Signature-Input']
}
const wrong: SignedCall['change'] = ({ headers }) => {
  headers.Signature = `sig1=:${Buffer.alloc(64, 7).toString('base64')}:`
}
const LEGACY = {
  schemes: ['HMAC-SHA256'],
  credentials: 'a-secret-of-thirty-two-characters-and-more',
}

describe('the outcomes of signatures', () => {
  let app: TestApp
  let caller: { principal_id: string; key: string }
  let pair: KeyPair
  beforeAll(async () => {
    app = await startApp({
      config: {
        requestSigningRequiredFor: ['list_creative_formats', 'activate_signal'],
        requestSigningWarnFor: ['get_proto_capabilities', 'list_tasks', 'activate_signal'],
        requestSigningMethodsRequiredFor: ['tasks/cancel'],
        requestSigningMethodsWarnFor: ['tools/list'],
      },
    })
    pair = requestKey('outcomes')
    caller = await callerWith(app, { jwk: pair.publicJwk })
  })
  afterAll(() => app.stop())

  const plain = (path: string, body: unknown, key?: string) =>
    call(app.url + path, { body, ...(key ? { key } : {}) })
  const signed = (path: string, body: unknown, more: SignedCall = {}) =>
    signedCall(pair, app.url + path, { body, ...more })
  const metric = async (labels: string) => {
    const { text } = await call(`${app.url}/metrics`)
    const line = text.split('\n').find((one) => one.includes(`signatures_total{${labels}}`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  test('spec 5: unsigned, required, without another credential: 401', async () => {
    for (const { path, body } of callsOf('list_creative_formats')) {
      expect(codeIn(await plain(path, body))).toBe('401 request_signature_required')
    }
    for (const { path, body } of callsOf('activate_signal')) {
      expect(codeIn(await plain(path, body))).toBe('401 request_signature_required')
    }
    expect(codeIn(await plain('/a2a', rpc('tasks/cancel', { id: 'x' })))).toBe(
      '401 request_signature_required',
    )
    const batch = [tool('get_agent_capabilities'), tool('list_creative_formats')]
    expect(codeIn(await plain('/mcp', batch))).toBe('401 request_signature_required')
    // What is not required is answered as before.
    expect((await plain('/v3/get_agent_capabilities', {})).status).toBe(200)
    const missing = await plain('/v3/list_tasks', {})
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('spec 5: unsigned, required, with a bearer key, or signed: accepted', async () => {
    for (const { path, body } of callsOf('list_creative_formats')) {
      expect((await plain(path, body, caller.key)).status).toBe(200)
      expect((await signed(path, body)).status).toBe(200)
    }
    expect((await plain('/a2a', rpc('tasks/cancel', { id: 'x' }), caller.key)).status).toBe(200)
  })

  test('spec 5: one header of the pair, or one that cannot be read: refused always, over every transport', async () => {
    const unreadable: NonNullable<SignedCall['change']>[] = [
      half,
      ({ headers }) => {
        delete headers.Signature
      },
      ({ headers }) => {
        headers['Signature-Input'] = 'sig1=nothing'
      },
      ({ headers }) => {
        headers.Signature = ''
      },
    ]
    for (const task of ['get_agent_capabilities', 'list_tasks']) {
      for (const { path, body } of callsOf(task)) {
        for (const change of unreadable) {
          const answer = await signed(path, body, { change, key: caller.key })
          expect(codeIn(answer)).toBe('401 request_signature_header_malformed')
        }
      }
    }
  })

  test('spec 5: a wrong signature where one is supported or required: refused, bearer key or not', async () => {
    for (const task of ['list_creative_formats', 'list_creatives', 'activate_signal']) {
      for (const { path, body } of callsOf(task)) {
        for (const key of [undefined, caller.key]) {
          const answer = await signed(path, body, { change: wrong, ...(key ? { key } : {}) })
          expect(codeIn(answer)).toBe('401 request_signature_invalid')
        }
      }
    }
    const batch = [tool('list_tasks'), tool('list_creatives')]
    const answer = await signed('/mcp', batch, { change: wrong, key: caller.key })
    expect(codeIn(answer)).toBe('401 request_signature_invalid')
  })

  test('spec 5: a wrong signature where a warning is enough: noted, and the call continues with its bearer key', async () => {
    const before = await metric('outcome="failed",code="request_signature_invalid"')
    for (const { path, body } of callsOf('list_tasks')) {
      const lines = app.logged.length
      const answer = await signed(path, body, { change: wrong, key: caller.key })
      expect(answer.status).toBe(200)
      const noted = app.logged.slice(lines).find((line) => line.includes('wrong signature'))
      expect(JSON.parse(noted ?? '{}')).toMatchObject({
        code: 'request_signature_invalid',
        principal_id: caller.principal_id,
      })
      const alone = await signed(path, body, { change: wrong })
      expect(codeIn(alone)).toBe('401 request_signature_invalid')
    }
    const listed = await signed('/mcp', rpc('tools/list'), { change: wrong, key: caller.key })
    expect(listed.status).toBe(200)
    const pinged = await signed('/mcp', rpc('ping'), { change: wrong, key: caller.key })
    expect(codeIn(pinged)).toBe('401 request_signature_invalid')
    expect(await metric('outcome="failed",code="request_signature_invalid"')).toBe(before + 5)
  })

  test('spec 2.9: a caller with a key on file registers legacy webhooks by a signed request', async () => {
    const push = { url: 'https://buyer.example/hooks', authentication: LEGACY }
    const request = { signal_agent_segment_id: 'x', push_notification_config: push }
    const text = JSON.stringify({ skill: 'list_tasks', parameters: request })
    const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] }
    const set = { taskId: 'x', pushNotificationConfig: push }
    const bodies: [string, object][] = [
      ['/v3/list_tasks', request],
      ['/v3/create_media_buy', { packages: [], reporting_webhook: push }],
      ['/mcp', rpc('tools/call', { name: 'list_tasks', arguments: request })],
      ['/a2a', rpc('message/send', { message })],
      [
        '/a2a',
        rpc('message/send', { message: {}, configuration: { pushNotificationConfig: push } }),
      ],
      ['/a2a', rpc('tasks/pushNotificationConfig/set', set)],
      ['/a2a', rpc('CreateTaskPushNotificationConfig', { taskId: 'x', ...push })],
    ]
    const keyless = await app.named('Without a key on file')
    for (const [path, body] of bodies) {
      const refused = await plain(path, body, caller.key)
      expect(codeIn(refused)).toBe('401 request_signature_required')
      expect(refused.text).toContain('a webhook with legacy authentication')
      expect((await signed(path, body)).status).not.toBe(401)
      expect((await plain(path, body, keyless.key)).status).not.toBe(401)
    }
    // spec 5, as 3.x has it: a caller that names a release signs such a registration in any case.
    const named = await plain('/v3/list_tasks', { ...request, proto_version: '3.1' }, keyless.key)
    expect(codeIn(named)).toBe('401 request_signature_required')
    const context = await plain('/v3/list_tasks', { context: { hook: push } }, caller.key)
    expect(context.status).toBe(200)
    const modern = { push_notification_config: { url: 'https://buyer.example/hooks' } }
    expect((await plain('/v3/list_tasks', modern, caller.key)).status).toBe(200)
  })

  test('spec 4.5: the capabilities declare what is required and where a warning is enough', async () => {
    const { body } = await plain('/v3/get_agent_capabilities', {})
    expect(body.request_signing).toMatchObject({
      required_for: ['list_creative_formats', 'activate_signal'],
      warn_for: ['activate_signal', 'list_tasks', 'get_agent_capabilities'],
      protocol_methods_required_for: ['tasks/cancel'],
      protocol_methods_warn_for: ['tools/list'],
    })
  })

  test('spec 5: whatever becomes of its headers, a changed request neither passes nor breaks the server', async () => {
    const names = ['Signature', 'Signature-Input', 'Content-Digest', 'content-type'] as const
    const mutation = fc.record({
      name: fc.constantFrom(...names),
      at: fc.nat(),
      text: fc.string({ unit: fc.constantFrom(...'"();,:=@sig1 abcZ09-_+/\\'), maxLength: 6 }),
      cut: fc.nat(8),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
        const url = `${app.url}/v3/get_products`
        const { headers, body } = await signedMessage(pair, url, { body: '{}' })
        const sent = { ...headers }
        for (const { name, at, text, cut } of mutations) {
          const value = headers[name] ?? ''
          const place = at % (value.length + 1)
          headers[name] = (value.slice(0, place) + text + value.slice(place + cut)).trim()
        }
        fc.pre(JSON.stringify(headers) !== JSON.stringify(sent))
        const answer: Answer = await call(url, { headers, ...(body ? { body } : {}) })
        if (answer.status === 401) {
          expect(codeIn(answer)).toMatch(/^401 request_/)
          return
        }
        // What stands beside the signature is another's, and makes no difference.
        expect(answer.status).toBe(200)
        expect(headers.Signature).toContain(sent.Signature)
        expect(headers['Signature-Input']).toContain(sent['Signature-Input'])
        expect(headers['Content-Digest']).toBe(sent['Content-Digest'])
        expect(headers['content-type']).toBe(sent['content-type'])
      }),
      { numRuns: 150 },
    )
  })
})

describe('the strict profile of 3.2', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ config: { requestSigningProfile: '3.2' } })
  })
  afterAll(() => app.stop())

  test('reads padded base64 and nothing else, whatever release the body names', async () => {
    const pair = requestKey('strict')
    await callerWith(app, { jwk: pair.publicJwk })
    const url = `${app.url}/v3/list_tasks`
    for (const body of [{}, { proto_version: '3.1' }]) {
      expect((await signedCall(pair, url, { body }, { profile: '3.2' })).status).toBe(200)
      const old = await signedCall(pair, url, { body }, { profile: '3.1' })
      expect(codeIn(old)).toBe('401 request_signature_header_malformed')
    }
    const tasks = await signedCall(pair, `${app.url}/v3/tasks`, {}, { profile: '3.2' })
    expect(tasks.status).toBe(200)
  })
})

describe.each(['either', 'forbidden'] as const)('with the digest %s', (contentDigest) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({
      config: { requestContentDigest: contentDigest, requestSigningProfile: '3.1' },
    })
  })
  afterAll(() => app.stop())

  test('spec 5: a request covers it or not, as the agent declares', async () => {
    const pair = requestKey('digests')
    await callerWith(app, { jwk: pair.publicJwk })
    const url = `${app.url}/v3/list_tasks`
    const by = (rule: 'required' | 'forbidden') =>
      signedCall(pair, url, { body: {} }, { profile: '3.1', contentDigest: rule })
    expect((await by('forbidden')).status).toBe(200)
    const covered = await by('required')
    if (contentDigest === 'either') expect(covered.status).toBe(200)
    else expect(codeIn(covered)).toBe('401 request_signature_components_unexpected')
    const { body } = await call(`${app.url}/v3/get_agent_capabilities`, { body: {} })
    expect(body.request_signing).toMatchObject({ covers_content_digest: contentDigest })
  })
})

test.each([
  [
    'requestSigningRequiredFor',
    'get_signal',
    /REQUIRED_FOR names get_signal, .* perhaps get_signals/,
  ],
  ['requestSigningMethodsWarnFor', 'tools/lists', /WARN_FOR names tools\/lists, .* no such method/],
] as const)(
  'a start with %s of what there is not ends with what would be right',
  async (key, name, reported) => {
    await expect(startApp({ config: { [key]: [name] } })).rejects.toThrow(reported)
  },
)
