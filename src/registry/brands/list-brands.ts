// Lists brands, and finds brands by the beginning of their name or domain.

import { defined } from '../../lib/defined.ts'
import { sourceOf } from '../saved/entry.ts'
import type { SearchHit } from '../store.ts'
import type { KellerType } from './brand-identity.ts'
import { type BrandPorts, type ResolvedBrand, withoutManifests } from './resolve-brand.ts'
import type { BrandSource, BrandStats } from './store.ts'

export interface FoundBrand {
  domain: string
  canonical_domain: string
  brand_name: string
  house_domain?: string
  parent_brand?: string
  keller_type: KellerType
  brand_agent_url?: string
  source: BrandSource
}

export interface ListedBrand {
  domain: string
  brand_name: string
  source: BrandSource
  has_manifest: boolean
  verified: boolean
  house_domain?: string
  claimed_house_domain?: string
  keller_type?: KellerType
  relationship_trust?: NonNullable<ResolvedBrand['relationship_trust']>
  relationship_verified_at?: string
}

/** By the source of an entry. */
export interface BrandListStats extends BrandStats {
  hosted: number
  brand_json: number
  community: number
  enriched: number
  stub: number
}

/** Maximum number of brands that a search reads, whatever is requested. */
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
  { search = '', source, limit, offset }: BrandList,
): Promise<{ brands: ListedBrand[]; stats: BrandListStats }> {
  const text = search.normalize('NFKC').trim().toLowerCase()
  const most = { limit: offset + limit, offset: 0 }
  const isOwn = source === undefined || source === 'brand_json'
  const own = !isOwn
    ? []
    : text === ''
      ? await ports.brands.domains(most)
      : await ownBrands(ports, text)
  const saved =
    source === 'brand_json' ? [] : await ports.saved.list('brand', { ...most, search: text })
  const ofSource = saved.filter((entry) => source === undefined || sourceOf(entry) === source)
  const all = new Set([...own, ...ofSource.map(({ domain }) => domain)])
  // Those found by name come before those found by domain.
  const ordered = text === '' ? [...all].sort() : [...all]
  const domains = ordered.slice(offset, offset + limit)
  const found = await withoutManifests(ports, domains)
  const brands = [...found].map(([domain, { brand_name, source, ...brand }]): ListedBrand => {
    const { house_domain, claimed_house_domain, keller_type, relationship_trust } = brand
    const { relationship_verified_at } = brand
    return {
      domain,
      brand_name,
      source,
      // The trust information comes from the document.
      has_manifest: relationship_trust !== undefined,
      verified: source !== 'community',
      ...defined({ house_domain, claimed_house_domain, keller_type, relationship_trust }),
      ...defined({ relationship_verified_at }),
    }
  })
  const { total, with_manifest, ...stats } = await ports.brandStats()
  const { hosted, community } = await ports.saved.counts('brand')
  return {
    brands,
    stats: {
      ...stats,
      total: total + hosted + community,
      brand_json: total,
      hosted,
      community,
      enriched: 0,
      stub: 0,
      with_manifest,
    },
  }
}

export interface BrandList {
  search?: string | undefined
  source?: string | undefined
  limit: number
  offset: number
}

/** Like ownBrands, followed by brands that were saved for domains. */
async function searched(ports: BrandPorts, text: string): Promise<string[]> {
  const search = text.normalize('NFKC').trim().toLowerCase()
  const saved = await ports.saved.list('brand', { search, limit: SEARCHED, offset: 0 })
  return [...new Set([...(await ownBrands(ports, search)), ...saved.map(({ domain }) => domain)])]
}

/** Domains of valid brands, each once; matches by name come before matches by domain. */
async function ownBrands({ references }: BrandPorts, prefix: string): Promise<string[]> {
  const hits = await references.search('brand', prefix, SEARCHED)
  const isValid = (hit: SearchHit) => hit.verification_status === 'valid'
  return [...new Set(hits.filter(isValid).map(({ domain }) => domain))]
}
