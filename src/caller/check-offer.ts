// Whether another agent may sell what it offers: checked when it lists products, and remembered until they are
// bought.

import { createRecentCache } from '../lib/recent-cache.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { OfferedProduct, OfferFault } from '../registry/authorizations/check-offer.ts'

export interface OfferCheck {
  mode: 'warn' | 'refuse'
  faults(agentUrl: string, products: readonly OfferedProduct[]): Promise<OfferFault[]>
}

export interface OfferMemory {
  /** Notes the products of an answer that the agent is not known to be authorized for. */
  note(of: Requested, body: Readonly<Record<string, unknown>>): Promise<string[]>
  /** What is known about the products of a request that buys; throws when the purchase is refused. */
  check(of: Requested, params: Readonly<Record<string, unknown>>): string[]
}

interface Requested {
  owner: string
  agentUrl: string
  task: string
}

const LISTS = 'get_products'
const BUYS: readonly string[] = ['create_media_buy', 'update_media_buy']
const REMEMBERED = 50_000
const WARNINGS = 20

export function createOfferMemory({ mode, faults }: OfferCheck): OfferMemory {
  /** The fault of a product or proposal; empty if it has none. */
  const known = createRecentCache<string>(REMEMBERED)
  const keyOf = ({ owner, agentUrl }: Requested, id: string) =>
    JSON.stringify([owner, agentUrl, id])
  return {
    note: async (of, body) => {
      if (of.task !== LISTS) return []
      const products = offered(body.products)
      const found = new Map<string, string>()
      for (const { product_id, message } of await faults(of.agentUrl, products)) {
        if (!found.has(product_id)) found.set(product_id, message)
      }
      for (const { product_id } of products) {
        known.set(keyOf(of, product_id), found.get(product_id) ?? '')
      }
      for (const [id, ids] of proposalsOf(body.proposals)) {
        known.set(keyOf(of, id), ids.map((one) => found.get(one)).find((one) => one) ?? '')
      }
      return short([...found].map(([id, message]) => `${id}: ${message}`))
    },
    check: (of, params) => {
      if (!BUYS.includes(of.task)) return []
      const said = boughtIn(params).flatMap((id) => {
        const fault = known.get(keyOf(of, id)) ?? NOT_LISTED
        return fault === '' ? [] : [`${id}: ${fault}`]
      })
      if (said.length > 0 && mode === 'refuse') {
        const message = `this server does not buy what the agent is not known to be authorized to sell: ${said[0]}`
        throw new ProtocolError('TERMS_REJECTED', message, { field: '/params' })
      }
      return short(said)
    },
  }
}

const NOT_LISTED = 'it was not listed to this server: call get_products of this agent first'

function short(said: readonly string[]): string[] {
  const more = said.length - WARNINGS
  return more > 0 ? [...said.slice(0, WARNINGS), `and ${more} more`] : [...said]
}

function offered(products: unknown): OfferedProduct[] {
  return listOf(products).flatMap(({ product_id, publisher_properties }) => {
    if (typeof product_id !== 'string') return []
    // A product that names no publisher could be anyone's.
    const selectors = listOf(publisher_properties)
    return [{ product_id, publisher_properties: selectors.length > 0 ? selectors : [{}] }]
  }) as OfferedProduct[]
}

function proposalsOf(proposals: unknown): [string, string[]][] {
  return listOf(proposals).flatMap(({ proposal_id, allocations }): [string, string[]][] =>
    typeof proposal_id === 'string' ? [[proposal_id, idsOf(allocations)]] : [],
  )
}

function boughtIn({ packages, new_packages, proposal_id }: Readonly<Record<string, unknown>>) {
  const ids = [...idsOf(packages), ...idsOf(new_packages)]
  return [...new Set(typeof proposal_id === 'string' ? [...ids, proposal_id] : ids)]
}

function idsOf(list: unknown): string[] {
  return listOf(list).flatMap(({ product_id }) =>
    typeof product_id === 'string' ? [product_id] : [],
  )
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
