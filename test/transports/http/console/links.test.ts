import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LINK_ROUTES } from '../../../../src/console/api/link-routes.ts'
import { LINK_PARTS } from '../../../../src/console/api/links.ts'
import type { ConsoleRoute } from '../../../../src/console/api/route.ts'
import { CONSOLE_ROUTES } from '../../../../src/console/api/routes.ts'
import type { Channel } from '../../../../src/webhooks/sender/store.ts'
import { startApp, type TestApp } from '../../../support/app.ts'
import { type LinkClient, openLink, postToken, tokenOf } from '../../../support/buyer-link.ts'
import { ask, type ConsoleClient, signIn } from '../../../support/console.ts'
import { buyRecord } from '../../../support/media-buys.ts'
import { newChannel } from '../../../support/outbox-contract.ts'

const DAY = 86_400
const routes = Object.entries(LINK_ROUTES) as [string, ConsoleRoute][]

describe.each(['sqlite', 'postgres'] as const)('a buyer’s link [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let buyer: { principal_id: string; key: string }
  let rival: { principal_id: string; key: string }
  let link: LinkClient
  const ids = new Map<string, { delivery_id: number; media_buy_id: string; endpoint_id: string }>()

  beforeAll(async () => {
    app = await startApp({
      store,
      config: {
        trustProxy: ['127.0.0.1'],
        webhookConcurrency: 0,
        taskConcurrency: 0,
        logLevel: 'debug',
      },
    })
    operator = await signIn(app, await app.principal('operator', 'admin'))
    buyer = await app.named('Buyer')
    rival = await app.named('Rival')
    for (const { principal_id } of [buyer, rival]) await makeThings(principal_id)
    link = await openLink(app.url, await made())
  })
  afterAll(() => app.stop())

  const made = async (over: object = {}, principal_id = buyer.principal_id): Promise<string> => {
    const body = { seconds: DAY, shows: LINK_PARTS, ...over }
    const answer = await operator.post(`/principals/${principal_id}/links`, body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.url
  }
  const sql = (text: string, params: (string | number | null)[] = []) =>
    app.storage.database.transact((tx) => tx.run(text, params))

  /** A delivery with a failed attempt, and a window of a report, of one principal. */
  async function makeThings(owner: string): Promise<void> {
    const { transact, channels, outbox, mediaBuys } = app.storage
    const buy = buyRecord({ owner, status: 'completed', created_at: Date.now() })
    const { media_buy_id } = buy
    await transact((tx) => mediaBuys.add(tx, buy))
    const to = (await transact((tx) =>
      channels.put(
        tx,
        newChannel({
          owner,
          subject: `media_buy:${media_buy_id}`,
          url: `https://${owner.replaceAll('_', '-')}.example/hook?secret=1`,
        }),
        9,
      ),
    )) as Channel
    const idempotency_key = randomUUID()
    const body = Buffer.from(JSON.stringify({ of: owner }))
    const reported = {
      notification_type: 'completed',
      operation_id: `op-${owner}`,
      idempotency_key,
    }
    const delivery = {
      channel: to,
      task_id: undefined,
      sequence_number: undefined,
      body,
      ...reported,
    }
    await transact((tx) => outbox.add(tx, [delivery], 3_600_000))
    const query = `/deliveries?idempotency_key=${idempotency_key}`
    const [{ delivery_id, endpoint_id }] = (await operator.get(query)).body.items
    ids.set(owner, { delivery_id, endpoint_id, media_buy_id })
    await sql(
      `INSERT INTO webhook_attempts (delivery_id, attempt, url, status, error_message, fault,
         response_head, fired_at, completed_at)
       VALUES ($1, 1, $2, 'failed', 'ADWIRE_KEY_SECRET is wrong on host-7', 'signing', NULL, 1, 2)`,
      [delivery_id, to.url.split('?')[0] ?? ''],
    )
    await sql(
      `INSERT INTO report_windows (media_buy_id, owner, kind, start_at, end_at, state, is_settled,
         notification_types) VALUES ($1, $2, 'window', 1000, 2000, 'late', 1, '')`,
      [media_buy_id, owner],
    )
  }
  const thingsOf = ({ principal_id }: { principal_id: string }) => {
    const found = ids.get(principal_id)
    if (!found) throw new Error('its things were made')
    return found
  }

  test('shows what is the principal’s own, for a cookie of the page’s own', async () => {
    expect(link.opened.status).toBe(200)
    expect(link.opened.body).toEqual({
      name: 'Buyer',
      shows: ['deliveries', 'endpoints', 'reports'],
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(link.opened.headers.get('set-cookie')).toMatch(
      /^adwire_link=[\w-]{43}; Path=\/console\/api\/link; HttpOnly; SameSite=Strict; Max-Age=86\d{3}$/,
    )
    const { delivery_id, media_buy_id } = thingsOf(buyer)
    const list = (await link.get('/deliveries')).body.items
    expect(list).toMatchObject([{ delivery_id, principal_id: buyer.principal_id, media_buy_id }])
    const one = await link.get(`/deliveries/${delivery_id}`)
    expect(one.body).toMatchObject({
      body: { text: JSON.stringify({ of: buyer.principal_id }) },
      may: { retry: false, cancel: false },
    })
    const endpoints = (await link.get('/endpoints')).body.items
    expect(endpoints).toMatchObject([{ principal_id: buyer.principal_id }])
    const reports = (await link.get('/reports')).body.items
    expect(reports).toEqual([
      {
        media_buy_id,
        kind: 'window',
        state: 'late',
        start: '1970-01-01T00:00:01.000Z',
        end: '1970-01-01T00:00:02.000Z',
      },
    ])
  })

  test('returns less than an operator sees: nothing of the server’s own affairs', async () => {
    const { delivery_id } = thingsOf(buyer)
    const asOperator = (await operator.get(`/deliveries/${delivery_id}`)).body
    expect(JSON.stringify(asOperator)).toContain('ADWIRE_KEY_SECRET')
    for (const path of [`/deliveries/${delivery_id}`, '/deliveries', '/endpoints', '/session']) {
      const text = JSON.stringify((await link.get(path)).body)
      for (const internal of ['ADWIRE_KEY_SECRET', 'host-7', 'adwire keys', 'secret=1', 'Caller']) {
        expect([path, text.includes(internal)]).toEqual([path, false])
      }
    }
  })

  test('nothing of another principal is found, by any of its ids, through any route', async () => {
    const theirs = thingsOf(rival)
    const { owner, endpoint } = {
      owner: rival.principal_id,
      endpoint: `https://${rival.principal_id.replaceAll('_', '-')}.example/hook`,
    }
    const hints = [
      String(theirs.delivery_id),
      theirs.media_buy_id,
      theirs.endpoint_id,
      owner,
      endpoint,
      `op-${owner}`,
      'Rival',
    ]
    const names = [
      'q',
      'endpoint',
      'media_buy_id',
      'endpoint_id',
      'principal_id',
      'owner',
      'cursor',
    ]
    const requested: string[] = []
    for (const [, { method, path }] of routes) {
      if (method !== 'GET') continue
      const below = path.replace('/console/api/link', '')
      for (const hint of hints) {
        if (below.includes(':')) requested.push(below.replace(/:\w+/, encodeURIComponent(hint)))
        else
          for (const name of names)
            requested.push(`${below}?${new URLSearchParams({ [name]: hint })}`)
      }
    }
    // The cursor of an operator's list, and of another's link, are places in this one at most.
    const foreign = await openLink(app.url, await made({}, rival.principal_id))
    for (const path of ['/deliveries', '/reports']) {
      const { body } = await foreign.get(`${path}?limit=1`)
      expect(body.items).toHaveLength(1)
    }
    expect(requested.length).toBeGreaterThan(100)
    for (const path of requested) {
      const { status, body } = await link.get(path)
      const text = JSON.stringify(body.items ?? (status === 200 ? body : []))
      for (const hint of [`"of":"${owner}"`, theirs.media_buy_id, owner, endpoint, 'Rival']) {
        expect([path, hint, text.includes(hint)]).toEqual([path, hint, false])
      }
      if (path.startsWith(`/deliveries/${theirs.delivery_id}`))
        expect([path, status]).toEqual([path, 404])
    }
  })

  test('opens nothing of the console, and a session of the console opens no link', async () => {
    const all = Object.values(CONSOLE_ROUTES) as ConsoleRoute[]
    for (const { method, path, role } of all.filter(({ role }) => role !== 'anyone')) {
      if (role === 'link') continue
      const filled = path.replace(/:\w+/g, '1')
      const value = link.cookie.replace('adwire_link=', '')
      for (const cookie of [link.cookie, `adwire_console=${value}`]) {
        const answer = await ask(app.url + filled, {
          method,
          headers: { cookie },
          ...(method === 'POST' ? { body: {} } : {}),
        })
        expect([method, path, answer.status]).toEqual([method, path, 401])
      }
    }
    for (const path of ['/session', '/deliveries', '/endpoints', '/reports']) {
      const value = operator.cookie.replace('adwire_console=', '')
      for (const cookie of [operator.cookie, `adwire_link=${value}`]) {
        expect((await link.get(path, { cookie })).status).toBe(401)
      }
    }
    const stream = await ask(`${app.url}/console/api/events`, { headers: { cookie: link.cookie } })
    expect(stream.status).toBe(401)
  })

  test('a planted cookie is worth nothing, and every opening has one of its own', async () => {
    const url = await made()
    const planted = `adwire_link=${'A'.repeat(43)}`
    const first = await postToken(app.url, tokenOf(url), { cookie: planted })
    const second = await postToken(app.url, tokenOf(url))
    const cookies = [first, second].map(({ headers }) => headers.get('set-cookie')?.split(';')[0])
    expect(new Set([...cookies, planted]).size).toBe(3)
    expect((await link.get('/session', { cookie: planted })).status).toBe(401)
    expect((await link.get('/session', { cookie: `${link.cookie}; ${planted}` })).status).toBe(401)
  })

  test('who opens another link leaves the one before', async () => {
    const before = await openLink(app.url, await made())
    const other = await made({}, rival.principal_id)
    const next = await postToken(app.url, tokenOf(other), { cookie: before.cookie })
    expect(next.body.name).toBe('Rival')
    expect((await before.get('/session')).status).toBe(401)
  })

  test('shows only the parts that it was made for', async () => {
    const { get, opened } = await openLink(app.url, await made({ shows: ['reports'] }))
    expect(opened.body.shows).toEqual(['reports'])
    expect((await get('/reports')).status).toBe(200)
    for (const path of [
      '/deliveries',
      `/deliveries/${thingsOf(buyer).delivery_id}`,
      '/endpoints',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 403])
    }
  })

  test.each(['revoked', 'expired', 'of a revoked principal', 'closed'] as const)(
    'one that is %s shows nothing from then on',
    async (how) => {
      const own = await app.named(`Gone ${how}`)
      const url = await made({}, own.principal_id)
      const opened = await openLink(app.url, url)
      expect((await opened.get('/deliveries')).status).toBe(200)
      const [item] = (await operator.get(`/principals/${own.principal_id}`)).body.links
      const path = `/principals/${own.principal_id}`
      if (how === 'revoked') await operator.post(`${path}/links/${item.link_id}/revoke`)
      if (how === 'expired') {
        await sql('UPDATE buyer_links SET expires_at = 1 WHERE link_id = $1', [item.link_id])
      }
      if (how === 'of a revoked principal') {
        await operator.post(`${path}/revoke`, { confirm: `Gone ${how}` })
      }
      if (how === 'closed') {
        const { cookie } = opened
        await ask(`${app.url}/console/api/link/session`, { method: 'DELETE', headers: { cookie } })
      }
      for (const [, { method, path: whole }] of routes) {
        if (method !== 'GET') continue
        const below = whole.replace('/console/api/link', '').replace(/:\w+/, '1')
        expect([below, (await opened.get(below)).status]).toEqual([below, 401])
      }
      const again = await postToken(app.url, tokenOf(url))
      expect(again.status).toBe(how === 'closed' ? 200 : 401)
      if (how !== 'closed') expect(again.headers.get('set-cookie')).toBeNull()
    },
  )

  test('a wrong token gets no information but that, and few may be tried', async () => {
    const address = { 'x-forwarded-for': '10.9.9.9' }
    const wrong = [
      'x',
      `adl_${'A'.repeat(43)}`,
      `${tokenOf(await made())}x`,
      buyer.key,
      '%00',
      ...Array.from({ length: 5 }, () => `adl_${randomUUID()}`),
    ]
    const messages = new Set<string>()
    for (const token of wrong) {
      const { status, body } = await postToken(app.url, token, address)
      expect(status).toBe(401)
      messages.add(body.error.message)
    }
    expect(messages.size).toBe(1)
    const { status, headers } = await postToken(app.url, tokenOf(await made()), address)
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
  })

  test('is opened by its own page alone', async () => {
    const token = tokenOf(await made())
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await postToken(app.url, token, headers)).status).toBe(403)
      expect((await link.get('/deliveries', headers)).status).toBe(403)
    }
    const form = await fetch(`${app.url}/console/api/link/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}`,
    })
    expect(form.status).toBe(415)
    for (const path of ['deliveries', 'reports', 'session/x']) {
      const { status } = await ask(`${app.url}/console/api/link/${path}`, {
        method: 'POST',
        body: {},
        headers: { cookie: link.cookie },
      })
      expect([path, [404, 405].includes(status)]).toEqual([path, true])
    }
  })

  test('no one may frame its page, keep it, or learn of it by a referrer', async () => {
    for (const path of ['/console/link', '/console/link/deliveries', '/console/api/link/session']) {
      const { headers } = await ask(app.url + path)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  test('its token is in the answer that made it and nowhere else', async () => {
    const url = await made()
    const token = tokenOf(url)
    expect(url).toBe(`${app.url}/console/link#${token}`)
    await openLink(app.url, url)
    const { read } = app.storage.database
    const kept = [
      ...app.logged,
      await read.all('SELECT * FROM buyer_links'),
      await read.all('SELECT * FROM buyer_link_sessions'),
      await read.all('SELECT * FROM console_audit'),
      (await operator.get(`/principals/${buyer.principal_id}`)).body,
    ]
    expect(app.logged.join()).toContain('/console/api/link/session')
    expect(JSON.stringify(kept)).not.toContain(token.slice(4))
    expect(JSON.stringify(kept)).not.toContain(link.cookie.replace('adwire_link=', ''))
  })

  test('who made it, when it ends and when it was opened is returned, and audited', async () => {
    const own = await app.named('Listed')
    const url = await made({ seconds: 3_600, shows: ['reports', 'deliveries'] }, own.principal_id)
    const list = async () => (await operator.get(`/principals/${own.principal_id}`)).body.links
    expect(await list()).toMatchObject([
      {
        state: 'good',
        made_by: 'Caller',
        made_with: 'console',
        opens: 0,
        shows: ['deliveries', 'reports'],
      },
    ])
    await openLink(app.url, url)
    const [item] = await list()
    expect(item).toMatchObject({ opens: 1, opened_at: expect.any(String) })
    await operator.post(`/principals/${own.principal_id}/links/${item.link_id}/revoke`)
    expect(await list()).toMatchObject([{ state: 'revoked', revoked_at: expect.any(String) }])
    const { body } = await operator.get('/audit?limit=50')
    const entries = body.items.filter(
      ({ target, action }: { target: string; action: string }) =>
        target === own.principal_id && action.startsWith('links.'),
    )
    expect(
      entries.map((one: { action: string; principal_name: string }) => [
        one.action,
        one.principal_name,
      ]),
    ).toEqual([
      ['links.revoke', 'Caller'],
      ['links.open', 'Listed'],
      ['links.make', 'Caller'],
    ])
  })

  test.each([
    { seconds: 3_599 },
    { seconds: 7 * DAY + 1 },
    { seconds: 'long' },
    { shows: [] },
    { shows: ['keys'] },
    { principal_id: 'prn_x' },
  ])('none is made of %o', async (over) => {
    const body = { seconds: DAY, shows: LINK_PARTS, ...over }
    const { status } = await operator.post(`/principals/${buyer.principal_id}/links`, body)
    expect(status).toBe(400)
  })
})
