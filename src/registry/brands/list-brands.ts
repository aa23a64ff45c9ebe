// The list of brands, and brands by the beginning of their name or domain.

import { defined } from '../../lib/defined.ts'
import type { SearchHit } from '../store.ts'
import type { KellerType } from './brand-identity.ts'
import { type BrandPorts, type ResolvedBrand, withoutManifests } from './resolve-brand.ts'
import type { BrandStats } from './store.ts'

export interface FoundBrand {
  domain: string
  canonical_domain: string
  brand_name: string
  house_domain?: string
  parent_brand?: string
  keller_type: KellerType
  brand_agent_url?: string
  source: 'brand_json'
}

export interface ListedBrand {
  domain: string
  brand_name: string
  source: 'brand_json'
  has_manifest: boolean
  verified: true
  house_domain?: string
  claimed_house_domain?: string
  keller_type?: KellerType
  relationship_trust?: NonNullable<ResolvedBrand['relationship_trust']>
}

/** By the source of an entry: all that this registry has are files of the domains themselves. */
export interface BrandListStats extends BrandStats {
  hosted: number
  brand_json: number
  community: number
  enriched: number
  stub: number
}

/** Most brands that a search looks at, whatever is asked for. */
const SEARCHED = 1_000

export async function findBrands(
  ports: BrandPorts,
  { q, limit }: { q: string; limit: number },
): Promise<FoundBrand[]> {
  const domains = (await searched(ports, q)).slice(0, limit)
  const brands = await withoutManifests(ports, domains)
  return [...brands].map(([domain, { canonical_domain, brand_name, source, ...brand }]) => {
    const { keller_type = 'independent', house_domain, parent_brand, brand_agent_url } = brand
    return {
      domain,
      canonical_domain,
      brand_name,
      ...defined({ house_domain, parent_brand, brand_agent_url }),
      keller_type,
      source,
    }
  })
}

export async function listBrands(
  ports: BrandPorts & { brandStats: () => Promise<BrandStats> },
  { search, limit, offset }: { search?: string | undefined; limit: number; offset: number },
): Promise<{ brands: ListedBrand[]; stats: BrandListStats }> {
  const domains =
    search === undefined || search.trim() === ''
      ? await ports.brands.domains({ limit, offset })
      : (await searched(ports, search)).slice(offset, offset + limit)
  const found = await withoutManifests(ports, domains)
  const brands = [...found].map(([domain, { brand_name, source, ...brand }]): ListedBrand => {
    const { house_domain, claimed_house_domain, keller_type, relationship_trust } = brand
    return {
      domain,
      brand_name,
      source,
      // What is known of the trust comes from the document.
      has_manifest: relationship_trust !== undefined,
      verified: true,
      ...defined({ house_domain, claimed_house_domain, keller_type, relationship_trust }),
    }
  })
  const stats = await ports.brandStats()
  const others = { hosted: 0, community: 0, enriched: 0, stub: 0 }
  return { brands, stats: { ...stats, brand_json: stats.total, ...others } }
}

/** Domains of valid ones, each once, those found by name before those found by domain. */
async function searched({ references }: BrandPorts, text: string): Promise<string[]> {
  const prefix = text.normalize('NFKC').trim().toLowerCase()
  const hits = await references.search('brand', prefix, SEARCHED)
  const isValid = (hit: SearchHit) => hit.verification_status === 'valid'
  return [...new Set(hits.filter(isValid).map(({ domain }) => domain))]
}
