import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, call, startApp, type TestApp } from '../support/app.ts'
import { crawling } from '../support/crawl.ts'
import { redirect, startWeb, type Web } from '../support/web.ts'

describe.each(['sqlite', 'postgres'] as const)('owners of domains [%s]', (store) => {
  let web: Web
  let app: TestApp
  let key: string
  let other: string
  beforeAll(async () => {
    web = await startWeb()
    app = await startApp({ store, config: crawling(web.egressHosts), resolveTxt: web.resolveTxt })
    key = (await app.organization('Acme')).key
    other = (await app.organization('Other')).key
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const domains = (domain: string, what: string, by = key) =>
    ask(`/api/registry/domains/${domain}/${what}`, { method: 'POST', key: by })
  const proofOf = async (domain: string, by = key) =>
    (await domains(domain, 'proof', by)).body as {
      dns_txt: { name: string; value: string }
      file: { url: string; value: string }
      parent: { file: { url: string; value: string } } | null
    }
  const publishFile = ({ url, value }: { url: string; value: string }, before = '') =>
    web.publish(url, { body: `${before}${value}\n` })
  const saveBrand = (domain: string, name: string, by = key) =>
    ask('/api/brands/save', { key: by, body: { domain, brand_name: name } })
  const saveProperty = (domain: string, by = key) =>
    ask('/api/properties/save', {
      key: by,
      body: { publisher_domain: domain, properties: [{ type: 'website', name: 'Home' }] },
    })
  const brand = async (domain: string) => {
    const { body } = await ask(`/api/brands/resolve?domain=${domain}`)
    return [body.brand_name, body.source]
  }

  test('spec 4.5: what an organisation saves for its own domain is public at once, and hosted', async () => {
    expect((await domains('own.example', 'verify')).body).toEqual({
      domain: 'own.example',
      verified: false,
      proved_by: null,
      tried: [expect.stringContaining('_adwire-challenge'), expect.stringContaining('adwire-ver')],
    })
    publishFile((await proofOf('own.example')).file)
    expect((await domains('WWW.own.example', 'verify')).body).toEqual({
      domain: 'own.example',
      verified: true,
      proved_by: 'file',
      tried: [],
    })
    await saveBrand('own.example', 'Own')
    expect(await brand('own.example')).toEqual(['Own', 'hosted'])
    await saveProperty('own.example')
    const { body } = await ask('/api/properties/resolve?domain=own.example')
    expect(body).toMatchObject({ source: 'hosted', verified: true, authorized_agents: [] })
    // Nobody else saves anything there any more.
    expect((await saveBrand('own.example', 'Stolen', other)).status).toBe(409)
    expect((await saveProperty('own.example', other)).status).toBe(403)
    expect(await brand('own.example')).toEqual(['Own', 'hosted'])
  })

  test('spec 4.5: a proof makes public what its organisation had saved, and nothing of others', async () => {
    await saveBrand('waits.example', 'Waits')
    await saveProperty('waits.example', other)
    expect(await brand('waits.example')).toEqual([undefined, undefined])
    publishFile((await proofOf('waits.example')).file)
    await domains('waits.example', 'verify')
    expect(await brand('waits.example')).toEqual(['Waits', 'hosted'])
    // Words of a stranger do not become the owner's.
    expect((await ask('/api/properties/resolve?domain=waits.example')).status).toBe(404)
    expect((await saveProperty('waits.example')).status).toBe(200)
    const { body } = await ask('/api/properties/resolve?domain=waits.example')
    expect(body).toMatchObject({ source: 'hosted', verified: true })
    const history = await ask('/api/brands/history?domain=waits.example')
    expect(history.body.revisions).toEqual([
      expect.objectContaining({ edit_summary: 'changed review_status, owner', source: 'hosted' }),
    ])
  })

  test('spec 4.5: the proof of another organisation, a redirect, a sibling and a look-alike prove nothing', async () => {
    const theirs = await proofOf('prize.example', other)
    publishFile(theirs.file)
    expect((await domains('prize.example', 'verify')).body.verified).toBe(false)
    const mine = await proofOf('prize.example')
    expect(mine.file.value).not.toBe(theirs.file.value)
    web.publish(mine.file.url, redirect('https://elsewhere.example/proof.txt'))
    web.publish('https://elsewhere.example/proof.txt', { body: mine.file.value })
    expect((await domains('prize.example', 'verify')).body.verified).toBe(false)
    publishFile((await proofOf('a.site.example')).file)
    expect((await domains('b.site.example', 'verify')).body.verified).toBe(false)
    expect((await domains('site.example', 'verify')).body.verified).toBe(false)
    for (const refused of ['co.uk', 'gmail.com', 'xn--pple-43d.com', '10.0.0.1', 'github.io']) {
      expect([refused, (await domains(refused, 'proof')).status]).toEqual([refused, 400])
    }
    expect((await domains('prize.example', 'proof', 'sk_of_nobody')).status).toBe(401)
  })

  test('spec 4.5: whoever proves a domain later takes the place of the owner before', async () => {
    publishFile((await proofOf('sold.example')).file)
    await domains('sold.example', 'verify')
    await saveBrand('sold.example', 'Before')
    const next = await proofOf('sold.example', other)
    publishFile(next.file, 'another line\n')
    expect((await domains('sold.example', 'verify', other)).body.verified).toBe(true)
    // Until the new owner says something, what is there stays.
    expect(await brand('sold.example')).toEqual(['Before', 'hosted'])
    expect((await saveBrand('sold.example', 'Still mine')).status).toBe(409)
    expect((await saveBrand('sold.example', 'After', other)).status).toBe(200)
    expect(await brand('sold.example')).toEqual(['After', 'hosted'])
  })

  test('a caller may look for a bounded number of proofs', async () => {
    const { key: many } = await app.organization('Many')
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await domains(`n${n}.example`, 'verify', many)).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
  })
})
