import { describe, expect, test } from 'vitest'
import {
  type AgentPorts,
  listAgents,
  registerAgent,
  removeAgent,
  updateAgent,
} from '../../src/registry/agents.ts'
import { callerOrganization, type RegistryCaller } from '../../src/registry/caller.ts'
import { createOrganization } from '../../src/registry/organizations.ts'
import { onBothStores } from '../support/databases.ts'
import { eventsAbout, registryPorts, user } from '../support/registry.ts'

const ENDPOINT = 'https://agent.example/mcp'
let hosts = 0

onBothStores('agents', (database) => {
  const ports = (): AgentPorts => ({
    ...registryPorts(database()),
    checkUrl: (url) =>
      url.startsWith('https://') ? { ok: true } : { ok: false, message: 'use https' },
  })
  const caller = (): RegistryCaller => ({ kind: 'user', ...user() })
  const freshUrl = () => `https://agent-${++hosts}.example/mcp`
  const register = async (who: RegistryCaller, input: Record<string, unknown> = {}) => {
    const answer = await registerAgent(ports(), who, { url: ENDPOINT, type: 'sales', ...input })
    if (!answer.ok) throw new Error(answer.error)
    return answer
  }
  const change = (who: RegistryCaller, url: string, changes: unknown) =>
    updateAgent(ports(), who, { url, changes })
  const typesOf = async (url: string, reader?: string) =>
    (await eventsAbout(ports(), url, reader)).map((event) => event.event_type)

  describe('spec 4.5: POST /api/me/agents', () => {
    test('makes organisation, profile and agent at the first call', async () => {
      const who = caller()
      expect(await register(who)).toEqual({
        ok: true,
        created: true,
        agent: {
          url: ENDPOINT,
          type: 'sales',
          name: null,
          visibility: 'private',
          health_check_url: null,
        },
        org_auto_created: true,
        profile_auto_created: true,
      })
      expect(await register(who, { url: `${ENDPOINT}/2` })).toMatchObject({
        created: true,
        org_auto_created: false,
        profile_auto_created: false,
      })
    })

    test('knows an agent by its canonical url, and keeps what a repetition leaves out', async () => {
      const who = caller()
      await register(who, { name: 'First', visibility: 'members_only' })
      const again = await register(who, { url: 'HTTPS://Agent.Example:443/mcp//', type: 'signals' })
      expect(again).toMatchObject({
        created: false,
        agent: { url: ENDPOINT, type: 'signals', name: 'First', visibility: 'members_only' },
      })
      expect(await listAgents(ports(), who)).toEqual([again.agent])
    })

    test('acts for the organisation whose key is presented', async () => {
      const made = await createOrganization(ports(), { name: 'Keyed' })
      if (!made.ok) throw new Error(made.error)
      const organizationId = made.organization.organization_id
      const url = freshUrl()
      const answer = await register({ kind: 'organization', organizationId }, { url })
      expect(answer).toMatchObject({ org_auto_created: false, profile_auto_created: true })
      expect(await eventsAbout(ports(), url, organizationId)).toMatchObject([
        { actor: `org:${organizationId}` },
      ])
    })

    test('makes one agent and one organisation when twenty come at once', async () => {
      const who = caller()
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(who)))
      expect(answers.filter((answer) => answer.created)).toHaveLength(1)
      expect(answers.filter((answer) => answer.org_auto_created)).toHaveLength(1)
      expect(await listAgents(ports(), who)).toHaveLength(1)
    })

    test.each([
      [{ url: undefined }, 'url is required'],
      [{ url: 'agent' }, 'url must be a valid URL'],
      [{ url: `https://a.example/${'x'.repeat(2100)}` }, 'url must be a valid URL'],
      [{ url: `${ENDPOINT}?a=1` }, 'url must not contain query strings or fragments'],
      [{ url: `${ENDPOINT}#` }, 'url must not contain query strings or fragments'],
      [{ url: 'https://me:pw@a.example' }, 'user name and password'],
      [{ url: 'ftp://a.example' }, 'https'],
      [{ url: 'http://a.example' }, 'url: use https'],
      [{ type: undefined }, 'type is required'],
      [{ type: 'unknown' }, 'invalid_type'],
      [{ name: '' }, 'name'],
      [{ visibility: 'secret' }, 'private, members_only, public'],
      [{ health_check_url: 'http://a.example' }, 'health_check_url: use https'],
      [{ health_check_url: 'nowhere' }, 'health_check_url'],
    ])('refuses %j and makes nothing', async (overrides, error) => {
      const who = caller()
      const input = { url: ENDPOINT, type: 'sales', ...overrides }
      expect(await registerAgent(ports(), who, input)).toMatchObject({
        status: 400,
        error: expect.stringContaining(error),
      })
      expect(await ports().organizations.organizationOf((who as { userId: string }).userId)).toBe(
        undefined,
      )
    })
  })

  test('a list makes nothing for a user who has no organisation', async () => {
    const who = caller()
    expect(await listAgents(ports(), who)).toEqual([])
    expect(await callerOrganization(ports(), who)).toMatchObject({ orgAutoCreated: true })
  })

  describe('spec 4.5: PATCH /api/me/agents/{url}', () => {
    test('changes what it names', async () => {
      const who = caller()
      await register(who, { name: 'Old' })
      const health_check_url = `${ENDPOINT}/health?full=1`
      expect(
        await change(who, `${ENDPOINT}/`, { url: ENDPOINT, name: null, health_check_url }),
      ).toMatchObject({ ok: true, agent: { name: null, type: 'sales', health_check_url } })
    })

    test('refuses another url, an unknown type, and an agent of someone else', async () => {
      const who = caller()
      await register(who)
      expect(await change(who, ENDPOINT, { url: 'https://b.example' })).toMatchObject({
        status: 400,
        error: 'url_immutable',
      })
      expect(await change(who, ENDPOINT, { type: 'unknown' })).toMatchObject({
        status: 400,
        error: 'invalid_type',
      })
      expect(await change(who, ENDPOINT, null)).toMatchObject({ status: 400 })
      expect(await change(caller(), ENDPOINT, {})).toMatchObject({
        status: 404,
        error: 'Agent not found',
      })
      expect(await change(who, 'nonsense', {})).toMatchObject({ status: 404 })
    })
  })

  describe('spec 4.5: DELETE /api/me/agents/{url}', () => {
    test('removes an agent that is not public', async () => {
      const who = caller()
      await register(who, { visibility: 'public' })
      expect(await removeAgent(ports(), who, ENDPOINT)).toMatchObject({
        status: 409,
        error: 'unpublish_first',
      })
      await change(who, ENDPOINT, { visibility: 'members_only' })
      expect(await removeAgent(ports(), who, ENDPOINT)).toEqual({ ok: true })
      expect(await listAgents(ports(), who)).toEqual([])
    })

    test('finds nothing of someone else', async () => {
      await register(caller())
      expect(await removeAgent(ports(), caller(), ENDPOINT)).toMatchObject({ status: 404 })
    })
  })

  describe('spec 6.4: the feed', () => {
    test('reports a private agent to its organisation alone', async () => {
      const [who, url] = [caller(), freshUrl()]
      await register(who, { url })
      await change(who, url, { name: 'Renamed' })
      await removeAgent(ports(), who, url)
      const { organizationId } = await callerOrganization(ports(), who)
      expect(await typesOf(url)).toEqual([])
      expect(await typesOf(url, organizationId)).toEqual([
        'agent.discovered',
        'agent.profile_updated',
        'agent.removed',
      ])
    })

    test('reports an agent to everyone while it is not private', async () => {
      const [who, url] = [caller(), freshUrl()]
      await register(who, { url })
      await change(who, url, { visibility: 'public', name: 'Seller' })
      await change(who, url, { visibility: 'members_only' })
      await change(who, url, { visibility: 'private' })
      await change(who, url, { name: 'Hidden' })
      expect(await typesOf(url)).toEqual([
        'agent.discovered',
        'agent.profile_updated',
        'agent.removed',
      ])
      expect((await eventsAbout(ports(), url))[0]).toMatchObject({
        entity_type: 'agent',
        payload: { agent_url: url, type: 'sales', name: 'Seller', visibility: 'public' },
      })
    })

    test('says nothing when nothing has changed', async () => {
      const [who, url] = [caller(), freshUrl()]
      await register(who, { url, visibility: 'public' })
      await register(who, { url })
      await change(who, url, { type: 'sales' })
      expect(await typesOf(url)).toEqual(['agent.discovered'])
    })
  })
})
