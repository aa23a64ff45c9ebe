import { describe, expect, test } from 'vitest'
import { type CheckOfferPorts, checkOffer } from '../../src/registry/authorizations/check-offer.ts'
import type { AuthorizationStore } from '../../src/registry/authorizations/store.ts'
import type { ReplicaRow } from '../../src/registry/replica/store.ts'

const AGENT = 'https://sell.example/mcp'
const NOW = Date.UTC(2026, 5, 1)

function ports({ ids = ['home', 'news'], mirrored = [] as Partial<ReplicaRow>[] } = {}) {
  const authorizations = {
    ofPairs: async (pairs: { agent_url: string; publisher_domain: string }[]) =>
      pairs
        .filter((one) => one.agent_url === AGENT && one.publisher_domain === 'pub.example')
        .map((one) => ({
          ...one,
          status: 'live',
          property_ids: ids,
          terms: { effective_from: null, effective_until: null, countries: null },
        })),
    properties: async (domain: string) =>
      domain === 'pub.example'
        ? ['home', 'news'].map((property_id) => ({
            property_id,
            property_type: 'website',
            tags: [],
          }))
        : [],
  } as unknown as AuthorizationStore
  const replicas = { ofPairs: async () => mirrored } as unknown as CheckOfferPorts['replicas']
  return { authorizations, replicas }
}
const all = (publisher_domain: string) => ({ publisher_domain, selection_type: 'all' })
const check = (over: CheckOfferPorts, selectors: object[], agentUrls = [AGENT]) =>
  checkOffer(over, {
    agentUrls,
    products: [{ product_id: 'p', publisher_properties: selectors }],
    now: NOW,
  })

describe('an offer', () => {
  test('of what the publisher authorizes has no fault, under any name of the agent', async () => {
    expect(await check(ports(), [all('pub.example')])).toEqual([])
    const names = ['https://sell.example', 'https://SELL.example/mcp/']
    expect(await check(ports(), [all('www.pub.example')], names)).toEqual([])
  })

  test('of properties that are not authorized says how many are', async () => {
    const [fault] = await check(ports({ ids: ['home'] }), [all('pub.example')])
    expect(fault?.message).toBe('pub.example authorizes this agent for 1 of 2 properties only')
  })

  test('of a publisher that nothing is on record of is not authorized', async () => {
    const [fault] = await check(ports(), [all('unknown.example')])
    expect(fault).toMatchObject({ product_id: 'p', publisher_domain: 'unknown.example' })
    expect(await check(ports(), [all('pub.example')], ['https://other.example'])).toHaveLength(1)
  })

  test('is covered by a registry that is followed, while that authorization is in effect', async () => {
    const row = (body: object): Partial<ReplicaRow> => ({
      publisher_domain: 'far.example',
      body: { property_ids: ['a'], ...body },
    })
    const with_ = (body: object) => ports({ mirrored: [row(body)] })
    expect(await check(with_({}), [all('far.example')])).toEqual([])
    const byId = { publisher_domain: 'far.example', property_ids: ['a', 'b'] }
    expect(await check(with_({}), [byId])).toHaveLength(1)
    const over = { effective_until: '2026-01-01T00:00:00Z' }
    expect(await check(with_(over), [all('far.example')])).toHaveLength(1)
  })

  test('with more selectors than are checked is not authorized', async () => {
    const many = Array.from({ length: 205 }, () => all('pub.example'))
    expect(await check(ports(), many)).toHaveLength(5)
  })
})
