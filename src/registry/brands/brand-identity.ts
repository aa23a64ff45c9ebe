// Which brand a domain belongs to, according to the brand.json that the domain vouches for: a single brand, one of
// the brands of a house, the house itself, or only agents. This reads a document that has been validated; anything
// with another shape is skipped.

import { defined } from '../../lib/defined.ts'
import { normaliseDomain } from '../../lib/host-name.ts'
import { wellKnownUrl } from '../../protocol/domain-authority.ts'

export const KELLER_TYPES = ['master', 'sub_brand', 'endorsed', 'independent'] as const
export type KellerType = (typeof KELLER_TYPES)[number]

interface BrandRef {
  domain: string
  effective_at?: string
}

export interface BrandIdentity {
  canonical_id: string
  canonical_domain: string
  brand_name: string
  names?: Record<string, string>[]
  keller_type?: KellerType
  parent_brand?: string
  brand_agent_url?: string
  /** The house that owns this document, if the document also lists the brand as its own. */
  inline_house?: House
  /** The house that the document claims, or that it belongs to without naming this domain. */
  claimed_house_domain?: string
  /** For a house: the external brands that it calls its own, and the domains of the brands in its document. */
  house?: House & { brand_refs: BrandRef[]; owned_domains: string[] }
}

interface House {
  domain: string
  name: string
}

type Fields = Record<string, unknown>

/** Maximum number of entries of a house that are examined. */
const MAX_BRANDS = 200
const MAX_OWNED = 1_000

/** `url`: where the document is. Only a house's own document proves that it is a house. */
export function brandIdentity(domain: string, document: unknown, url: string): BrandIdentity {
  const fields = fieldsOf(document)
  const house = fieldsOf(fields.house)
  const name = textOf(house.name)
  const houseDomain = domainOf(house.domain)
  if (name !== undefined && houseDomain !== undefined) {
    const isOwn = domain === houseDomain || url === wellKnownUrl(houseDomain, 'brand.json')
    return ofHouse(domain, fields, { domain: houseDomain, name, isOwn })
  }
  const claimed = domainOf(fields.house_domain)
  return {
    ...ofBrand(domain, fields),
    // A brand that names itself as its house has no house.
    ...defined({ claimed_house_domain: claimed === domain ? undefined : claimed }),
  }
}

function ofHouse(
  domain: string,
  fields: Fields,
  { isOwn, ...house }: House & { isOwn: boolean },
): BrandIdentity {
  const brands = listOf(fields.brands).map(fieldsOf)
  const isHouse = domain === house.domain
  const named = brands.find((brand) => ownedDomains(brand).includes(domain))
  const main = isHouse ? brands.find((brand) => brand.keller_type === 'master') : undefined
  const brand = named ?? main
  if (!isHouse) {
    const who = brand ? ofBrand(domain, brand) : unnamed(domain)
    return brand && isOwn
      ? { ...who, inline_house: house }
      : { ...who, claimed_house_domain: house.domain }
  }
  const brand_refs = refsOf(fields.brand_refs)
  const owned_domains = brands.flatMap(ownedDomains).slice(0, MAX_OWNED)
  return {
    ...(brand
      ? ofBrand(domain, brand)
      : {
          ...unnamed(domain),
          brand_name: house.name,
          keller_type: 'master' as const,
          ...agentOf(fields),
        }),
    inline_house: house,
    house: { ...house, brand_refs, owned_domains },
  }
}

function ofBrand(domain: string, brand: Fields): BrandIdentity {
  const names = listOf(brand.names).map(namesOf).filter(isFilled)
  const id = textOf(brand.id) ?? domain
  const parent_brand = textOf(brand.parent_brand)
  return {
    canonical_id: parent_brand === undefined ? id : `${parent_brand}#${id}`,
    canonical_domain: primaryDomain(brand) ?? domain,
    brand_name: Object.values(names[0] ?? {})[0] ?? domain,
    ...(names.length > 0 ? { names } : {}),
    ...defined({
      keller_type: KELLER_TYPES.find((type) => type === brand.keller_type),
      parent_brand,
    }),
    ...agentOf(brand),
  }
}

function unnamed(domain: string): BrandIdentity {
  return { canonical_id: domain, canonical_domain: domain, brand_name: domain }
}

/** Websites that belong to a brand: sites where it only sells for others prove nothing. */
function ownedDomains(brand: Fields): string[] {
  return websitesOf(brand)
    .filter(({ relationship }) => relationship === undefined || relationship === 'owned')
    .flatMap(({ identifier }) => domainOf(identifier) ?? [])
}

function primaryDomain(brand: Fields): string | undefined {
  return domainOf(websitesOf(brand).find(({ primary }) => primary === true)?.identifier)
}

function websitesOf(brand: Fields): Fields[] {
  return listOf(brand.properties)
    .map(fieldsOf)
    .filter(({ type }) => type === 'website')
}

function agentOf(fields: Fields): { brand_agent_url?: string } {
  const agents = listOf(fields.agents).map(fieldsOf)
  const url =
    textOf(agents.find(({ type }) => type === 'brand')?.url) ??
    textOf(fieldsOf(fields.brand_agent).url)
  return defined({ brand_agent_url: url })
}

function refsOf(value: unknown): BrandRef[] {
  return listOf(value)
    .map(fieldsOf)
    .flatMap(({ domain, effective_at }) => {
      const named = domainOf(domain)
      const since = defined({ effective_at: textOf(effective_at) })
      return named === undefined ? [] : [Object.assign({ domain: named }, since)]
    })
}

function namesOf(value: unknown): Record<string, string> {
  const texts = Object.entries(fieldsOf(value)).filter(([, name]) => typeof name === 'string')
  return Object.fromEntries(texts) as Record<string, string>
}

function isFilled(names: Record<string, string>): boolean {
  return Object.keys(names).length > 0
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_BRANDS) : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function domainOf(value: unknown): string | undefined {
  const named = typeof value === 'string' ? normaliseDomain(value) : undefined
  return named?.ok ? named.domain : undefined
}
