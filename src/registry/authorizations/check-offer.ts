// Whether a seller's agent may sell what it offers, according to the data stored here: the authorizations that were
// crawled, and those of registries that are followed. If nothing is stored about an offer, it is not authorized.

import { normaliseDomain } from '../../lib/host-name.ts'
import { canonicalAgentUrl } from '../../protocol/agent-url.ts'
import type { ReplicaStore } from '../replica/store.ts'
import { checkSelectors, type LookUpPorts, type ProductSelector } from './look-up.ts'

export interface OfferedProduct {
  product_id: string
  publisher_properties: readonly ProductSelector[]
}

export interface OfferFault {
  product_id: string
  publisher_domain: string
  /** What is wrong, as a readable message. */
  message: string
}

export interface CheckOfferPorts extends LookUpPorts {
  replicas: Pick<ReplicaStore, 'ofPairs'>
}

/** Maximum number of selectors that one check examines: the others count as faults. */
const MOST_SELECTORS = 200

/** One fault for each selector of a product that is not covered. `agentUrls` are all names of the agent. */
export async function checkOffer(
  ports: CheckOfferPorts,
  {
    agentUrls,
    products,
    now,
  }: { agentUrls: readonly string[]; products: readonly OfferedProduct[]; now: number },
): Promise<OfferFault[]> {
  const wanted = products.flatMap(({ product_id, publisher_properties }) =>
    publisher_properties.map((selector) => ({ product_id, selector })),
  )
  const checked = wanted.slice(0, MOST_SELECTORS)
  const names = [...new Set(agentUrls.flatMap((url) => canonicalAgentUrl(url) ?? []))]
  const covered = new Set<number>()
  const partly = new Map<number, string>()
  for (const agentUrl of names) {
    const open = checked.flatMap((one, index) => (covered.has(index) ? [] : [{ ...one, index }]))
    if (open.length === 0) break
    const selectors = open.map(({ selector }) => selector)
    const verdicts = await checkSelectors(ports, { agentUrl, selectors, now })
    for (const [place, verdict] of verdicts.entries()) {
      const index = open[place]?.index ?? 0
      const { requested_count: requested, authorized_count: held } = verdict
      if (requested > 0 && held === requested) covered.add(index)
      else if (held > 0) partly.set(index, `${held} of ${requested} properties`)
    }
  }
  const followed = await ofMirrors(ports, names, { wanted: checked, now })
  return wanted.flatMap(({ product_id, selector }, index): OfferFault[] => {
    const publisher_domain = domainOf(selector)
    if (covered.has(index) || followed.has(index)) return []
    return [{ product_id, publisher_domain, message: faultOf(publisher_domain, partly.get(index)) }]
  })
}

function faultOf(domain: string, held: string | undefined): string {
  return held === undefined
    ? `no authorization by ${domain} is on record for this agent`
    : `${domain} authorizes this agent for ${held} only`
}

function domainOf({ publisher_domain = '' }: ProductSelector): string {
  const named = normaliseDomain(publisher_domain)
  return named.ok ? named.domain : publisher_domain
}

/** A mirror has no properties: an authorization of the publisher covers whole selectors, and ids that it lists. */
async function ofMirrors(
  { replicas }: CheckOfferPorts,
  names: readonly string[],
  { wanted, now }: { wanted: readonly { selector: ProductSelector }[]; now: number },
): Promise<Set<number>> {
  const domains = [...new Set(wanted.map(({ selector }) => domainOf(selector)))]
  const pairs = names.flatMap((agent_url) =>
    domains.map((publisher_domain) => ({ agent_url, publisher_domain })),
  )
  const rows = (await replicas.ofPairs(pairs)).filter(({ body }) => isInEffect(body, now))
  const covered = new Set<number>()
  for (const [index, { selector }] of wanted.entries()) {
    const own = rows.filter(({ publisher_domain }) => publisher_domain === domainOf(selector))
    const ids = new Set(own.flatMap(({ body }) => textsOf(body.property_ids)))
    const requested = selector.property_ids ?? []
    if (own.length > 0 && requested.every((id) => ids.has(id))) covered.add(index)
  }
  return covered
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function isInEffect(body: Readonly<Record<string, unknown>>, now: number): boolean {
  const time = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Number.NaN)
  const [from, until] = [time(body.effective_from), time(body.effective_until)]
  return !(from > now) && !(until <= now)
}
