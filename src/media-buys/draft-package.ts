// Converts a package of a request to one that can be stored: its product, price, budget, dates, targeting and
// creatives are each checked, and all errors are reported at once (spec 4.5, 7).

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transaction } from '../lib/transaction.ts'
import { suggestNear } from '../protocol/near-ids.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { activationKeyText } from '../protocol/schemas/deployment.ts'
import {
  type CatalogueProduct,
  PACINGS,
  type ProductPricingOption,
} from '../protocol/schemas/product.ts'
import type { Faults } from './faults.ts'
import { type Flight, startOf } from './flight.ts'
import { leastSpend } from './least-spend.ts'
import { BUY_LIMITS } from './limits.ts'
import { measurementOf } from './measurement-terms.ts'
import type { PackageRecord, TargetedSignal } from './media-buy.ts'
import { isPast, type ProductCatalogue } from './product-store.ts'
import type { NewAssignment, OwnSignals, PackageCreatives } from './store.ts'
import { type NamedKey, readTargeting } from './targeting.ts'

/** The members of a package in a request, new or changed. */
export interface PackageTerms {
  budget?: number | undefined
  pricing_option_id?: string | undefined
  start_time?: string | undefined
  end_time?: string | undefined
  paused?: boolean | undefined
  pacing?: string | undefined
  bid_price?: number | undefined
  impressions?: number | undefined
  targeting_overlay?: Readonly<Record<string, unknown>> | undefined
  measurement_terms?: unknown
  creative_ids?: readonly string[] | undefined
  creative_assignments?: readonly Readonly<Record<string, unknown>>[] | undefined
  /** Added to the library before the package is checked. */
  creatives?: readonly { creative_id: string }[] | undefined
  buyer_ref?: string | undefined
  context?: object | undefined
  ext?: object | undefined
}

interface NewPackageTerms extends PackageTerms {
  product_id: string
  budget: number
}

export interface DraftPorts {
  products: ProductCatalogue
  creatives: PackageCreatives
  signals: OwnSignals
}

export interface Draft {
  record: PackageRecord
  product: CatalogueProduct
  option: ProductPricingOption
  /** Undefined: the request does not mention creatives. */
  assignments: readonly NewAssignment[] | undefined
  pointer: string
}

export interface DraftContext {
  tx: Transaction
  owner: string
  flight: Flight
  faults: Faults
}

export interface RequestedPackage {
  terms: NewPackageTerms
  pointer: string
  /** The pricing, if agreed before. Default the product's current offer. */
  held?: ProductPricingOption | undefined
}

/** Unknown products for which similar ones are searched: a request may have a hundred. */
const MOST_COMPARED = 3

/** New packages; those with errors are omitted, and the errors reported. */
export async function draftPackages(
  ports: DraftPorts,
  context: DraftContext,
  requested: readonly RequestedPackage[],
): Promise<Draft[]> {
  const { tx, owner, faults, flight } = context
  const products = await ports.products.find(tx, owner, [
    ...new Set(requested.map(({ terms }) => terms.product_id)),
  ])
  const drafts: Draft[] = []
  let compared = 0
  for (const { terms, pointer, held } of requested) {
    const product = products.get(terms.product_id)
    if (!product || isPast(product, flight.now)) {
      compared++
      const near =
        compared <= MOST_COMPARED ? await ports.products.near(tx, owner, terms.product_id) : []
      faults.add('PRODUCT_NOT_FOUND', 'No product with this id is available to you.', {
        pointer: `${pointer}/product_id`,
        suggestion: suggestNear(near, 'Use a product_id returned by get_products.'),
      })
      continue
    }
    const option = held ?? optionOf(product, terms, { pointer, faults })
    if (!option) continue
    const bare: PackageRecord = {
      package_id: `pk_${randomUUID()}`,
      product_id: terms.product_id,
      pricing_option_id: option.pricing_option_id,
      pricing: { pricing_model: option.pricing_model, rate: 0 },
      budget: terms.budget,
      paused: terms.paused === true,
      signals: [],
    }
    drafts.push(withTerms(bare, terms, { product, option, pointer, context }))
  }
  return withOthers(ports, context, drafts)
}

/** A package after the change that a request makes. */
export async function changePackages(
  ports: DraftPorts,
  context: DraftContext,
  requested: readonly { before: PackageRecord; terms: PackageTerms; pointer: string }[],
): Promise<Draft[]> {
  const { faults } = context
  const ids = [...new Set(requested.map(({ before }) => before.product_id))]
  const products = await ports.products.find(context.tx, context.owner, ids)
  const drafts: Draft[] = []
  for (const { before, terms, pointer } of requested) {
    const product = products.get(before.product_id)
    const option = product?.pricing_options.find(
      ({ pricing_option_id }) => pricing_option_id === before.pricing_option_id,
    )
    if (!product || !option) {
      const message =
        'Its product or price is no longer offered: it can only be paused or canceled.'
      faults.add('PRODUCT_NOT_FOUND', message, { pointer })
      continue
    }
    const { pricing_option_id } = terms
    if (pricing_option_id !== undefined && pricing_option_id !== before.pricing_option_id) {
      const message = 'The price of a package cannot change: add a package with the other price.'
      faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/pricing_option_id` })
    }
    drafts.push(
      withTerms(before, terms, { product, option: asBought(option, before), pointer, context }),
    )
  }
  return withOthers(ports, context, drafts)
}

/** A fixed price stays the same as when the package was bought. */
function asBought(option: ProductPricingOption, { pricing }: PackageRecord): ProductPricingOption {
  return option.fixed_price === undefined ? option : { ...option, fixed_price: pricing.rate }
}

function optionOf(
  { pricing_options, product_id }: CatalogueProduct,
  { pricing_option_id }: PackageTerms,
  { pointer, faults }: { pointer: string; faults: Faults },
): ProductPricingOption | undefined {
  const only = pricing_options.length === 1 ? pricing_options[0] : undefined
  if (pricing_option_id === undefined && only) return only
  const found = pricing_options.find((one) => one.pricing_option_id === pricing_option_id)
  if (found) return found
  const ids = pricing_options.map((one) => one.pricing_option_id).join(', ')
  const message = `The pricing options of ${product_id} are ${ids}: use one of them.`
  faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/pricing_option_id` })
  return undefined
}

interface TermsContext {
  product: CatalogueProduct
  option: ProductPricingOption
  pointer: string
  context: DraftContext
}

function withTerms(before: PackageRecord, terms: PackageTerms, at: TermsContext): Draft {
  const { product, option, pointer } = at
  const { budget, paused, pacing, impressions, targeting_overlay, buyer_ref, context, ext } = terms
  const bid_price = terms.bid_price ?? before.bid_price
  const record: PackageRecord = {
    ...before,
    ...defined({ budget, paused, pacing, bid_price, impressions, targeting_overlay }),
    ...defined({
      buyer_ref,
      context,
      ext,
      measurement_terms: measurementOf(terms, pointer, at.context.faults),
    }),
    ...defined(datesOf(before, terms, at)),
    pricing: { pricing_model: option.pricing_model, rate: rateOf(option, bid_price) },
  }
  checkTerms(record, at)
  return { record, product, option, assignments: assignmentsOf(terms, at), pointer }
}

function rateOf(
  { fixed_price, floor_price }: ProductPricingOption,
  bid: number | undefined,
): number {
  return fixed_price ?? bid ?? floor_price ?? 0
}

function checkTerms(record: PackageRecord, { option, pointer, context: { faults } }: TermsContext) {
  const { floor_price } = option
  const { budget, bid_price, pacing, context, ext } = record
  const needed = leastSpend(option)
  if (budget < needed) {
    const message = `The minimum is ${needed} ${option.currency}.`
    faults.add('BUDGET_TOO_LOW', message, {
      pointer: `${pointer}/budget`,
      details: { minimum_budget: needed, currency: option.currency },
    })
  }
  if (floor_price !== undefined && bid_price !== undefined && bid_price < floor_price) {
    const message = `The bid must be at least the floor price of ${floor_price} ${option.currency}.`
    faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/bid_price` })
  }
  if (pacing !== undefined && !(PACINGS as readonly string[]).includes(pacing)) {
    faults.add('VALIDATION_ERROR', `This must be one of ${PACINGS.join(', ')}.`, {
      pointer: `${pointer}/pacing`,
    })
  }
  const { termsBytes } = BUY_LIMITS
  if (isLongerAsJson([context ?? null, ext ?? null], termsBytes.value)) {
    const message = `Keep context and ext below ${termsBytes.value} bytes.`
    faults.add('VALIDATION_ERROR', message, { pointer })
  }
}

/** A package runs within the flight dates of its buy. */
function datesOf(
  before: PackageRecord,
  { start_time, end_time }: PackageTerms,
  { pointer, context: { flight, faults } }: TermsContext,
): { start_at?: number | undefined; end_at?: number | undefined } {
  const isStart = start_time !== undefined && start_time !== 'asap'
  const isSame = isStart && Date.parse(start_time) === (before.start_at ?? flight.start_at)
  const start_at = isSame
    ? before.start_at
    : isStart
      ? startOf(start_time, flight, { pointer, faults })
      : undefined
  const end_at = end_time === undefined ? undefined : Date.parse(end_time)
  const from = start_at ?? flight.start_at
  const to = end_at ?? flight.end_at
  if (from < flight.start_at || to > flight.end_at) {
    const message = 'A package runs within the dates of its media buy: change those first.'
    faults.add('VALIDATION_ERROR', message, { pointer: `${pointer}/start_time` })
  }
  if (from >= to) {
    faults.add('VALIDATION_ERROR', 'It must end after it starts.', {
      pointer: `${pointer}/end_time`,
    })
  }
  return { start_at, end_at }
}

/**
 * The creatives that drafts assign to their packages, by package; drafts that do not mention creatives are omitted.
 */
export function assignmentsIn(
  drafts: readonly Pick<Draft, 'record' | 'assignments'>[],
): Map<string, readonly NewAssignment[]> {
  return new Map(
    drafts.flatMap(({ record, assignments }) =>
      assignments ? [[record.package_id, assignments] as const] : [],
    ),
  )
}

/** Both forms as one list; undefined when neither is given. */
function assignmentsOf(
  { creative_ids, creative_assignments, creatives }: PackageTerms,
  { pointer, context: { faults } }: TermsContext,
): NewAssignment[] | undefined {
  const given = [creative_ids, creative_assignments, creatives]
  if (given.every((one) => one === undefined)) return undefined
  const found = new Map<string, NewAssignment>()
  for (const creative_id of creative_ids ?? []) found.set(creative_id, { creative_id })
  for (const { creative_id } of creatives ?? []) found.set(creative_id, { creative_id })
  for (const [index, one] of (creative_assignments ?? []).entries()) {
    const { weight, placement_ids } = one
    const at = `${pointer}/creative_assignments/${index}`
    if (weight !== undefined && !(typeof weight === 'number' && weight >= 0 && weight <= 100)) {
      faults.add('VALIDATION_ERROR', 'A weight must be a number from 0 to 100.', {
        pointer: `${at}/weight`,
      })
    }
    const creative_id = String(one.creative_id)
    found.set(creative_id, {
      creative_id,
      ...defined({
        weight: typeof weight === 'number' ? weight : undefined,
        placement_ids: isTextList(placement_ids) ? placement_ids : undefined,
      }),
    })
  }
  const most = BUY_LIMITS.packageCreatives.value
  if (found.size > most) {
    faults.add('VALIDATION_ERROR', `At most ${most} creatives are accepted.`, { pointer })
  }
  return [...found.values()].slice(0, most)
}

function isTextList(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length <= 100 && value.every((one) => typeof one === 'string')
  )
}

/** What is looked up for all packages together: creatives and signals. */
async function withOthers(
  ports: DraftPorts,
  context: DraftContext,
  drafts: readonly Draft[],
): Promise<Draft[]> {
  await checkCreatives(ports, context, drafts)
  const named = drafts.map(({ record, pointer }) =>
    isObject(record.targeting_overlay)
      ? readTargeting(record.targeting_overlay, `${pointer}/targeting_overlay`, context.faults)
      : [],
  )
  const signals = await findSignals(ports, context, named)
  return drafts.map((draft, index) => ({
    ...draft,
    record: { ...draft.record, signals: signals[index] ?? [] },
  }))
}

async function checkCreatives(
  { creatives }: DraftPorts,
  { tx, owner, faults }: DraftContext,
  drafts: readonly Draft[],
): Promise<void> {
  const wanted = drafts.flatMap(({ assignments = [] }) => assignments)
  if (wanted.length === 0) return
  const formats = await creatives.find(tx, owner, [
    ...new Set(wanted.map(({ creative_id }) => creative_id)),
  ])
  for (const { assignments = [], product, pointer } of drafts) {
    const taken = new Set(product.format_ids.map(({ id }) => id))
    for (const { creative_id } of assignments) {
      const format = formats.get(creative_id)
      const at = `${pointer}/creative_assignments`
      if (format === undefined) {
        const message = `No creative ${creative_id} in your library. Add it with sync_creatives first.`
        faults.add('CREATIVE_NOT_FOUND', message, { pointer: at })
      } else if (!taken.has(format)) {
        const message = `${product.product_id} takes no creative of the format ${format}.`
        faults.add('VALIDATION_ERROR', message, { pointer: at })
      }
    }
  }
}

async function findSignals(
  { signals }: DraftPorts,
  { tx, owner, faults }: DraftContext,
  named: readonly (readonly NamedKey[])[],
): Promise<TargetedSignal[][]> {
  const texts = new Set(named.flat().map(({ key }) => activationKeyText(key)))
  const found = texts.size > 0 ? await signals.byKeyText(tx, owner, [...texts]) : new Map()
  return named.map((keys) =>
    keys.flatMap(({ key, pointer }) => {
      const signal = found.get(activationKeyText(key)) as TargetedSignal | undefined
      if (signal) return [signal]
      faults.add('REFERENCE_NOT_FOUND', 'None of your signals is active with this key.', {
        pointer,
        suggestion: 'Use an activation_key returned by activate_signal.',
      })
      return []
    }),
  )
}
