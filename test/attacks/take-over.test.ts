// Who is not the owner of a domain tries to become what the registry answers for it. In every case the
// owner's reference wins, and the other one stays pending.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../support/app.ts'
import { type Checked, type Contributor, contributor, lookup } from '../support/contributor.ts'
import { brandJson, MCP_INITIALIZED } from '../support/manifest-server.ts'
import { redirect, startWeb, type Web } from '../support/web.ts'

describe.each(['sqlite', 'postgres'] as const)('taking over a domain [%s]', (store) => {
  let web: Web
  let app: TestApp
  let owner: Contributor
  let thief: Contributor
  beforeAll(async () => {
    web = await startWeb()
    const { egressHosts, resolveTxt } = web
    app = await startApp({ store, resolveTxt, config: { egressHosts } })
    owner = await contributor(app, 'Owner')
    thief = await contributor(app, 'Thief')
  })
  afterAll(async () => {
    await app.stop()
    await web.stop()
  })

  let name = ''
  let count = 0
  /** A domain that no test has used before. */
  let domain = ''
  beforeEach(() => {
    name = `acme${count++}`
    domain = `${name}.com`
  })

  const wellKnown = (host = domain, type = 'brand.json') => `https://${host}/.well-known/${type}`
  /** A fuller file than the owner's, so that the score is on the thief's side. */
  const copyOf = (about: string) => {
    const file = brandJson(about)
    return { body: { ...(file.body as object), colors: { primary: '#fff' }, url: 'https://x.net' } }
  }
  const published = (host = domain) => {
    web.publish(wellKnown(host), brandJson(host))
    return owner.contribute({ domain: host, manifest_url: wellKnown(host) })
  }
  const agent = (fields: object = {}) => {
    web.publish('https://agent.net/mcp', MCP_INITIALIZED)
    return { domain, agent_url: 'https://agent.net/mcp', agent_id: 'acme', ...fields }
  }
  const ownerWins = async (stolen: Checked, of = domain) => {
    expect(stolen).toMatchObject({ verification_status: 'pending', proved_by: null })
    expect(await lookup(app, of)).toMatchObject({
      manifest_url: wellKnown(of),
      verification_status: 'valid',
    })
  }

  test('by an agent that answers: before the owner comes, and after', async () => {
    const early = await thief.contribute(agent({ agent_id: 'early' }))
    expect(early).toMatchObject({ verification_status: 'pending', proved_by: null })
    expect(early.reason).toContain(`${domain} does not confirm it`)
    expect(early.reason).toContain('/proof')
    expect(await published()).toMatchObject({ proved_by: 'well_known' })
    await ownerWins(await thief.contribute(agent({ agent_id: 'late' })))
    await ownerWins(await thief.verify(early.id))
  })

  test('by a copy of its brand.json on another host, fuller and verified later', async () => {
    web.publish(`https://thief.net/${name}.json`, copyOf(domain))
    await published()
    const stolen = await thief.contribute({
      domain,
      manifest_url: `https://thief.net/${name}.json`,
    })
    await ownerWins(stolen)
    await ownerWins(await thief.verify(stolen.id))
  })

  test('by ten references that are older than the owner’s, and verified again after it', async () => {
    const urls = Array.from({ length: 10 }, (_, n) => `https://thief.net/${name}-${n}.json`)
    for (const url of urls) web.publish(url, copyOf(domain))
    const stolen = await Promise.all(
      urls.map((manifest_url) => thief.contribute({ domain, manifest_url })),
    )
    await published()
    const again = await Promise.all(stolen.map(({ id }) => thief.verify(id)))
    for (const one of again) await ownerWins(one)
  })

  test('by a file on a subdomain, which proves neither the domain nor a sibling', async () => {
    const manifest_url = wellKnown(`evil.${domain}`)
    web.publish(manifest_url, copyOf(domain))
    await published()
    await published(`shop.${domain}`)
    await ownerWins(await thief.contribute({ domain, manifest_url }))
    const sibling = { domain: `shop.${domain}`, manifest_url }
    await ownerWins(await thief.contribute(sibling), `shop.${domain}`)
    const below = { domain: `a.evil.${domain}`, manifest_url }
    expect((await thief.contribute(below)).verification_status).toBe('pending')
  })

  test('by the file of the registrable domain above, which proves less than the domain’s own', async () => {
    web.publish(wellKnown(), copyOf(domain))
    const shop = `shop.${domain}`
    const parent = await thief.contribute({ domain: shop, manifest_url: wellKnown() })
    expect(parent).toMatchObject({ verification_status: 'valid', proved_by: 'parent_well_known' })
    await published(shop)
    expect(await lookup(app, shop)).toMatchObject({ manifest_url: wellKnown(shop) })
    await thief.verify(parent.id)
    expect(await lookup(app, shop)).toMatchObject({ manifest_url: wellKnown(shop) })
  })

  test('by another customer of a hosting platform, or by the platform’s own name', async () => {
    const mine = `${name}.github.io`
    await published(mine)
    for (const host of [`thief-${name}.github.io`, 'github.io', 'www.github.io']) {
      web.publish(wellKnown(host), copyOf(mine))
      const stolen = await thief.contribute({ domain: mine, manifest_url: wellKnown(host) })
      await ownerWins(stolen, mine)
    }
  })

  test('by www below a public suffix, which is someone’s name and not the suffix', async () => {
    web.publish(wellKnown('www.github.io'), copyOf('github.io'))
    const stolen = await thief.contribute({
      domain: 'www.github.io',
      manifest_url: `${wellKnown('www.github.io')}`,
    })
    expect(stolen.verification_status).toBe('pending')
  })

  test('by a name that looks the same and is another one', async () => {
    await published()
    const cyrillic = domain.replace('a', 'а')
    const ascii = new URL(`https://${cyrillic}`).hostname
    web.publish(wellKnown(ascii), copyOf(domain))
    await ownerWins(await thief.contribute({ domain, manifest_url: wellKnown(cyrillic) }))
    const own = await thief.contribute({ domain: cyrillic, manifest_url: wellKnown(ascii) })
    expect(own.verification_status).toBe('valid')
    expect(await lookup(app, domain)).toMatchObject({ manifest_url: wellKnown() })
    expect(await lookup(app, cyrillic)).toMatchObject({ manifest_url: wellKnown(ascii) })
  })

  test.each([
    ['in capitals', (domain: string) => domain.toUpperCase()],
    ['with a root dot', (domain: string) => `${domain}.`],
    ['with www', (domain: string) => `www.${domain}`],
    ['with a scheme and a port', (domain: string) => `https://${domain}:8443/path`],
  ])('by the domain written %s', async (_how, written) => {
    await published()
    web.publish(`https://thief.net/${name}.json`, copyOf(domain))
    const manifest_url = `https://thief.net/${name}.json`
    await ownerWins(await thief.contribute({ domain: written(domain), manifest_url }))
  })

  test.each(['wwww.', 'www-', 'ww.'])('by a host that begins with %s', async (before) => {
    await published()
    const manifest_url = wellKnown(`${before}${domain}`)
    web.publish(manifest_url, copyOf(domain))
    await ownerWins(await thief.contribute({ domain, manifest_url }))
  })

  describe('by a chain', () => {
    test('of a foreign file that points to the owner’s', async () => {
      await published()
      const manifest_url = `https://thief.net/${name}.json`
      web.publish(manifest_url, { body: { authoritative_location: wellKnown() } })
      await ownerWins(await thief.contribute({ domain, manifest_url }))
    })

    test('of a subdomain that redirects to the owner’s file', async () => {
      await published()
      const manifest_url = `https://evil.${domain}/brand.json`
      web.publish(manifest_url, redirect(wellKnown()))
      await ownerWins(await thief.contribute({ domain, manifest_url }))
    })

    test('of a redirect on the domain that leads to a subdomain', async () => {
      await published()
      const manifest_url = `https://${domain}/go`
      web.publish(manifest_url, redirect(`https://evil.${domain}/brand.json`))
      web.publish(`https://evil.${domain}/brand.json`, copyOf(domain))
      await ownerWins(await thief.contribute({ domain, manifest_url }))
    })

    test('of a redirect to another site, which is not followed', async () => {
      await published()
      const manifest_url = `https://${domain}/go`
      web.publish(manifest_url, redirect('https://thief.net/brand.json'))
      const { verification_status } = await thief.contribute({ domain, manifest_url })
      expect(verification_status).toBe('unreachable')
    })

    test('of files that point in a circle, or too far', async () => {
      const at = (n: number) => `https://chain.net/${name}/${n}.json`
      for (let n = 0; n < 6; n++) {
        web.publish(at(n), { body: { authoritative_location: at(n + 1) } })
      }
      web.publish(at(6), copyOf(domain))
      web.publish(wellKnown(), { body: { authoritative_location: at(0) } })
      // The domain names the first four files and no more.
      const far = await thief.contribute({ domain, manifest_url: at(6) })
      expect(far.verification_status).toBe('pending')
      const first = await thief.contribute({ domain, manifest_url: at(0) })
      expect(first).toMatchObject({ verification_status: 'invalid' })
      expect(first.reason).toContain('more than 3 times')

      web.publish(at(1), { body: { authoritative_location: at(0) } })
      const { reason } = await thief.verify(first.id)
      expect(reason).toContain('in a circle')
    })
  })

  test('by a file that the domain’s own points past', async () => {
    const cdn = `https://cdn.net/${name}`
    web.publish(`${cdn}/brand.json`, brandJson(domain))
    web.publish(`${cdn}/thief.json`, copyOf(domain))
    web.publish(wellKnown(), { body: { authoritative_location: `${cdn}/brand.json` } })
    const named = await owner.contribute({ domain, manifest_url: `${cdn}/brand.json` })
    expect(named).toMatchObject({ verification_status: 'valid', proved_by: 'named' })
    const stolen = await thief.contribute({ domain, manifest_url: `${cdn}/thief.json` })
    expect(stolen.verification_status).toBe('pending')
    expect(await lookup(app, domain)).toMatchObject({ manifest_url: `${cdn}/brand.json` })
  })

  test('by a file uploaded to the domain, which is worth less than the well-known one', async () => {
    const upload = { domain, manifest_url: `https://${domain}/uploads/brand.json` }
    web.publish(upload.manifest_url, copyOf(domain))
    await published()
    const { id, proved_by } = await thief.contribute(upload)
    expect(proved_by).toBe('on_domain')
    await thief.verify(id)
    expect(await lookup(app, domain)).toMatchObject({ manifest_url: wellKnown() })
  })

  test.each([
    ['a port', (host: string) => `https://${host}:8443/.well-known/brand.json`],
    ['a query', (host: string) => `https://${host}/echo?say=brand.json`],
  ])('by an address on the domain with %s', async (_what, urlOn) => {
    await published()
    // Another port is another server's: here there is none, and the file would prove nothing.
    const manifest_url = urlOn(domain)
    web.publish(manifest_url, copyOf(domain))
    const { verification_status } = await thief.contribute({ domain, manifest_url })
    expect(['pending', 'unreachable']).toContain(verification_status)
    expect(await lookup(app, domain)).toMatchObject({ manifest_url: wellKnown() })
  })

  describe('of which an agent is named', () => {
    const file = (id: string) => ({
      body: {
        ...(brandJson(domain).body as object),
        agents: [{ type: 'brand', url: 'https://AGENT.net:443/mcp/', id }],
      },
    })

    test('by the same agent with another id', async () => {
      web.publish(wellKnown(), file('acme'))
      const named = await owner.contribute(agent())
      expect(named).toMatchObject({ verification_status: 'valid', proved_by: 'named' })
      const stolen = await thief.contribute(agent({ agent_id: 'thief' }))
      expect(stolen.verification_status).toBe('pending')
      expect(stolen.reason).toContain('with another id')
      expect(await lookup(app, domain)).toMatchObject({ agent_id: 'acme' })
    })

    test('by an agent that the file does not name any more', async () => {
      web.publish(wellKnown(), file('acme'))
      const { id, verification_status } = await thief.contribute(agent())
      expect(verification_status).toBe('valid')
      web.publish(wellKnown(), brandJson(domain))
      const gone = await thief.verify(id)
      expect(gone.verification_status).toBe('pending')
      expect(gone.reason).toMatch(/^the proof is gone/)
    })

    test('by an agent that says itself that it knows no such brand', async () => {
      const agent_url = `https://agent.net/${name}`
      web.publish(agent_url, {
        body: {
          jsonrpc: '2.0',
          id: 1,
          result: {
            ...(MCP_INITIALIZED.body as { result: object }).result,
            isError: true,
            structuredContent: { errors: [{ code: 'BRAND_NOT_FOUND' }] },
          },
        },
      })
      const denied = await thief.contribute(agent({ agent_url }))
      expect(denied.verification_status).toBe('invalid')
      expect(denied.reason).toContain('does not know the brand "acme"')
    })

    test('by a seller that its adagents.json authorizes: that is the weakest word', async () => {
      const seller = { url: 'https://agent.net/mcp', authorized_for: 'All', property_ids: ['acme'] }
      web.publish(wellKnown(domain, 'adagents.json'), { body: { authorized_agents: [seller] } })
      const asBrand = await thief.contribute(agent())
      expect(asBrand).toMatchObject({ verification_status: 'valid', proved_by: 'authorized' })
      const asSeller = await thief.contribute(agent({ manifest_type: 'adagents.json' }))
      expect(asSeller).toMatchObject({ verification_status: 'valid', proved_by: 'named' })
    })
  })

  describe('that is proved by its contributor', () => {
    test.each(['dns', 'file'] as const)('by %s: a proof that is gone has expired', async (by) => {
      const mine = await owner.contribute(agent())
      expect(mine.verification_status).toBe('pending')
      const { dns_txt, file } = await owner.proof(mine.id)
      expect(dns_txt?.name).toBe(`_adwire-challenge.${domain}`)
      if (by === 'dns') web.txt.set(dns_txt?.name as string, ['v=spf1', dns_txt?.value as string])
      else web.publish(file.url, { body: `someone-else\r\n${file.value}\r\n` })
      const proved = await owner.verify(mine.id)
      expect(proved).toMatchObject({ verification_status: 'valid', proved_by: by })

      web.txt.delete(dns_txt?.name as string)
      web.unpublish(file.url)
      const expired = await owner.verify(mine.id)
      expect(expired).toMatchObject({ verification_status: 'pending', proved_by: null })
      expect(expired.reason).toMatch(/^the proof is gone/)

      // What its domain vouched for once still comes before what it never did.
      const stolen = await thief.contribute(agent({ agent_id: 'thief' }))
      await thief.verify(stolen.id)
      expect(await lookup(app, domain)).toMatchObject({ agent_id: 'acme' })
    })

    test('by the value of one organisation in the hands of another', async () => {
      const mine = await owner.contribute(agent())
      const stolen = await thief.contribute(agent({ agent_id: 'thief' }))
      const { dns_txt, file } = await owner.proof(mine.id)
      const theirs = await thief.proof(stolen.id)
      expect(theirs.dns_txt?.value).not.toBe(dns_txt?.value)
      web.txt.set(dns_txt?.name as string, [dns_txt?.value as string])
      web.publish(file.url, { body: file.value })
      expect((await owner.verify(mine.id)).verification_status).toBe('valid')
      expect((await thief.verify(stolen.id)).verification_status).toBe('pending')
      expect(await lookup(app, domain)).toMatchObject({ agent_id: 'acme' })
    })

    test('by a value that was published and never requested', async () => {
      const mine = await owner.contribute(agent())
      const { dns_txt } = await owner.proof(mine.id)
      web.txt.set(dns_txt?.name as string, [dns_txt?.value as string])
      // Another reference of the same organisation requests its own proof.
      const second = await owner.contribute(agent({ agent_id: 'second' }))
      expect(second.verification_status).toBe('pending')
      expect((await owner.proof(second.id)).dns_txt).toEqual(dns_txt)
      expect((await owner.verify(second.id)).verification_status).toBe('valid')
    })

    test('by the value of the domain at a subdomain, and not the other way round', async () => {
      const shop = `shop.${domain}`
      const mine = await owner.contribute(agent({ domain: shop }))
      const { dns_txt, parent } = await owner.proof(mine.id)
      expect(parent?.dns_txt?.name).toBe(`_adwire-challenge.${domain}`)
      web.txt.set(parent?.dns_txt?.name as string, [parent?.dns_txt?.value as string])
      expect(await owner.verify(mine.id)).toMatchObject({ proved_by: 'parent_dns' })

      const above = await thief.contribute(agent())
      const theirs = await thief.contribute(agent({ domain: shop, agent_id: 'thief' }))
      const own = await thief.proof(theirs.id)
      await thief.proof(above.id)
      web.txt.set(dns_txt?.name as string, [own.dns_txt?.value as string])
      expect(await thief.verify(theirs.id)).toMatchObject({ proved_by: 'dns' })
      expect((await thief.verify(above.id)).verification_status).toBe('pending')
    })

    test('by a file that another host of the site was made to serve', async () => {
      const stolen = await thief.contribute(agent())
      const { file } = await thief.proof(stolen.id)
      web.publish(file.url, redirect(`https://evil.${domain}/proof.txt`))
      web.publish(`https://evil.${domain}/proof.txt`, { body: file.value })
      const { verification_status, reason } = await thief.verify(stolen.id)
      expect(verification_status).toBe('pending')
      expect(reason).toContain('leads to another host')
    })

    test('by a manifest that speaks of someone else: a proof says who, not about whom', async () => {
      web.publish(`https://thief.net/${name}.json`, brandJson('stranger.net'))
      const manifest_url = `https://thief.net/${name}.json`
      const { id } = await owner.contribute({ domain, manifest_url })
      const { dns_txt } = await owner.proof(id)
      web.txt.set(dns_txt?.name as string, [dns_txt?.value as string])
      const checked = await owner.verify(id)
      expect(checked.verification_status).toBe('invalid')
      expect(checked.reason).toContain(`does not mention ${domain}`)
    })
  })

  test('by listing the owner’s agent as one’s own: a list claims no domain', async () => {
    await published()
    const body = { url: `https://agents.${domain}/mcp`, type: 'brand', visibility: 'public' }
    const { status } = await call(`${app.url}/api/me/agents`, { key: thief.key, body })
    expect(status).toBe(201)
    const listed = await call(`${app.url}/api/manifest-refs?domain=${domain}`)
    expect(listed.body.total).toBe(1)
    expect(await lookup(app, domain)).toMatchObject({ manifest_url: wellKnown() })
  })

  test('is reported in the feed with its reason, and found by no name of the thief’s', async () => {
    web.publish(`https://thief.net/${name}.json`, brandJson(domain, `Stolen ${name}`))
    const stolen = await thief.contribute({
      domain,
      manifest_url: `https://thief.net/${name}.json`,
    })
    await published()
    const feed = `${app.url}/api/registry/feed?types=manifest_ref.verified&limit=10000`
    const { body } = await call(feed, { key: owner.key })
    const events = body.events as { entity_id: string; payload: Record<string, unknown> }[]
    const reported = events.filter(({ entity_id }) => entity_id === stolen.id)
    expect(reported.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        verification_status: 'pending',
        proved_by: null,
        reason: expect.stringContaining(`${domain} does not confirm it`),
      }),
    ])
    const found = await call(`${app.url}/api/search?q=stolen`)
    expect(found.body.brands).toEqual([])
    const byDomain = await call(`${app.url}/api/search?q=${name}`)
    expect(byDomain.body.brands).toEqual([
      { name: 'Acme Shoes', domain, verification_status: 'valid' },
    ])
  })
})
