import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startWeb, type Web } from '../support/web.ts'

const AGENT = 'https://sell.example/mcp'
const MANAGER = 'net.example'
const WELL_KNOWN = '/.well-known/adagents.json'
const DAY_MS = 86_400_000
const soon = new Date(Date.now() + 10 * DAY_MS).toISOString()

const entry = (over: Record<string, unknown> = {}) => ({
  url: AGENT,
  authorized_for: 'display',
  authorization_type: 'property_tags',
  property_tags: ['sold'],
  ...over,
})
const property = (domain: string, tags = ['sold']) => ({
  property_id: domain,
  property_type: 'website',
  name: domain,
  identifiers: [{ type: 'domain', value: domain }],
  publisher_domain: domain,
  tags,
})
interface Finding {
  domain: string
  kind: string
  code: string
  message: string
  change: string
  until: string | null
}

describe.each(['sqlite', 'postgres'] as const)('the health of a network [%s]', (store) => {
  let web: Web
  let app: TestApp

  beforeAll(async () => {
    web = await startWeb()
    const config = {
      registryVerifyConcurrency: 0,
      egressHosts: web.egressHosts,
      registryCrawlGapMs: 0,
    }
    app = await startApp({ store, config, resolveTxt: web.resolveTxt })
    const location = `https://${MANAGER}${WELL_KNOWN}`
    web.publish(location, {
      body: {
        authorized_agents: [
          entry(),
          entry({ url: 'https://ends.example/mcp', effective_until: soon }),
        ],
        properties: [
          ...['good', 'silent', 'own', 'broken', 'down'].map((name) => property(`${name}.example`)),
          property('unsold.example', []),
          property('gone.example'),
        ],
        revoked_publisher_domains: [{ publisher_domain: 'gone.example', reason: 'other' }],
      },
    })
    const pointing = ['good', 'unsold', 'gone', 'undescribed', 'down']
    for (const name of pointing) {
      web.publish(`https://${name}.example${WELL_KNOWN}`, {
        body: { authoritative_location: location },
      })
    }
    web.publish(`https://own.example${WELL_KNOWN}`, {
      body: {
        authorized_agents: [entry({ url: 'https://other.example/mcp' })],
        properties: [property('own.example')],
      },
    })
    web.publish(`https://broken.example${WELL_KNOWN}`, { body: { authorized_agents: 7 } })
    await crawl([MANAGER, ...pointing.map((name) => `${name}.example`)])
    web.publish(`https://down.example${WELL_KNOWN}`, { status: 503, body: {} })
    await crawl(['own.example', 'broken.example', 'silent.example', 'down.example'])
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  async function crawl(domains: readonly string[]) {
    const { storage } = app
    const since = await storage.transact((tx) => tx.now())
    await storage.transact(async (tx) => {
      await storage.crawl.add(tx, domains, { foundBy: 'test', at: 0 })
      for (const domain of domains) await storage.crawl.crawlNow(tx, domain)
      await tx.wake('registry.crawl')
    })
    for (const domain of domains) {
      await eventually(async () => {
        expect((await storage.crawl.get(domain))?.checked_at, domain).toBeGreaterThanOrEqual(since)
      })
    }
    await eventually(async () => expect(await storage.publisherFiles.unapplied(1)).toEqual([]))
  }
  const report = (query: string) => call(`${app.url}/api/registry/network?${query}`)
  const codes = (findings: Finding[]) =>
    Object.fromEntries(
      [...new Set(findings.map(({ domain }) => domain))].map((domain) => [
        domain,
        findings.filter((one) => one.domain === domain).map(({ code }) => code),
      ]),
    )

  test('of a manager names every domain that needs a change, and what to change', async () => {
    const { status, body } = await report(`manager=${MANAGER}`)
    expect(status).toBe(200)
    const findings = body.findings as Finding[]
    const found = codes(findings.filter(({ code }) => code !== 'expires_soon'))
    expect(found).toMatchObject({
      'silent.example': expect.arrayContaining(['no_file', 'not_confirmed']),
      'own.example': ['own_file_counts'],
      'broken.example': expect.arrayContaining(['invalid_file']),
      'down.example': ['cannot_be_read'],
      'unsold.example': ['no_agent'],
      'gone.example': expect.arrayContaining(['revoked']),
      'undescribed.example': ['not_described'],
    })
    expect(found).not.toHaveProperty('good.example')
    const silent = findings.find(({ code }) => code === 'no_file')
    expect(silent?.change).toContain(`MANAGERDOMAIN=${MANAGER}`)
    const down = findings.find(({ code }) => code === 'cannot_be_read')
    expect(Date.parse(down?.until ?? '')).toBeGreaterThan(Date.now() + 6 * DAY_MS)
    for (const { message, change } of findings) {
      expect(message).not.toBe('')
      expect(change).not.toBe('')
    }
    expect(body).toMatchObject({
      manager_domain: MANAGER,
      agent_url: null,
      summary: { publishers: 8, stale: 1 },
      next_cursor: null,
    })
  })

  test('of an agent names the authorizations that end soon', async () => {
    const query = `agent=${encodeURIComponent('https://ends.example/mcp/')}&kind=expiring`
    const { body } = await report(query)
    expect(body.agent_url).toBe('https://ends.example/mcp')
    expect((body.findings as Finding[]).map(({ domain, until }) => [domain, until])).toEqual(
      expect.arrayContaining([['good.example', soon]]),
    )
    expect((body.findings as Finding[]).every(({ kind }) => kind === 'expiring')).toBe(true)
  })

  test('is the same in pages as at once', async () => {
    const { body: whole } = await report(`manager=${MANAGER}`)
    const paged: Finding[] = []
    let cursor: string | null = ''
    let publishers = 0
    for (let pages = 0; cursor !== null && pages < 50; pages += 1) {
      const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { body } = await report(`manager=${MANAGER}&limit=3${place}`)
      paged.push(...(body.findings as Finding[]))
      publishers += (body.summary as { publishers: number }).publishers
      cursor = body.next_cursor as string | null
    }
    expect(paged).toEqual(whole.findings)
    expect(publishers).toBe(8)
  })

  test('takes exactly one of manager and agent, and says what else is accepted', async () => {
    for (const [query, word] of [
      ['', 'exactly one'],
      [`manager=${MANAGER}&agent=${AGENT}`, 'exactly one'],
      ['manager=localhost', 'manager'],
      ['agent=nothing', 'agent'],
      [`manager=${MANAGER}&kind=bad`, 'kind'],
      [`manager=${MANAGER}&limit=0`, 'limit'],
      [`manager=${MANAGER}&cursor=x`, 'cursor'],
      [`manager=${MANAGER}&manager=b.example`, 'twice'],
    ]) {
      const { status, body } = await report(query ?? '')
      expect([status, body.error]).toEqual([400, expect.stringContaining(word ?? '')])
    }
    const none = await report('manager=nobody.example')
    expect(none.body).toMatchObject({ findings: [], summary: { publishers: 0 } })
  })
})
