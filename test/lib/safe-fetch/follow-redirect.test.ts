import { describe, expect, test } from 'vitest'
import { followRedirect } from '../../../src/lib/safe-fetch/follow-redirect.ts'
import type { EgressRequest } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { httpServer, loopbackEgress } from './loopback.ts'

/** A server that redirects `/to?<location>` there with a status, and counts the requests it received. */
async function redirecting(status = 302) {
  const seen: string[] = []
  const server = await httpServer((request, response) => {
    seen.push(
      `${request.headers.host?.split(':')[0]}${request.url} ${request.headers.authorization}`,
    )
    const location = /^\/to\?(.*)$/.exec(request.url ?? '')?.[1]
    if (location === undefined) return response.end('arrived')
    response.writeHead(status, { location: decodeURIComponent(location) }).end('moved')
  })
  const url = (location: string, host = 'www.example.com') =>
    server.url(`/to?${encodeURIComponent(location)}`, host)
  return { server, seen, url }
}

const sameSite: Partial<EgressRequest> = { redirects: 'same-site' }

describe('redirects', () => {
  test('egress: a redirect is the response unless the caller asks to follow', async () => {
    const { server, seen, url } = await redirecting()
    const result = await loopbackEgress().fetch({ url: url(server.url('/end', 'www.example.com')) })
    expect(result).toMatchObject({ ok: true, status: 302, body: Buffer.from('moved') })
    expect(seen).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])(
    'egress: a %i within the site is followed',
    async (status) => {
      const { server, seen, url } = await redirecting(status)
      const target = server.url('/end?x=1', 'api.example.com')
      const result = await loopbackEgress().fetch({ url: url(target), ...sameSite })
      expect(result).toMatchObject({
        ok: true,
        status: 200,
        url: target,
        body: Buffer.from('arrived'),
      })
      expect(seen).toHaveLength(2)
    },
  )

  test('egress: a relative redirect is followed and credentials stay with their origin', async () => {
    const { server, seen, url } = await redirecting()
    const egress = loopbackEgress()
    const headers = { authorization: 'Bearer t' }
    await egress.fetch({ url: url('/end'), headers, ...sameSite })
    await egress.fetch({ url: url(server.url('/end', 'api.example.com')), headers, ...sameSite })
    expect(seen.filter((line) => line.includes('/end'))).toEqual([
      'www.example.com/end Bearer t',
      'api.example.com/end undefined',
    ])
  })

  test('egress: a redirect to another site is refused and not requested', async () => {
    const { server, seen, url } = await redirecting()
    const targets = [
      server.url('/end', 'www.example.org'),
      server.url('/end', '127.0.0.1'),
      server.url('/end', 'example.com.evil.net'),
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://[',
    ]
    const egress = loopbackEgress()
    for (const target of targets) {
      const result = await egress.fetch({ url: url(target), ...sameSite })
      expect([target, result]).toMatchObject([target, { ok: false, code: 'redirect_refused' }])
    }
    expect(seen.filter((line) => line.includes('/end'))).toEqual([])
  })

  test('egress: a literal address redirects only to itself', async () => {
    const { server, url } = await redirecting()
    const egress = loopbackEgress()
    const from = (target: string) => egress.fetch({ url: url(target, '127.0.0.1'), ...sameSite })
    expect(await from(server.url('/end', '127.0.0.1'))).toMatchObject({ ok: true, status: 200 })
    expect(await from(server.url('/end', '127.0.0.2'))).toMatchObject({ code: 'redirect_refused' })
  })

  test('egress: a redirect within the site to a private address is refused', async () => {
    const { server, seen, url } = await redirecting()
    const egress = loopbackEgress({
      resolve: async (host) => [host === 'db.example.com' ? '10.0.0.1' : '127.0.0.1'],
    })
    const target = server.url('/end', 'db.example.com')
    const result = await egress.fetch({ url: url(target), ...sameSite })
    expect(result).toMatchObject({ ok: false, code: 'address_refused' })
    expect(seen).toHaveLength(1)
  })

  test('egress: a redirect that brings credentials along is refused', async () => {
    const { server, url } = await redirecting()
    const target = server.url('/end', 'u:p@www.example.com')
    const result = await loopbackEgress().fetch({ url: url(target), ...sameSite })
    expect(result).toMatchObject({ ok: false, code: 'credentials_in_url' })
  })

  test('egress: three redirects are followed and a fourth is refused', async () => {
    const hops: string[] = []
    const server = await httpServer((request, response) => {
      hops.push(request.url ?? '')
      const left = Number(request.url?.slice(1))
      if (left === 0) return response.end('arrived')
      response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const egress = loopbackEgress()
    const three = await egress.fetch({ url: server.url('/3'), ...sameSite })
    expect(three).toMatchObject({ ok: true, url: server.url('/0') })
    const four = await egress.fetch({ url: server.url('/4'), ...sameSite })
    expect(four).toMatchObject({ ok: false, code: 'redirect_refused' })
    expect(hops).toHaveLength(8)
  })

  test('egress: the body of a followed redirect is not read, however large', async () => {
    const server = await httpServer((request, response) => {
      if (request.url === '/end') return response.end('arrived')
      response.writeHead(302, { location: '/end', 'content-encoding': 'zstd' })
      response.end(Buffer.alloc(1_000_000))
    })
    const result = await loopbackEgress().fetch({ url: server.url(), ...sameSite })
    expect(result).toMatchObject({ ok: true, body: Buffer.from('arrived') })
  })

  test('egress: a POST is never redirected', async () => {
    const { server, seen, url } = await redirecting(307)
    const target = server.url('/end', 'www.example.com')
    const result = await loopbackEgress().fetch({ url: url(target), method: 'POST', ...sameSite })
    expect(result).toMatchObject({ ok: true, status: 307 })
    expect(seen).toHaveLength(1)
  })

  test('egress: a 3xx without a location is the response', async () => {
    const server = await httpServer((_request, response) => response.writeHead(302).end())
    const result = await loopbackEgress().fetch({ url: server.url(), ...sameSite })
    expect(result).toMatchObject({ ok: true, status: 302 })
  })
})

describe('followRedirect', () => {
  const isFollowed = (from: string, to: string) => followRedirect(new URL(from), to).ok

  test('egress: a step from https to http is refused and the way back is not', () => {
    expect(isFollowed('https://example.com/', 'http://example.com/')).toBe(false)
    expect(isFollowed('http://example.com/', 'https://www.example.com/')).toBe(true)
  })

  test('egress: names under a public suffix, private ones included, are different sites', () => {
    expect(isFollowed('https://a.github.io/', 'https://b.github.io/')).toBe(false)
    expect(isFollowed('https://a.co.uk/', 'https://b.co.uk/')).toBe(false)
    expect(isFollowed('https://x.a.co.uk/', 'https://y.a.co.uk/')).toBe(true)
    expect(isFollowed('https://github.io/', 'https://a.github.io/')).toBe(false)
    expect(isFollowed('https://db/', 'https://cache/')).toBe(false)
  })
})
