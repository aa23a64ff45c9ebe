// `seed_product` and `seed_pricing_option`: into the catalogue that everybody in the sandbox buys from. What a fixture
// leaves open is filled in; what a catalogue has no place for is left out.

import type { Transaction } from '../lib/transaction.ts'
import { BUY_LIMITS } from '../media-buys/limits.ts'
import { mayBuy, type ProductStore } from '../media-buys/product-store.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import { type CatalogueProduct, catalogueProduct, product } from '../protocol/schemas/product.ts'
import { ControllerError } from './scenario.ts'
import { type Fixture, invalidFixture, type SeedKind } from './seeds.ts'

export interface SeedProductPorts {
  products: ProductStore
}

/** Stands until a price is seeded: a product without one cannot be kept. */
const DEFAULT_PRICE = {
  pricing_option_id: 'sandbox_default',
  pricing_model: 'cpm',
  currency: 'USD',
  fixed_price: 10,
}

export function productSeeds({ products }: SeedProductPorts): SeedKind[] {
  return [
    {
      name: 'seed_product',
      ids: ['product_id'],
      put: async (tx, { ids: { product_id = '' }, fixture }, { owner }) => {
        const before = (await products.get([product_id], tx)).get(product_id)?.product
        if (!before) {
          await refuseFull(products)
          await put(products, tx, { ...defaultsFor(product_id), ...known(fixture), product_id })
          return
        }
        if (!mayBuy(before, owner)) throw invalidFixture(['product_id is taken'])
        // Who may buy a product that exists already is not for one of its buyers to change.
        const { visible_to: _visibleTo, ...changes } = known(fixture)
        await put(products, tx, { ...before, ...changes, product_id })
      },
    },
    {
      name: 'seed_pricing_option',
      ids: ['product_id', 'pricing_option_id'],
      put: async (tx, { ids: { product_id = '', pricing_option_id = '' }, fixture }, { owner }) => {
        const before = (await products.get([product_id], tx)).get(product_id)?.product
        if (!before || !mayBuy(before, owner)) {
          throw new ControllerError('NOT_FOUND', `seed the product ${product_id} first`)
        }
        const others = before.pricing_options.filter(
          (one) =>
            one.pricing_option_id !== pricing_option_id &&
            one.pricing_option_id !== DEFAULT_PRICE.pricing_option_id,
        )
        const pricing_options = [...others, { ...fixture, pricing_option_id }]
        await put(products, tx, { ...before, pricing_options })
      },
    },
  ]
}

async function refuseFull(products: ProductStore): Promise<void> {
  const most = BUY_LIMITS.products.value
  if ((await products.count()) < most) return
  throw invalidFixture([`the sandbox has ${most} products: take one that get_products lists`])
}

async function put(
  products: ProductStore,
  tx: Transaction,
  wanted: Readonly<Record<string, unknown>>,
): Promise<void> {
  const checked = checkShape(catalogueProduct, wanted)
  if (!checked.ok) {
    throw invalidFixture(checked.issues.map(({ pointer, message }) => `${pointer}: ${message}`))
  }
  await products.put(tx, [checked.value])
}

const MEMBERS: ReadonlySet<string> = new Set([
  ...Object.keys(product.shape).filter((member) => member !== 'brief_relevance'),
  'visible_to',
])

function known(fixture: Fixture): Fixture {
  const members = Object.fromEntries(
    Object.entries(fixture).filter(([member]) => MEMBERS.has(member) && member !== 'is_custom'),
  )
  const { channels } = members
  if (!Array.isArray(channels)) return members
  return { ...members, channels: channels.map((one: string) => CHANNELS.get(one) ?? one) }
}

/** Fixtures name channels as people do. */
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['video', 'olv'],
  ['audio', 'streaming_audio'],
])

function defaultsFor(product_id: string): Omit<CatalogueProduct, 'pricing_options'> & {
  pricing_options: readonly object[]
} {
  const name = product_id.replaceAll(/[_-]+/g, ' ').slice(0, 200)
  return {
    product_id,
    name,
    description: `${name}, as a test seeded it`,
    publisher_properties: [{ publisher_domain: 'sandbox.example', selection_type: 'all' }],
    delivery_type: 'non_guaranteed',
    pricing_options: [DEFAULT_PRICE],
    format_ids: [{ id: 'display_300x250' }],
    reporting_capabilities: {
      available_reporting_frequencies: ['hourly', 'daily', 'monthly'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend', 'clicks', 'conversions'],
      date_range_support: 'date_range',
    },
  }
}
