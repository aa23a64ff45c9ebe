import { expect, test } from 'vitest'
import { fetchHops } from '../../src/lib/fetch-hops.ts'
import type { Egress } from '../../src/lib/safe-fetch/safe-fetch.ts'

/** Answers with a redirect where the table has one, and with 200 elsewhere. */
function site(redirects: Record<string, string>): Egress['fetch'] {
  return async ({ url, redirects: mode }) => {
    expect(mode).toBe('none')
    const location = redirects[url]
    return {
      ok: true,
      status: location === undefined ? 200 : 302,
      headers: location === undefined ? {} : { location },
      body: Buffer.from(url),
      url,
      truncated: false,
      durationMs: 1,
    }
  }
}

const get = (url: string, redirects: Record<string, string>) =>
  fetchHops(site(redirects), { url, totalTimeoutMs: 1_000 })

test('every address on the way is reported, including the first and the last', async () => {
  const result = await get('https://acme.com/a', {
    'https://acme.com/a': '/b',
    'https://acme.com/b': 'https://www.acme.com/c',
  })
  expect(result).toMatchObject({
    ok: true,
    url: 'https://www.acme.com/c',
    hops: ['https://acme.com/a', 'https://acme.com/b', 'https://www.acme.com/c'],
  })
})

test.each([
  ['another site', 'https://evil.net/b'],
  ['another customer of a platform', 'https://b.github.io/b'],
  ['http', 'http://acme.com/b'],
  ['no URL', 'https://'],
])('a redirect to %s is not followed', async (_what, location) => {
  const start = location.includes('github') ? 'https://a.github.io/a' : 'https://acme.com/a'
  const result = await get(start, { [start]: location })
  expect(result).toMatchObject({ ok: false, code: 'redirect_refused', hops: [start] })
})

test('a circle ends after three redirects', async () => {
  const result = await get('https://acme.com/a', { 'https://acme.com/a': '/a' })
  expect(result).toMatchObject({ ok: false, code: 'redirect_refused' })
  expect(result.hops).toHaveLength(4)
})

test('all hops share one time', async () => {
  const given: (number | undefined)[] = []
  const fetch: Egress['fetch'] = async (request) => {
    given.push(request.totalTimeoutMs)
    return site({ 'https://acme.com/a': '/b' })(request)
  }
  await fetchHops(fetch, { url: 'https://acme.com/a', totalTimeoutMs: 1_000 })
  expect(given).toHaveLength(2)
  expect(given[1]).toBeLessThanOrEqual(given[0] as number)
})
