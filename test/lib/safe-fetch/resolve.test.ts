import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { httpServer, loopbackEgress, tcpServer, testEgress } from './loopback.ts'
import {
  dotted,
  refusedEmbeddedIpv6,
  refusedIpv4,
  refusedIpv4Host,
  refusedIpv6,
} from './spellings.ts'

const PUBLIC = '93.184.215.14'

describe('resolution', () => {
  test('egress: an answer with a private address is refused and no connection is made', async () => {
    const server = await tcpServer(() => {})
    const url = `https://rebind.example.com:${server.port}/`
    let answer: readonly string[] = []
    const egress = testEgress({ resolve: async () => answer })
    const refused = fc.oneof(
      refusedIpv4.map(dotted),
      refusedIpv4Host(),
      refusedEmbeddedIpv6,
      refusedIpv6,
    )
    await fc.assert(
      fc.asyncProperty(refused, fc.nat({ max: 2 }), async (address, place) => {
        answer = [PUBLIC, '2606:4700::1111'].toSpliced(place, 0, address)
        expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'address_refused' })
      }),
      { numRuns: 300 },
    )
    expect(server.connectionCount()).toBe(0)
  })

  test('egress: a literal private address is refused without asking the resolver', async () => {
    const server = await tcpServer(() => {})
    let requested = 0
    const egress = testEgress({
      resolve: async () => {
        requested += 1
        return ['127.0.0.1']
      },
    })
    const hosts = fc.oneof(
      refusedIpv4Host(),
      fc.oneof(refusedEmbeddedIpv6, refusedIpv6).map((address) => `[${address}]`),
    )
    await fc.assert(
      fc.asyncProperty(hosts, async (host) => {
        const result = await egress.fetch({ url: `https://${host}:${server.port}/` })
        expect(result.ok).toBe(false)
      }),
      { numRuns: 300 },
    )
    expect([requested, server.connectionCount()]).toEqual([0, 0])
  })

  test('egress: each request resolves once and connects to what it resolved', async () => {
    const server = await httpServer((_request, response) => response.end('inside'))
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '10.0.0.1']]
    const requested: string[] = []
    const egress = loopbackEgress({
      resolve: async (host) => {
        requested.push(host)
        return answers[requested.length - 1] ?? []
      },
    })
    const url = server.url('/', 'rebind.example.com')

    expect(await egress.fetch({ url })).toMatchObject({ ok: true, body: Buffer.from('inside') })
    // A kept-alive socket to the first answer exists, and yet the second answer decides.
    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'address_refused' })
    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'address_refused' })
    expect(requested).toEqual(Array(3).fill('rebind.example.com'))
    expect(server.connectionCount()).toBe(1)
  })

  test('egress: a name that turns to an address that is not allowed never reaches it', async () => {
    const server = await tcpServer(() => {})
    let requested = 0
    const egress = testEgress({
      allow: ['127.0.0.2/32'],
      resolve: async () => (requested++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']),
    })
    const url = `https://rebind.example.com:${server.port}/`

    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'connect_failed' })
    expect(requested).toBe(1)
    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'address_refused' })
    expect([requested, server.connectionCount()]).toEqual([2, 0])
  })

  test('egress: a kept connection is not used for another address of the same name', async () => {
    const server = await httpServer((_request, response) => response.end())
    let address = '127.0.0.1'
    const egress = loopbackEgress({ resolve: async () => [address] })
    const url = server.url('/', 'moving.example.com')
    expect(await egress.fetch({ url })).toMatchObject({ ok: true })
    address = '127.0.0.2'
    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'connect_failed' })
  })

  test('egress: requests at the same moment share one query', async () => {
    const server = await httpServer((_request, response) => response.end())
    let requested = 0
    const egress = loopbackEgress({
      resolve: async () => {
        requested += 1
        return ['127.0.0.1']
      },
    })
    const url = server.url('/', 'busy.example.com')
    const results = await Promise.all(Array.from({ length: 10 }, () => egress.fetch({ url })))
    expect([requested, results.every((result) => result.ok)]).toEqual([1, true])
  })

  test('egress: http to a name with a public address is refused', async () => {
    const mixed = loopbackEgress({ resolve: async () => ['127.0.0.1', PUBLIC] })
    const url = 'http://mixed.example.com/'
    expect(await mixed.fetch({ url })).toMatchObject({ ok: false, code: 'scheme_refused' })
  })

  test('egress: a name without an address is dns_failed', async () => {
    const missing = loopbackEgress({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    const empty = loopbackEgress({ resolve: async () => [] })
    const url = 'https://missing.example.com/?token=s3cret'
    for (const egress of [missing, empty]) {
      const result = await egress.fetch({ url })
      expect(result).toMatchObject({ ok: false, code: 'dns_failed' })
      expect(JSON.stringify(result)).not.toContain('s3cret')
    }
  })

  test('egress: the system resolver reports a name that cannot exist as dns_failed', async () => {
    const result = await testEgress().fetch({ url: 'https://missing.invalid/' })
    expect(result).toMatchObject({
      ok: false,
      code: expect.stringMatching(/dns_failed|dns_timeout/),
    })
  })

  test('egress: the system resolver finds localhost', async () => {
    const server = await httpServer((_request, response) => response.end('here'))
    const egress = testEgress({ allow: ['127.0.0.0/8', '::1'], allowHttp: true })
    const result = await egress.fetch({ url: server.url('/', 'localhost') })
    expect(result).toMatchObject({ ok: true, body: Buffer.from('here') })
  })

  test('egress: a slow resolver is dns_timeout, or timeout when the total comes first', async () => {
    const egress = loopbackEgress({ resolve: () => new Promise(() => {}), dnsTimeoutMs: 80 })
    const url = 'https://slow.example.com/'
    expect(await egress.fetch({ url })).toMatchObject({ ok: false, code: 'dns_timeout' })
    const hurried = await egress.fetch({ url, totalTimeoutMs: 20 })
    expect(hurried).toMatchObject({ ok: false, code: 'timeout' })
    const signal = AbortSignal.timeout(20)
    expect(await egress.fetch({ url, signal })).toMatchObject({ ok: false, code: 'aborted' })
  })
})
