import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostMapFault, parseHostMap, withHosts } from '../../src/lib/host-map.ts'
import { createEgress, type Egress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { type ManifestServer, startManifestServer } from '../support/manifest-server.ts'

describe('a host map', () => {
  const map = parseHostMap([
    'acme.example=http://127.0.0.1:9000',
    '*.example=http://127.0.0.1:1/{host}',
    '*.shop.example=http://127.0.0.1:2',
  ])

  test.each([
    ['acme.example', 'http://127.0.0.1:9000'],
    ['other.example', 'http://127.0.0.1:1/other.example'],
    ['a.shop.example', 'http://127.0.0.1:2'],
    ['a.b.shop.example', 'http://127.0.0.1:2'],
    ['shop.example', 'http://127.0.0.1:1/shop.example'],
    ['sub.acme.example', 'http://127.0.0.1:1/sub.acme.example'],
    ['acme.com', undefined],
    ['notexample', undefined],
  ])('sends %s to %s', (host, base) => {
    expect(map(host)).toBe(base)
  })

  test('takes the later of two entries for one name', () => {
    const twice = parseHostMap(['a.example=http://127.0.0.1:1', 'a.example=http://127.0.0.1:2'])
    expect(twice('a.example')).toBe('http://127.0.0.1:2')
  })

  test.each(['acme.example', '=http://x', 'acme.example=', 'a*b.example=http://x', 'a b=http://x'])(
    'does not take %j',
    (entry) => {
      expect(hostMapFault(entry)).toContain('acme.example=http://127.0.0.1:9000')
    },
  )
  test.each(['acme.example=https://x.example', '*.example=http://127.0.0.1:1/{host}'])(
    'takes %j',
    (entry) => {
      expect(hostMapFault(entry)).toBeUndefined()
    },
  )
})

describe('a request to a mapped host', () => {
  let server: ManifestServer
  let egress: Egress
  beforeAll(async () => {
    server = await startManifestServer()
    const guard = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
    egress = withHosts(guard, parseHostMap([`*.example=${server.url}/{host}`]))
    server.set('/a.example/file?q=1', { body: 'hello' })
    server.set('/a.example/go', {
      status: 302,
      headers: { location: 'https://www.a.example/there' },
      body: '',
    })
    server.set('/www.a.example/there', { body: 'arrived' })
    server.set('/a.example/away', {
      status: 302,
      headers: { location: 'https://b.example/there' },
      body: '',
    })
  })
  afterAll(async () => {
    await egress.close()
    await server.stop()
  })

  test('goes where the map says, and its response is from the URL that was requested', async () => {
    const result = await egress.fetch({ url: 'https://A.example/file?q=1' })
    expect(result).toMatchObject({ ok: true, status: 200, url: 'https://a.example/file?q=1' })
  })

  test('follows redirects between the names, within the site', async () => {
    const result = await egress.fetch({ url: 'https://a.example/go', redirects: 'same-site' })
    expect(result).toMatchObject({ ok: true, status: 200, url: 'https://www.a.example/there' })
    const away = await egress.fetch({ url: 'https://a.example/away', redirects: 'same-site' })
    expect(away).toMatchObject({ ok: false, code: 'redirect_refused' })
  })

  test('with a port, http or credentials is checked like any other', async () => {
    const requested = server.requested.length
    const refused = await egress.fetch({ url: 'https://user@a.example/file?q=1' })
    expect(refused).toMatchObject({ ok: false, code: 'credentials_in_url' })
    for (const url of ['https://a.example:8443/file?q=1', 'http://a.example/file?q=1']) {
      expect((await egress.fetch({ url })).ok).toBe(false)
    }
    expect(server.requested).toHaveLength(requested)
  })

  test('does not go where the guard forbids it', async () => {
    const strict = withHosts(createEgress(), parseHostMap([`a.example=${server.url}`]))
    const refused = await strict.fetch({ url: 'https://a.example/file' })
    expect(refused).toMatchObject({ ok: false, code: 'scheme_refused' })
    await strict.close()
  })
})
