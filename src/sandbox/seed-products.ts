// `seed_product` and `seed_pricing_option`: add to the catalogue that everyone in the sandbox buys from. Members
// that a fixture omits are filled in; members that a catalogue cannot store are left out.

import type { Capability } from '../creative/canonical/capabilities.ts'
import type { Transaction } from '../lib/transaction.ts'
import { BUY_LIMITS } from '../media-buys/limits.ts'
import { mayBuy, type ProductStore } from '../media-buys/product-store.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import { catalogueProduct, product } from '../protocol/schemas/product.ts'
import {
  completePrice,
  completeProduct,
  DEFAULT_FORMATS,
  DEFAULT_PRICE,
  DEFAULT_REPORTING,
} from './complete-product.ts'
import { ControllerError } from './scenario.ts'
import { type Fixture, invalidFixture, type SeedKind } from './seeds.ts'

export interface SeedProductPorts {
  products: ProductStore
  /** The formats by their canonical kinds, for fixtures that do not name formats. */
  capabilities: readonly Capability[]
}

export function productSeeds({ products, capabilities }: SeedProductPorts): SeedKind[] {
  return [
    {
      name: 'seed_product',
      ids: ['product_id'],
      put: async (tx, { ids: { product_id = '' }, fixture }, { owner }) => {
        const given = known(completeProduct(fixture, capabilities))
        const before = (await products.get([product_id], tx)).get(product_id)?.product
        if (!before) {
          await refuseFull(products)
          await put(products, tx, { ...defaultsFor(product_id), ...given, product_id })
          return
        }
        if (!mayBuy(before, owner)) throw invalidFixture(['product_id is taken'])
        // One of a product's buyers must not change who may buy an existing product.
        const { visible_to: _visibleTo, ...changes } = given
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
        const pricing_options = [...others, completePrice({ ...fixture, pricing_option_id })]
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
const NOT_KEPT = new Set(['is_custom', 'format_options'])

function known(fixture: Fixture): Fixture {
  return Object.fromEntries(
    Object.entries(fixture).filter(([member]) => MEMBERS.has(member) && !NOT_KEPT.has(member)),
  )
}

function defaultsFor(product_id: string): Fixture {
  const name = product_id.replaceAll(/[_-]+/g, ' ').slice(0, 200)
  return {
    product_id,
    name,
    description: `${name}, as a test seeded it`,
    publisher_properties: [{ publisher_domain: 'sandbox.example', selection_type: 'all' }],
    delivery_type: 'non_guaranteed',
    pricing_options: [DEFAULT_PRICE],
    format_ids: DEFAULT_FORMATS,
    reporting_capabilities: DEFAULT_REPORTING,
  }
}
