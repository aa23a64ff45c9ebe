import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../../support/app.ts'
import { openLink } from '../../support/buyer-link.ts'
import { signIn } from '../../support/console.ts'

let app: TestApp
let buyer: { principal_id: string; key: string }
let rival: { principal_id: string; key: string }
let operator: string

beforeAll(async () => {
  app = await startApp({ config: { trustProxy: ['127.0.0.1'] } })
  buyer = await app.named('Buyer')
  rival = await app.named('Rival')
  operator = await app.principal('operator')
})
afterAll(() => app.stop())

const links = (requested: Call = {}, path = '') => call(`${app.url}/links${path}`, requested)
const listed = async (key: string, path = '') =>
  (await links({ key }, path)).body.links as { link_id: string; made_by: string }[]

describe('links over the API', () => {
  test('a principal makes one for itself, which its page opens', async () => {
    const made = await links({ key: buyer.key, body: { seconds: 3_600, shows: ['deliveries'] } })
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { link_id, url } = made.body as { link_id: string; url: string }
    const { opened } = await openLink(app.url, url)
    expect(opened.body).toMatchObject({ name: 'Buyer', shows: ['deliveries'] })
    expect(await listed(buyer.key)).toMatchObject([
      { link_id, made_by: 'Buyer', made_with: 'api', opens: 1, state: 'good' },
    ])
  })

  test('without a word on it one is good for a day and shows everything', async () => {
    const { body } = await links({ key: buyer.key, body: {} })
    const hours = (Date.parse(String(body.expires_at)) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    const { opened } = await openLink(app.url, String(body.url))
    expect(opened.body.shows).toEqual(['deliveries', 'endpoints', 'reports'])
  })

  test('an operator makes one for any principal, which is not informed by whom', async () => {
    const { principal_id } = rival
    const made = await links({ key: operator, body: { principal_id } })
    expect(made.status).toBe(201)
    const { opened } = await openLink(app.url, String(made.body.url))
    expect(opened.body.name).toBe('Rival')
    expect(await listed(rival.key)).toMatchObject([{ made_by: 'the operator' }])
    expect(await listed(operator, `?principal_id=${principal_id}`)).toMatchObject([
      { made_by: 'Caller' },
    ])
    const unknown = await links({ key: operator, body: { principal_id: 'prn_none' } })
    expect(unknown.status).toBe(404)
  })

  test('no one reaches the links of another principal', async () => {
    const [own] = await listed(rival.key)
    const asOf = `?principal_id=${rival.principal_id}`
    const body = { principal_id: rival.principal_id }
    expect((await links({ key: buyer.key, body })).status).toBe(403)
    expect((await links({ key: buyer.key }, asOf)).status).toBe(403)
    const path = `/${own?.link_id}`
    expect((await links({ key: buyer.key, method: 'DELETE' }, path)).status).toBe(404)
    expect((await links({ key: buyer.key, method: 'DELETE' }, path + asOf)).status).toBe(403)
    expect(await listed(rival.key)).toMatchObject([{ state: 'good' }])
  })

  test('who has no key, a wrong one, or one that is for looking alone makes none', async () => {
    const viewer = await app.principal('viewer')
    const before = await app.count('buyer_links')
    for (const [key, status] of [
      [undefined, 401],
      ['adw_wrong_wrong_wrong', 401],
      [viewer, 403],
    ] as const) {
      const answer = await links({ ...(key && { key }), body: {} })
      expect([key, answer.status, typeof answer.body.error]).toEqual([key, status, 'string'])
      if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(await app.count('buyer_links')).toBe(before)
  })

  test('a cookie of the console is no key here', async () => {
    const { cookie, csrf } = await signIn(app, operator)
    const headers = { cookie, 'x-adwire-csrf': csrf }
    expect((await links({ body: {}, headers })).status).toBe(401)
  })

  test.each([{ seconds: 60 }, { seconds: 604_801 }, { shows: ['keys'] }, { token: 'mine' }])(
    '%o is refused',
    async (body) => {
      const answer = await links({ key: buyer.key, body })
      expect([answer.status, typeof answer.body.error]).toEqual([400, 'string'])
    },
  )

  test('one that is revoked is open nowhere any more', async () => {
    const { body } = await links({ key: buyer.key, body: {} })
    const { get } = await openLink(app.url, String(body.url))
    const revoked = await links({ key: buyer.key, method: 'DELETE' }, `/${body.link_id}`)
    expect(revoked.status).toBe(204)
    expect((await get('/session')).status).toBe(401)
    expect((await links({ key: buyer.key, method: 'DELETE' }, `/${body.link_id}`)).status).toBe(404)
  })

  test('a principal has at most fifty good ones', async () => {
    const { key } = await app.named('Many')
    for (let n = 0; n < 50; n++) expect((await links({ key, body: {} })).status).toBe(201)
    const over = await links({ key, body: {} })
    expect([over.status, over.body.error]).toEqual([409, expect.stringContaining('revoke one')])
  })

  test('no token is in the log', async () => {
    const { body } = await links({ key: buyer.key, body: {} })
    await openLink(app.url, String(body.url))
    const token = new URL(String(body.url)).hash.slice(5)
    expect(token).toHaveLength(43)
    expect(app.logged.join()).not.toContain(token)
  })

  test('they are described in OpenAPI', async () => {
    const { body } = await call(`${app.url}/openapi.json`)
    const paths = body.paths as Record<string, object>
    expect(Object.keys(paths['/links'] ?? {})).toEqual(expect.arrayContaining(['get', 'post']))
    expect(Object.keys(paths['/links/{link_id}'] ?? {})).toContain('delete')
  })
})
