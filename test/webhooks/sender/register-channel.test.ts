import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEgress } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import { openSecrets } from '../../../src/webhooks/sender/channel-secrets.ts'
import { endpointOf } from '../../../src/webhooks/sender/endpoint.ts'
import {
  checkChannel,
  type RegistrationPorts,
  type WantedChannel,
} from '../../../src/webhooks/sender/register-channel.ts'
import {
  refusedEmbeddedIpv6,
  refusedIpv4Host,
  refusedIpv6,
} from '../../lib/safe-fetch/spellings.ts'
import { BOX } from '../../support/sender.ts'

const URL_OF_BUYER = 'https://Buyer.example:8443/hooks/%7euser?token=abc#part'
const SECRET = 'c0ffee00c0ffee00c0ffee00c0ffee01'
const { checkUrl } = createEgress()

function wanted(config: unknown, changes: Partial<WantedChannel> = {}): WantedChannel {
  return { owner: 'alice', subject: 'task:t1', name: 'push', form: 'mcp', config, ...changes }
}

function check(
  config: unknown,
  changes: Partial<WantedChannel> = {},
  ports: Partial<RegistrationPorts> = {},
) {
  return checkChannel(wanted(config, changes), { checkUrl, box: BOX, ...ports })
}

function accepted(...args: Parameters<typeof check>) {
  const checked = check(...args)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  return checked.channel
}

function faults(...args: Parameters<typeof check>): Record<string, string> {
  const checked = check(...args)
  if (checked.ok) throw new Error('the channel was accepted')
  return Object.fromEntries(checked.issues.map(({ pointer, message }) => [pointer, message]))
}

const hmac = (credentials: string) => ({
  url: URL_OF_BUYER,
  authentication: { schemes: ['HMAC-SHA256'], credentials },
})
const bearer = { schemes: ['Bearer'], credentials: SECRET }

describe('spec 2.9: a registration that can be honoured', () => {
  test('keeps its URL and operation_id verbatim and is signed with a published key', () => {
    expect(accepted({ url: URL_OF_BUYER, operation_id: 'op:1', more: true })).toEqual({
      owner: 'alice',
      subject: 'task:t1',
      name: 'push',
      form: 'mcp',
      url: URL_OF_BUYER,
      endpoint: 'https://buyer.example:8443/hooks/%7euser',
      operation_id: 'op:1',
      scheme: 'rfc9421',
      secrets: undefined,
      expires_at: undefined,
    })
  })

  test('has no operation_id when none was given, though the URL may look as if it had one', () => {
    const url = 'https://buyer.example/hooks/build_creative/op-7?operation_id=op-8'
    expect(accepted({ url }).operation_id).toBeUndefined()
  })

  test('its secrets are sealed and open for this channel alone', () => {
    const token = 'a token of the buyer'
    const channel = accepted({ ...hmac(SECRET), token })
    expect(channel.scheme).toBe('HMAC-SHA256')
    expect(channel.secrets).not.toContain(SECRET)
    expect(openSecrets(channel, BOX)).toEqual({ ok: true, token, credentials: SECRET })
    for (const moved of [{ owner: 'bob' }, { subject: 'task:t2' }, { name: 'other' }]) {
      expect(openSecrets({ ...channel, ...moved }, BOX)).toEqual({ ok: false })
    }
    expect(openSecrets(channel, createSecretBox('another secret'))).toEqual({ ok: false })
  })

  test('spec 5: every legacy choice is reported, without the secret', () => {
    const received: unknown[] = []
    const ports = { onLegacy: (choice: unknown) => received.push(choice), allowBearer: true }
    accepted({ url: URL_OF_BUYER }, {}, ports)
    accepted(hmac(SECRET), {}, ports)
    accepted({ url: URL_OF_BUYER, authentication: bearer }, {}, ports)
    check(hmac('short'), {}, ports)
    expect(received).toEqual([
      { owner: 'alice', subject: 'task:t1', scheme: 'HMAC-SHA256' },
      { owner: 'alice', subject: 'task:t1', scheme: 'Bearer' },
    ])
  })
})

describe('spec 2.9: a registration that cannot', () => {
  test('gets all its faults reported at once, with their places', () => {
    const config = {
      url: 'http://10.0.0.1/hook',
      operation_id: 'with a space',
      token: 'short',
      authentication: { schemes: ['HMAC-SHA256', 'Bearer'], credentials: 'short' },
    }
    expect(Object.keys(faults(config, { pointer: '/reporting_webhook' })).sort()).toEqual([
      '/reporting_webhook/authentication/credentials',
      '/reporting_webhook/authentication/schemes',
      '/reporting_webhook/operation_id',
      '/reporting_webhook/token',
      '/reporting_webhook/url',
    ])
  })

  test.each([
    ['nothing', undefined],
    ['a text', 'https://buyer.example/hook'],
    ['a list', []],
    ['null', null],
  ])('is %s', (_what, config) => {
    expect(Object.keys(faults(config))[0]).toMatch(/^\/push_notification_config/)
    expect(Object.keys(faults(config, { form: 'a2a-1.0' }))[0]).toMatch(/^\/push_notification/)
  })

  test.each([
    ['http://buyer.example/hook', 'https: is required'],
    ['ftp://buyer.example/hook', 'http or https'],
    ['https://user:pass@buyer.example/hook', 'user name or password'],
    ['https://localhost/hook', 'internal name'],
    ['https://[::1]/hook', 'not public'],
    ['https://169.254.169.254/latest', 'not public'],
    ['/hook', 'URL'],
    ['https://buyer.example/a%zz', '% without two hex digits'],
    [`https://buyer.example/${'a'.repeat(2_100)}`, '2048'],
  ])('has the URL %s', (url, why) => {
    expect(faults({ url })).toEqual({
      '/push_notification_config/url': expect.stringContaining(why),
    })
  })

  test.each([
    ['', 'at least 1'],
    ['a'.repeat(256), '255'],
    ['ä', 'letters'],
    ['a/b', 'letters'],
    ['a\n', 'letters'],
  ])('has the operation_id %j', (operation_id, why) => {
    expect(faults({ url: URL_OF_BUYER, operation_id })).toEqual({
      '/push_notification_config/operation_id': expect.stringContaining(why),
    })
  })

  test('has no operation_id where one is needed (spec 7.3)', () => {
    const pointer = '/push_notification_config/operation_id'
    const found = faults({ url: URL_OF_BUYER }, { needsOperationId: true })
    expect(found).toEqual({ [pointer]: expect.stringContaining('required') })
    expect(
      accepted({ url: URL_OF_BUYER, operation_id: 'o' }, { needsOperationId: true }),
    ).toBeTruthy()
  })

  test.each([
    'short',
    'a'.repeat(40),
    'ab'.repeat(20),
    '1234567'.repeat(6),
    `${'abc'.repeat(11)}a`,
  ])('has the weak secret %j, which is not repeated in the answer', (credentials) => {
    const found = faults(hmac(credentials))
    expect(Object.keys(found)).toEqual(['/push_notification_config/authentication/credentials'])
    expect(JSON.stringify(found)).not.toContain(credentials)
  })

  test.each([
    ['no scheme', { credentials: SECRET }, '/schemes'],
    ['two schemes', { schemes: ['Bearer', 'HMAC-SHA256'], credentials: SECRET }, '/schemes'],
    ['an unknown scheme', { schemes: ['Basic'], credentials: SECRET }, '/schemes/0'],
    ['no credentials', { schemes: ['HMAC-SHA256'] }, '/credentials'],
    ['an empty object', {}, '/schemes'],
  ])('has an authentication with %s', (_what, authentication, place) => {
    const found = faults({ url: URL_OF_BUYER, authentication })
    expect(Object.keys(found)).toContain(`/push_notification_config/authentication${place}`)
  })

  test('spec 5: requests Bearer where that is not served', () => {
    const config = { url: URL_OF_BUYER, authentication: bearer }
    expect(faults(config)).toEqual({
      '/push_notification_config/authentication/schemes/0':
        expect.stringContaining('published key'),
    })
    expect(accepted(config, {}, { allowBearer: true }).scheme).toBe('Bearer')
  })

  test('requests Bearer with a token that no header can carry', () => {
    const authentication = { ...bearer, credentials: `${SECRET}\r\nx: y` }
    const config = { url: URL_OF_BUYER, authentication }
    expect(faults(config, {}, { allowBearer: true })).toEqual({
      '/push_notification_config/authentication/credentials': expect.stringContaining('ASCII'),
    })
  })
})

describe('spec 2.9: a registration made the A2A way', () => {
  const form = 'a2a-0.3'

  test('may name one scheme alone, or in a list, in any case', () => {
    for (const scheme of [{ scheme: 'bearer' }, { schemes: ['BEARER'] }]) {
      const config = { url: URL_OF_BUYER, authentication: { ...scheme, credentials: SECRET } }
      const channel = accepted(config, { form }, { allowBearer: true })
      expect(channel).toMatchObject({ form, scheme: 'Bearer' })
      expect(openSecrets(channel, BOX)).toMatchObject({ credentials: SECRET })
    }
  })

  test('may leave members empty or null', () => {
    const config = {
      url: URL_OF_BUYER,
      token: '',
      authentication: { schemes: [], credentials: '' },
    }
    expect(accepted(config, { form })).toMatchObject({ scheme: 'rfc9421', secrets: undefined })
    const nulls = { url: URL_OF_BUYER, token: null, authentication: null }
    expect(accepted(nulls, { form })).toMatchObject({ scheme: 'rfc9421', secrets: undefined })
  })

  test('may have a short token, but only one that a header can carry', () => {
    const channel = accepted({ url: URL_OF_BUYER, token: 'tok' }, { form })
    expect(openSecrets(channel, BOX)).toMatchObject({ token: 'tok' })
    for (const token of ['a\nb', 'a b', 'ä', 'a'.repeat(4_097), 7, { a: 1 }]) {
      expect(Object.keys(faults({ url: URL_OF_BUYER, token }, { form }))).toEqual([
        '/push_notification_config/token',
      ])
    }
  })

  test('is refused with a scheme that is not served, or without credentials', () => {
    const at = (authentication: object) =>
      Object.keys(faults({ url: URL_OF_BUYER, authentication }, { form, pointer: '' }))
    expect(at({ scheme: 'Basic', credentials: SECRET })).toEqual(['/authentication/schemes/0'])
    expect(at({ schemes: ['HMAC-SHA256'] })).toEqual(['/authentication/credentials'])
    expect(at({ credentials: SECRET })).toEqual(['/authentication/schemes'])
  })
})

test('spec 6.4: no spelling of a private address is registered', () => {
  const host = fc.oneof(
    refusedIpv4Host(),
    refusedEmbeddedIpv6.map((address) => `[${address}]`),
    refusedIpv6.map((address) => `[${address}]`),
  )
  fc.assert(
    fc.property(host, fc.constantFrom('mcp', 'a2a-0.3', 'a2a-1.0'), (name, form) => {
      const found = faults({ url: `https://${name}/hook` }, { form, pointer: '' })
      expect(Object.keys(found)).toEqual(['/url'])
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['https://a.example', 'https://a.example/'],
  ['https://A.example:443/x?y#z', 'https://a.example/x'],
  ['https://a.example:8443/x/?', 'https://a.example:8443/x/'],
])('spec 2.12: the endpoint of %s is %s', (url, endpoint) => {
  expect(endpointOf(url)).toBe(endpoint)
})
