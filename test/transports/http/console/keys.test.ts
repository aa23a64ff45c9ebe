import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SigningKey, SigningKeys } from '../../../../src/console/api/keys.ts'
import type { PrincipalDetails } from '../../../../src/console/api/principals.ts'
import { generateKeyPair } from '../../../../src/signing/keys.ts'
import { call, startApp, type TestApp } from '../../../support/app.ts'
import { type ConsoleClient, signIn } from '../../../support/console.ts'

const HOSTILE = '<img src=x onerror="alert(1)">'

describe.each(['sqlite', 'postgres'] as const)('keys and principals [%s]', (store) => {
  let app: TestApp
  let operator: ConsoleClient
  let viewer: ConsoleClient

  beforeAll(async () => {
    app = await startApp({
      store,
      config: { trustProxy: ['127.0.0.1'], webhookConcurrency: 0, taskConcurrency: 0 },
    })
    operator = await signIn(app, await app.principal('operator', 'admin'))
    viewer = await signIn(app, await app.principal('viewer'))
  })
  afterAll(() => app.stop())

  const audited = async (action: string) =>
    (await viewer.get(`/audit?action=${action}&limit=200`)).body.items as {
      target: string
      outcome: string
      detail?: string
    }[]
  const selfOf = async (client: ConsoleClient) =>
    (await client.get('/session')).body.principal.principal_id as string
  const detailsOf = async (client: ConsoleClient, id: string) =>
    (await client.get(`/principals/${id}`)).body as PrincipalDetails

  describe('signing keys', () => {
    const keys = async () => (await viewer.get('/keys')).body as SigningKeys
    const jwks = async () => {
      const { body } = await call(`${app.url}/.well-known/jwks.json`)
      return (body.keys as { kid: string }[]).map(({ kid }) => kid)
    }
    const ofState = ({ keys }: SigningKeys, state: SigningKey['state']) =>
      keys.filter((key) => key.purpose === 'webhook-signing' && key.state === state)

    test('spec 5: a rotation does what was said before it: published now, signing after the lead time', async () => {
      const before = await keys()
      const [plan] = before.rotations
      const [active] = ofState(before, 'active')
      expect(plan).toMatchObject({ current: active?.kid, signs_in_seconds: 600 })
      expect(before.jwks_url).toBe(`${app.url}/.well-known/jwks.json`)
      const body = { purpose: 'webhook-signing' }
      const { status, body: after } = await operator.post('/keys/rotate', body)
      expect(status).toBe(200)
      const [next] = ofState(after, 'published')
      const inSeconds = (Date.parse(next?.signs_from ?? '') - Date.parse(after.at)) / 1_000
      expect(Math.abs(inSeconds - 600)).toBeLessThan(60)
      expect(ofState(after, 'active')).toMatchObject([{ kid: active?.kid }])
      expect(await jwks()).toEqual(expect.arrayContaining([active?.kid, next?.kid]))
      expect(after.next_change_at).toBe(next?.signs_from)
      expect((await audited('keys.rotate'))[0]).toMatchObject({
        target: 'webhook-signing',
        outcome: 'done',
        detail: `${next?.kid} signs from ${next?.signs_from}`,
      })
    })

    test('spec 5: a revoked key is void at once, and the one signs that was said to', async () => {
      const [active] = ofState(await keys(), 'active')
      if (!active) throw new Error('a key signs')
      const path = `/keys/${active.kid}/revoke`
      const wrong = await operator.post(path, { confirm: 'revoke' })
      expect(wrong.status).toBe(409)
      expect(wrong.body.error.message).toContain('nothing was changed')
      expect(await jwks()).toContain(active.kid)

      const { status, body } = await operator.post(path, { confirm: active.kid.slice(0, 8) })
      expect(status).toBe(200)
      expect(ofState(body, 'active')).toMatchObject([{ kid: active.revocation?.signs_next }])
      expect(ofState(body, 'revoked')).toMatchObject([{ kid: active.kid, custody: 'erased' }])
      expect(await jwks()).not.toContain(active.kid)
      const list = await call(`${app.url}/.well-known/governance-revocations.json`)
      const payload = Buffer.from(String(list.body.payload), 'base64url').toString()
      expect(payload).toContain(active.kid)
      expect((await audited('keys.revoke')).map(({ outcome }) => outcome)).toEqual([
        'done',
        'refused',
      ])
      expect((await operator.post(path, { confirm: active.kid.slice(0, 8) })).status).toBe(409)
      expect((await operator.post('/keys/none/revoke', { confirm: 'none' })).status).toBe(404)
    })

    test('a key can be published ahead, and the next rotation takes it up', async () => {
      const published = await operator.post('/keys', { purpose: 'request-signing' })
      expect(published.status).toBe(200)
      const again = await operator.post('/keys', {
        purpose: 'request-signing',
        algorithm: 'ecdsa-p256-sha256',
      })
      const waiting = (again.body as SigningKeys).keys.find(
        ({ purpose, state }) => purpose === 'request-signing' && state === 'published',
      )
      expect(waiting).toMatchObject({ algorithm: 'ecdsa-p256-sha256' })
      const plan = (again.body as SigningKeys).rotations[1]
      expect(plan).toMatchObject({ purpose: 'request-signing', next: waiting?.kid })
      const hurried = { purpose: 'request-signing', in_a_hurry: true }
      const { body } = await operator.post('/keys/rotate', hurried)
      const taken = (body as SigningKeys).keys.find(({ kid }) => kid === waiting?.kid)
      expect(taken?.signs_from).toBeDefined()
    })

    test('no answer holds a private key', async () => {
      const rows = await app.storage.database.read.all<{ private_key: string | null }>(
        'SELECT private_key FROM signing_keys WHERE private_key IS NOT NULL',
      )
      const secrets = rows.map(({ private_key }) => JSON.parse(private_key ?? '{}').d as string)
      expect(secrets.length).toBeGreaterThan(0)
      const returned = JSON.stringify(await keys())
      for (const secret of secrets) expect(returned).not.toContain(secret)
    })
  })

  describe('principals', () => {
    test('one is made with a key that works, and the key is returned once', async () => {
      const made = await operator.post('/principals', { name: HOSTILE, scopes: ['tasks'] })
      expect(made.status).toBe(200)
      expect(made.headers.get('cache-control')).toBe('no-store')
      const { principal_id, key } = made.body
      const path = `/principals/${principal_id}`
      const second = await operator.post(`${path}/keys`, { expires_in_days: 30 })
      for (const one of [key, second.body.key]) {
        expect((await call(`${app.url}/v3/tasks`, { key: one })).status).toBe(200)
      }
      const details = await detailsOf(viewer, principal_id)
      expect(details).toMatchObject({ name: HOSTILE, good_keys: 2, is_self: false })
      expect(details.api_keys.map(({ hint }) => hint)).toContain(key.slice(0, 8))
      const reported = [
        ...app.logged,
        ...Object.values(await audited('principals.create')),
        ...Object.values(await audited('principals.make_key')),
        details,
        (await viewer.get('/principals')).body,
        ...(await app.storage.database.read.all('SELECT * FROM api_keys')),
      ]
      for (const one of [key, second.body.key]) {
        expect(JSON.stringify(reported)).not.toContain(one.slice(8))
      }
    })

    test('a revoked key is refused at once, and a revoked principal with all its keys', async () => {
      const { principal_id, key } = await app.named('Leaving')
      const path = `/principals/${principal_id}`
      const { body: made } = await operator.post(`${path}/keys`)
      const tasks = (one: string) => call(`${app.url}/v3/tasks`, { key: one })
      const revoked = await operator.post(`${path}/keys/${made.key_id}/revoke`)
      expect(revoked.body.api_keys[0]).toMatchObject({ key_id: made.key_id, state: 'revoked' })
      expect([(await tasks(made.key)).status, (await tasks(key)).status]).toEqual([401, 200])
      expect((await operator.post(`${path}/keys/${made.key_id}/revoke`)).status).toBe(409)

      expect((await operator.post(`${path}/revoke`, { confirm: 'Another' })).status).toBe(409)
      expect((await tasks(key)).status).toBe(200)
      const { body } = await operator.post(`${path}/revoke`, { confirm: 'Leaving' })
      expect(body).toMatchObject({ good_keys: 0, revoked_at: expect.any(String) })
      expect((await tasks(key)).status).toBe(401)
      expect((await operator.post(`${path}/keys`)).status).toBe(409)
    })

    test('a key is revoked as that of its own principal alone', async () => {
      const [one, other] = [await app.named('One'), await app.named('Other')]
      const [key] = (await detailsOf(viewer, other.principal_id)).api_keys
      const path = `/principals/${one.principal_id}/keys/${key?.key_id}/revoke`
      expect((await operator.post(path)).status).toBe(404)
      expect((await call(`${app.url}/v3/tasks`, { key: other.key })).status).toBe(200)
    })

    test('no one locks themselves out: neither their key nor their principal', async () => {
      const self = await selfOf(operator)
      const { api_keys } = await detailsOf(operator, self)
      expect(api_keys).toMatchObject([{ is_session: true }])
      const own = await operator.post(`/principals/${self}/keys/${api_keys[0]?.key_id}/revoke`)
      expect([own.status, own.body.error.message]).toEqual([
        409,
        expect.stringContaining('would lock you out'),
      ])
      const whole = await operator.post(`/principals/${self}/revoke`, { confirm: 'Caller' })
      expect([whole.status, whole.body.error.message]).toEqual([
        409,
        expect.stringContaining('would lock you out'),
      ])
      expect((await operator.get('/session')).status).toBe(200)
      expect((await audited('principals.revoke')).some((one) => one.outcome === 'refused')).toBe(
        true,
      )
    })

    test('of two operators who revoke each other, one stays', async () => {
      const two = await Promise.all(
        [1, 2].map(async () => signIn(app, await app.principal('operator', 'admin'))),
      )
      const ids = await Promise.all(two.map(selfOf))
      const answers = await Promise.all(
        two.map((client, index) =>
          client.post(`/principals/${ids[1 - index]}/revoke`, { confirm: 'Caller' }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      const good = await Promise.all(ids.map((id) => detailsOf(viewer, id)))
      expect(good.filter(({ revoked_at }) => revoked_at === undefined)).toHaveLength(1)
    })

    test('a session ends with the key that opened it', async () => {
      const key = await app.principal('operator', 'admin')
      const client = await signIn(app, key)
      const self = await selfOf(client)
      const [own] = (await detailsOf(operator, self)).api_keys
      expect(own).toMatchObject({ is_session: false })
      await operator.post(`/principals/${self}/keys/${own?.key_id}/revoke`)
      expect((await client.get('/session')).status).toBe(401)
    })

    test('spec 5: keys for signed requests are put on file and taken off', async () => {
      const { principal_id } = await app.named('Signs')
      const { principal_id: other } = await app.named('Signs too')
      const path = `/principals/${principal_id}/request-keys`
      const keyUse = 'adcp_use'
      const pair = generateKeyPair('ed25519', { keyUse, purpose: 'request-signing' })
      const refused = await operator.post(path, { jwk: JSON.stringify(pair.privateJwk) })
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        expect.stringContaining('private key'),
      ])
      expect((await operator.post(path, { jwk: 'no json' })).status).toBe(400)
      const added = await operator.post(path, { jwks_url: 'https://caller.example/jwks.json' })
      const [key] = added.body.request_keys
      expect(key).toMatchObject({ kind: 'jwks_url', key: 'https://caller.example/jwks.json' })
      const elsewhere = `/principals/${other}/request-keys/${key.key_id}/remove`
      expect((await operator.post(elsewhere)).status).toBe(404)
      const removed = await operator.post(`${path}/${key.key_id}/remove`)
      expect(removed.body.request_keys).toEqual([])
    })

    test('are found by a part of the name, an id or a key, and paged without losing one', async () => {
      const made = []
      for (const name of ['Findable A', 'FINDABLE B', 'findable c', 'findable d', 'findable e']) {
        made.push(await app.named(name))
      }
      const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name)
      const found: string[] = []
      let cursor = ''
      do {
        const { body } = await viewer.get(`/principals?q=FindAble&limit=2${cursor}`)
        found.push(...names(body))
        cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`
      } while (cursor !== '')
      expect(found).toEqual(['findable e', 'findable d', 'findable c', 'FINDABLE B', 'Findable A'])
      const [first] = made
      for (const q of [first?.principal_id, first?.key, first?.key.slice(0, 8)]) {
        expect(names((await viewer.get(`/principals?q=${q}`)).body)).toEqual(['Findable A'])
      }
      const operators = (await viewer.get('/principals?scope=operator')).body.items
      expect(operators.length).toBeGreaterThan(0)
      expect(
        operators.every(({ scopes }: { scopes: string[] }) => scopes.includes('operator')),
      ).toBe(true)
      expect((await viewer.get('/principals?cursor=x')).status).toBe(400)
      expect((await viewer.get('/principals/prn_none')).status).toBe(404)
      expect((await viewer.get('/principals/%00')).status).toBe(400)
      expect((await viewer.get('/principals?q=adw_%00')).body.items).toEqual([])
      const gone = (await viewer.get('/principals?state=revoked&q=findable')).body.items
      expect(gone).toEqual([])
    })
  })
})
