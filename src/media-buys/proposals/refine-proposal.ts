// A part of `refine` that is about a proposal (spec 4.5): the proposal is returned, changed as far as its text is
// understood, omitted, or finalised. Once finalised, its prices are guaranteed until it expires; until then a draft
// has the current prices.

import type { Transact } from '../../lib/transaction.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Refined, Refinement } from '../../protocol/schemas/get-products.ts'
import type { CatalogueProduct } from '../../protocol/schemas/product.ts'
import { BUY_LIMITS } from '../limits.ts'
import type { ProductSearch } from '../product-search.ts'
import { inPerCent, leastBudget } from './make-plan.ts'
import type { Allocation, ProposalPlan, ProposalRecord, ProposalStore } from './proposal-store.ts'
import { type ReadAsk, readAsk } from './read-ask.ts'

export interface RefineProposalPorts {
  search: ProductSearch
  proposals: ProposalStore
  transact: Transact
}

type Requested = Extract<Refinement, { scope: 'proposal' }>
type Products = ReadonlyMap<string, CatalogueProduct>

export interface RefinedProposal {
  refined: Refined
  /** Its current state, if it is to be returned. */
  proposal?: ProposalRecord
}

/** How long the prices of a finalised proposal are guaranteed. */
export const HOLD_MS = 48 * 60 * 60 * 1_000

const HELD = 'its prices hold until it expires: buy it by proposal_id'
/** A finalised proposal can no longer be changed: the requested change would be lost. */
const NOT_HELD =
  'it is not finalised, because part of `ask` could not be applied. Change `ask` or omit it'

/** `products` are those that the caller may buy. */
export async function refineProposal(
  { search, proposals, transact }: RefineProposalPorts,
  part: Requested,
  { owner, products }: { owner: string; products: Products },
): Promise<RefinedProposal> {
  const { scope, proposal_id, action = 'include', ask } = part
  const about = { scope, proposal_id }
  const unable = (notes: string): RefinedProposal => ({
    refined: { ...about, status: 'unable', notes },
  })
  if (action === 'omit') return { refined: { ...about, status: 'applied' } }
  const preference = ask === undefined ? undefined : await meantBy(search, readAsk(ask))
  return transact(async (tx) => {
    const now = await tx.now()
    const found = await proposals.lock(tx, owner, proposal_id)
    if (!found && action === 'finalize') {
      const message = `no proposal ${proposal_id} belongs to you`
      throw new ProtocolError('PROPOSAL_NOT_FOUND', message, { field: '/refine' })
    }
    if (!found) return unable('no proposal with this id belongs to you. Send a new brief')
    if (found.media_buy_id !== undefined) return unable(`it was bought as ${found.media_buy_id}`)
    if (found.status === 'declined') return unable('it was declined. Send a new brief')
    if (found.plan.snapshot) return unable('its terms never change: use refine_proposals')
    if (found.expires_at <= now) return unable('it has expired. Send a new brief')
    const isGone = found.plan.allocations.some((one) => !optionNow(one, products))
    if (isGone) return unable('some of its products are no longer offered. Send a new brief')
    if (found.status === 'committed') {
      const refined: Refined = { ...about, status: preference ? 'unable' : 'applied' }
      const notes = preference
        ? 'it is finalised and can no longer be refined: refine a draft'
        : 'it is already finalised'
      return { refined: { ...refined, notes }, proposal: found }
    }
    const mostHeld = BUY_LIMITS.heldProposals.value
    if (action === 'finalize' && (await proposals.countHeld(tx, owner)) >= mostHeld) {
      return unable(`you have ${mostHeld} finalised proposals: buy some, or wait until they expire`)
    }
    const changed = changedPlan(found.plan, preference, products)
    const isFinal = action === 'finalize' && changed.status === 'applied'
    const proposal: ProposalRecord = {
      ...found,
      plan: changed.plan,
      status: isFinal ? 'committed' : 'draft',
      expires_at: isFinal ? now + HOLD_MS : found.expires_at,
    }
    await proposals.change(tx, proposal)
    const done = action === 'finalize' ? [isFinal ? HELD : NOT_HELD] : []
    const notes = [...changed.notes, ...done].join('; ')
    return { refined: { ...about, status: changed.status, ...(notes && { notes }) }, proposal }
  })
}

/** What is requested, with the products that its text refers to. */
export interface Preference {
  drops: ReadonlySet<string>[]
  shifts: { ids: ReadonlySet<string>; percent: number }[]
  hasMore: boolean
}

export async function meantBy(search: ProductSearch, read: ReadAsk): Promise<Preference> {
  const idsOf = async (words: string) => {
    const found = words === '' ? [] : await search.find(words)
    return new Set(found.map(({ product }) => product.product_id))
  }
  const shifts: Preference['shifts'] = []
  for (const { words, percent } of read.shifts) shifts.push({ ids: await idsOf(words), percent })
  const drops: Preference['drops'] = []
  for (const words of read.drops) drops.push(await idsOf(words))
  return { drops, shifts, hasMore: read.hasMore }
}

export function changedPlan(
  plan: ProposalPlan,
  preference: Preference | undefined,
  products: Products,
): { plan: ProposalPlan; status: Refined['status']; notes: string[] } {
  const priced = plan.allocations.map((one) => ({
    ...one,
    held: optionNow(one, products) ?? one.held,
  }))
  if (!preference) return { plan: withParts(plan, priced), status: 'applied', notes: [] }
  const notes: string[] = []
  let allocations: readonly Allocation[] = priced
  let done = 0
  for (const ids of preference.drops) {
    const kept = allocations.filter(({ product_id }) => !ids.has(product_id))
    if (kept.length === allocations.length || kept.length === 0) continue
    const gone = allocations.filter((one) => !kept.includes(one)).map((one) => one.product_id)
    notes.push(`left out: ${gone.join(', ')}`)
    allocations = kept
    done += 1
  }
  for (const { ids, percent } of preference.shifts) {
    const shifted = shift(allocations, ids, percent)
    if (!shifted) continue
    notes.push(`${percent}% goes to what its words mean`)
    allocations = shifted
    done += 1
  }
  const requested = preference.drops.length + preference.shifts.length
  const isAll = done === requested && !preference.hasMore
  if (!isAll)
    notes.push('the rest of the request was not understood, or matches no product of the proposal')
  const status = done === 0 ? 'unable' : isAll ? 'applied' : 'partial'
  return { plan: withParts(plan, allocations), status, notes }
}

/** The named products get this share of the budget and the others the rest, each side divided as before. */
function shift(
  allocations: readonly Allocation[],
  ids: ReadonlySet<string>,
  percent: number,
): Allocation[] | undefined {
  const isMeant = ({ product_id }: Allocation) => ids.has(product_id)
  const meant = allocations.filter(isMeant)
  const others = allocations.length - meant.length
  if (meant.length === 0 || others === 0 || percent < 1 || percent > 100 - others) return undefined
  const sums = { meant: sumOf(meant), others: 100 - sumOf(meant) }
  return allocations.map((one) => ({
    ...one,
    allocation_percentage: isMeant(one)
      ? (one.allocation_percentage * percent) / sums.meant
      : (one.allocation_percentage * (100 - percent)) / sums.others,
  }))
}

function sumOf(allocations: readonly Allocation[]): number {
  return allocations.reduce((sum, { allocation_percentage }) => sum + allocation_percentage, 0)
}

/** With whole shares that add up, and the minimum budget for them. */
export function withParts(plan: ProposalPlan, allocations: readonly Allocation[]): ProposalPlan {
  const parts = inPerCent(allocations.map(({ allocation_percentage }) => allocation_percentage))
  const whole = allocations.map((one, index) => ({
    ...one,
    allocation_percentage: parts[index] as number,
  }))
  return { ...plan, allocations: whole, least_budget: leastBudget(whole) }
}

/** Undefined if it is no longer offered, or not at a fixed price. */
export function optionNow({ product_id, pricing_option_id }: Allocation, products: Products) {
  const { pricing_options = [] } = products.get(product_id) ?? {}
  const option = pricing_options.find((one) => one.pricing_option_id === pricing_option_id)
  return option?.fixed_price === undefined ? undefined : option
}
