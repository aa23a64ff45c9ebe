import { describe, expect, test } from 'vitest'
import { createOfferMemory, type OfferCheck } from '../../src/caller/check-offer.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'

const AGENT = 'https://sell.example/mcp'
const product = (product_id: string, publisher_domain = 'pub.example') => ({
  product_id,
  publisher_properties: [{ publisher_domain, selection_type: 'all' }],
})

/** Knows every publisher but `bad.example`. */
function memory(mode: OfferCheck['mode']) {
  const offers = createOfferMemory({
    mode,
    faults: async (_agent, products) =>
      products
        .filter(({ publisher_properties: [first] }) => first?.publisher_domain !== 'pub.example')
        .map(({ product_id, publisher_properties: [first] }) => ({
          product_id,
          publisher_domain: first?.publisher_domain ?? '',
          message: `no authorization by ${first?.publisher_domain} is on record for this agent`,
        })),
  })
  const of = (task: string, owner = 'prn_a', agentUrl = AGENT) => ({ owner, agentUrl, task })
  const list = (...products: object[]) =>
    offers.note(of('get_products'), {
      products,
      proposals: [{ proposal_id: 'plan', allocations: [{ product_id: 'stolen' }] }],
    })
  const buy = (params: object, owner?: string) =>
    offers.check(of('create_media_buy', owner), params as Record<string, unknown>)
  return { offers, of, list, buy }
}
const packages = (...ids: string[]) => ({ packages: ids.map((product_id) => ({ product_id })) })

describe('offers of other agents', () => {
  test('of which nothing is on record are named when they are listed', async () => {
    const { list } = memory('warn')
    expect(await list(product('own'), product('stolen', 'bad.example'))).toEqual([
      'stolen: no authorization by bad.example is on record for this agent',
    ])
  })

  test('are bought with a warning, or refused, as the setting says', async () => {
    const warning = memory('warn')
    await warning.list(product('own'), product('stolen', 'bad.example'))
    expect(warning.buy(packages('own'))).toEqual([])
    expect(warning.buy(packages('own', 'stolen'))).toHaveLength(1)

    const refusing = memory('refuse')
    await refusing.list(product('own'), product('stolen', 'bad.example'))
    expect(refusing.buy(packages('own'))).toEqual([])
    for (const params of [
      packages('stolen'),
      { new_packages: [{ product_id: 'stolen' }] },
      { proposal_id: 'plan' },
    ]) {
      expect(() => refusing.buy(params)).toThrow(ProtocolError)
    }
  })

  test('that were never listed cannot be bought where that is refused', async () => {
    const { buy } = memory('refuse')
    expect(() => buy(packages('unseen'))).toThrow(/call get_products of this agent first/)
  })

  test('are remembered for each caller and agent alone', async () => {
    const { list, buy, offers, of } = memory('refuse')
    await list(product('own'))
    expect(() => buy(packages('own'), 'prn_b')).toThrow(ProtocolError)
    const elsewhere = of('create_media_buy', 'prn_a', 'https://other.example')
    expect(() => offers.check(elsewhere, packages('own'))).toThrow(ProtocolError)
  })

  test('that name no publisher are not taken for authorized', async () => {
    const { list } = memory('warn')
    expect(await list({ product_id: 'nobody' })).toHaveLength(1)
  })

  test('other tasks are not looked at', async () => {
    const { offers, of } = memory('refuse')
    expect(offers.check(of('get_signals'), packages('stolen'))).toEqual([])
    expect(
      await offers.note(of('get_signals'), { products: [product('x', 'bad.example')] }),
    ).toEqual([])
  })
})
