import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../../support/app.ts'

let app: TestApp
let key: string
beforeAll(async () => {
  app = await startApp({ config: { registryVerifyConcurrency: 0 } })
  key = (await app.organization()).key
  for (const domain of ['known.example', 'changed.example']) {
    await call(`${app.url}/api/manifest-refs`, {
      key,
      body: {
        domain,
        manifest_type: 'adagents.json',
        reference_type: 'url',
        manifest_url: 'https://files.example/adagents.json',
      },
    })
  }
  await app.storage.database.transact((tx) =>
    tx.run(`UPDATE manifest_references SET verification_status = 'valid'`),
  )
})
afterAll(() => app.stop())

const check = (domains: unknown, by?: string) =>
  call(`${app.url}/api/properties/check`, {
    body: { domains },
    ...(by === undefined ? {} : { key: by }),
  })
const report = (id: unknown) => call(`${app.url}/api/properties/check/${id}`)

test('spec 4.5: each domain is in one of remove, ok and assess, and a changed one in modify as well', async () => {
  const { status, body } = await check([
    'known.example',
    'https://KNOWN.example/path',
    'www.changed.example',
    'm.unknown.example',
    'unknown.example.',
    'ad.doubleclick.net',
    'Other.Example',
    'm.co.uk',
    'no domain',
  ])
  expect(status).toBe(200)
  expect(body).toEqual({
    summary: { total: 9, remove: 3, modify: 2, assess: 4, ok: 2 },
    remove: [
      { input: 'https://KNOWN.example/path', canonical: 'known.example', reason: 'duplicate' },
      { input: 'unknown.example.', canonical: 'unknown.example', reason: 'duplicate' },
      {
        input: 'ad.doubleclick.net',
        canonical: 'ad.doubleclick.net',
        reason: 'blocked',
        domain_type: 'ad_server',
        blocked_reason: expect.any(String),
      },
    ],
    modify: [
      { input: 'www.changed.example', canonical: 'changed.example', reason: 'www_stripped' },
      { input: 'm.unknown.example', canonical: 'unknown.example', reason: 'm_stripped' },
    ],
    assess: [
      { domain: 'unknown.example' },
      { domain: 'other.example' },
      { domain: 'm.co.uk' },
      { domain: 'no domain' },
    ],
    ok: [
      { domain: 'known.example', source: 'adagents_json' },
      { domain: 'changed.example', source: 'adagents_json' },
    ],
    report_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  const again = await report(body.report_id)
  expect([again.status, again.body]).toEqual([200, { summary: body.summary }])
})

test('spec 4.5: a report that there is not, or an id that is none, is 404', async () => {
  expect((await report('00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await report('x')).status).toBe(404)
})

test('10 000 domains are checked in one call, and no more', async () => {
  const domains = Array.from({ length: 10_000 }, (_, n) => `site-${n % 9_999}.example`)
  const checked = await check(domains, key)
  expect(checked.body.summary).toEqual({
    total: 10_000,
    remove: 1,
    modify: 0,
    assess: 9_999,
    ok: 0,
  })
  expect((await check([...domains, 'one.example'], key)).status).toBe(400)
})

test.each([[[]], ['known.example'], [[7]], [[['a']]], [['x'.repeat(501)]], [null]])(
  'a list that is %j is refused',
  async (domains) => {
    const before = await app.count('property_check_reports')
    expect((await check(domains)).status).toBe(400)
    expect(await app.count('property_check_reports')).toBe(before)
  },
)

test('an address may make a bounded number of checks', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 25; n++) statuses.push((await check(['known.example'])).status)
  expect(statuses.at(-1)).toBe(429)
  const refused = await check(['known.example'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
