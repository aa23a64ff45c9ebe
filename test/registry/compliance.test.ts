import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CheckOutcome, evaluateExamination } from '../../src/registry/compliance/compliance.ts'
import { type Call, call, startApp, type TestApp } from '../support/app.ts'

const check = (id: string, group: string, state: CheckOutcome['state'], what?: string) => ({
  id,
  group,
  title: `Title ${id}`,
  state,
  what,
})
const evaluate = (checks: CheckOutcome[], isReached = true) =>
  evaluateExamination({ isReached, checks }, [], 1_000)

describe('what an examination comes to', () => {
  test('all passed: passing, and groups of which nothing was judged are untested', () => {
    const checked = evaluate([
      check('a', 'reach', 'passed'),
      check('b', 'lists', 'passed'),
      check('c', 'webhooks', 'skipped'),
    ])
    expect(checked).toMatchObject({
      status: 'passing',
      headline: 'All 2 checks that could be run passed',
      tracks: { reach: 'pass', lists: 'pass', webhooks: 'skip' },
      storyboards: [
        {
          storyboard_id: 'doctor_reach',
          status: 'passing',
          steps_passed: 1,
          last_passed_at: 1_000,
        },
        { status: 'passing' },
        { status: 'untested', steps_total: 0, skipped_count: 1, last_passed_at: 0 },
      ],
    })
  })

  test('a few failed: degraded, with the reason; many: failing', () => {
    const passed = ['a', 'b', 'c'].map((id) => check(id, 'lists', 'passed'))
    expect(evaluate([...passed, check('d', 'lists', 'failed', 'too slow')])).toMatchObject({
      status: 'degraded',
      headline: '1 of 4 checks failed, the first: too slow',
      tracks: { lists: 'partial' },
      storyboards: [{ status: 'partial', failure_count: 1, first_failure_message: 'too slow' }],
    })
    expect(evaluate([check('a', 'x', 'failed'), check('b', 'x', 'passed')]).status).toBe('failing')
  })

  test('one that is not there fails, and one that cannot be judged is unknown', () => {
    expect(evaluate([check('reachable', 'reach', 'failed', 'refused')], false)).toMatchObject({
      status: 'failing',
      headline: 'The agent could not be reached: refused',
    })
    expect(evaluate([check('a', 'x', 'skipped')]).status).toBe('unknown')
  })
})

describe.each(['sqlite', 'postgres'] as const)('compliance over HTTP [%s]', (store) => {
  let app: TestApp
  let agent: TestApp
  let key: string
  let other: string
  let url: string
  beforeAll(async () => {
    agent = await startApp()
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = (await app.organization('Acme')).key
    other = (await app.organization('Other')).key
    url = `${agent.url}/mcp`
    await ask('/api/me/agents', { key, body: { url, type: 'creative', visibility: 'public' } })
  })
  afterAll(async () => {
    await app.stop()
    await agent.stop()
  })

  const ask = (path: string, request?: Call) => call(app.url + path, request)
  const of = (what: string, request?: Call, agentUrl = url) =>
    ask(`/api/registry/agents/${encodeURIComponent(agentUrl)}/${what}`, request)

  test('spec 4.5: an agent that was never examined is unknown', async () => {
    expect((await of('compliance')).body).toEqual({
      agent_url: url,
      status: 'unknown',
      lifecycle_stage: 'production',
      compliance_opt_out: false,
      tracks: {},
      streak_days: 0,
      last_checked_at: null,
      last_passed_at: null,
      last_failed_at: null,
      headline: null,
      status_changed_at: null,
      storyboards_passing: 0,
      storyboards_total: 0,
      check_interval_hours: 12,
      storyboard_statuses: [],
    })
    expect((await of('compliance/history')).body).toEqual({ agent_url: url, runs: [], count: 0 })
    expect((await of('storyboard-status')).status).toBe(401)
    expect((await of('storyboard-status', { key: other })).body).toEqual({
      agent_url: url,
      storyboards: [],
      passing_count: 0,
      total_count: 0,
    })
    expect((await of('compliance', {}, 'no url')).status).toBe(400)
  })

  test('spec 4.5: an agent that was never examined has no badge, and the reason is given', async () => {
    expect((await of('verification')).body).toMatchObject({
      agent_url: url,
      verified: false,
      badges: [],
      withheld: [{ role: 'creative', reason: 'The agent has not been examined yet' }],
    })
    for (const path of ['badge/creative.svg', 'badge/creative/3.1.svg']) {
      const { status, headers, text } = await of(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
      expect(text).toMatch(/^<svg .*creative.*not verified.*<\/svg>$/)
    }
    for (const path of ['badge/creative/embed', 'badge/creative/3.1/embed']) {
      const { status, body } = await of(path)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body).toMatchObject({ agent_url: url, role: 'creative', verified: false })
    }
    expect((await of('badge/nothing.svg')).status).toBe(400)
    expect((await ask('/api/registry/agents?verified=true')).body.agents).toEqual([])
    expect((await ask('/api/registry/agents?compliance=true')).body.agents).toMatchObject([
      { url, compliance: { status: 'unknown', last_checked_at: null } },
    ])
  })

  test('spec 4.5: only who lists an agent may have it examined', async () => {
    expect((await of('refresh', { method: 'POST' })).status).toBe(401)
    expect((await of('refresh', { method: 'POST', key: other })).status).toBe(403)
  })

  test('spec 4.5: an examination is reported as text, group by group, with an event and a history', async () => {
    const { status, body } = await of('refresh', { method: 'POST', key })
    expect(status, JSON.stringify(body)).toBe(200)
    const detail = (await of('compliance')).body
    expect(['passing', 'degraded', 'failing']).toContain(detail.status)
    expect(detail.headline).toEqual(expect.stringMatching(/check|reached/))
    expect(detail.last_checked_at).toBe(body.checked_at)
    const query = 'health=true&capabilities=true'
    const [listed] = (await ask(`/api/registry/agents?${query}`)).body.agents as object[]
    expect(listed).toMatchObject({
      protocol: 'mcp',
      health: { online: true, checked_at: expect.any(String), tools_count: expect.any(Number) },
      stats: { property_count: 0, publisher_count: 0, publishers: [] },
      capabilities: {
        standard_operations: { can_create_order: expect.any(Boolean) },
        tools: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
      },
    })
    const [bare] = (await ask('/api/registry/agents')).body.agents as object[]
    expect(bare).not.toHaveProperty('health')
    const search = await ask('/api/registry/agents/search', { key: other })
    expect(search.body.results).toMatchObject([
      { url, compliance_summary: { status: detail.status, headline: detail.headline } },
    ])
    expect((await of('compliance/history')).body).toMatchObject({
      count: 1,
      runs: [{ overall_status: detail.status, triggered_by: 'owner' }],
    })
    const mine = (await of('storyboard-status', { key })).body
    expect(mine.total_count).toBe(detail.storyboards_total)
    const bulk = await ask('/api/registry/agents/storyboard-status', {
      key: other,
      body: { agent_urls: [`${url}/`, 'https://never.example/mcp', 'no url'] },
    })
    expect(bulk.body).toMatchObject({ invalid_urls: 1 })
    const agents = bulk.body.agents as Record<string, { first_failure_message: unknown }[]>
    expect(agents['https://never.example/mcp']).toEqual([])
    expect(agents[`${url}/`]).toHaveLength(Number(mine.total_count))
    for (const group of agents[`${url}/`] ?? []) expect(group.first_failure_message).toBeNull()
    const feed = await ask('/api/registry/feed?types=agent.compliance_changed', { key: other })
    expect(feed.body.events).toMatchObject([
      {
        entity_id: url,
        payload: {
          previous_status: 'unknown',
          current_status: detail.status,
          compliance_summary: { status: detail.status },
        },
      },
    ])
  }, 180_000)
})
