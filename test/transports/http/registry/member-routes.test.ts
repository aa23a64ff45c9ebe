import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startApp, type TestApp } from '../../../support/app.ts'

describe.each(['sqlite', 'postgres'] as const)('member agents over HTTP [%s]', (store) => {
  let app: TestApp
  let key: string
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = (await app.organization()).key
  })
  afterAll(() => app.stop())

  const agents = (path = '', request: Parameters<typeof call>[1] = {}) =>
    call(`${app.url}/api/me/agents${path}`, { key, ...request })
  const at = (url: string) => `/${encodeURIComponent(url)}`

  test('spec 4.5: an agent is registered, listed, changed and removed', async () => {
    const url = 'https://agent.example/mcp'
    const first = await agents('', { body: { url, type: 'sales', name: 'Sales' } })
    expect(first.status).toBe(201)
    const agent = {
      url,
      type: 'sales',
      name: 'Sales',
      visibility: 'private',
      health_check_url: null,
    }
    expect(first.body).toEqual({ agent, profile_auto_created: true })
    const again = await agents('', { body: { url, type: 'sales' } })
    expect([again.status, again.body]).toEqual([200, { agent }])
    expect((await agents()).body).toEqual({ agents: [agent] })

    const changed = await agents(at(url), { method: 'PATCH', body: { visibility: 'public' } })
    expect(changed.body).toEqual({ agent: { ...agent, visibility: 'public' } })
    const tooEarly = await agents(at(url), { method: 'DELETE' })
    expect([tooEarly.status, tooEarly.body.error]).toEqual([409, 'unpublish_first'])
    await agents(at(url), { method: 'PATCH', body: { visibility: 'private' } })
    const removed = await agents(at(url), { method: 'DELETE' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await agents()).body).toEqual({ agents: [] })
  })

  test('an agent that is not there is 404', async () => {
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'x' } } : {}
      const answer = await agents(at('https://nobody.example'), { method, ...body })
      expect([answer.status, answer.body]).toEqual([404, { error: 'Agent not found' }])
    }
  })

  test('spec 4.5: an organisation is made by a user, not by the key of one', async () => {
    const before = await app.count('organizations')
    const answer = await call(`${app.url}/api/organizations`, {
      key,
      body: { organization_name: 'Second' },
    })
    expect(answer.status).toBe(403)
    expect(await app.count('organizations')).toBe(before)
  })

  test('a private agent is in the feed of its organisation alone', async () => {
    const url = 'https://hidden.example/mcp'
    await agents('', { body: { url, type: 'sales' } })
    const { key: other } = await app.organization('Other')
    const feed = async (by: string) =>
      (await call(`${app.url}/api/registry/feed?limit=1000`, { key: by })).text
    expect(await feed(key)).toContain(url)
    expect(await feed(other)).not.toContain(url)
  })
})
