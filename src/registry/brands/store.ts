// What the registry's brands need from a database: the best valid reference of a domain, with the contents of its
// brand.json.

import type { BrandIdentity } from './brand-identity.ts'

/** What a verification found about a brand. */
export interface VerifiedBrand {
  /** The URL of the document, after following pointers. */
  url: string
  variant: string
  identity: BrandIdentity
  /** The file; null where it was not read. */
  document: string | null
}

/** The source of the data about a brand: its own file, its owner, or others. */
export const BRAND_SOURCES = ['brand_json', 'hosted', 'community'] as const
export type BrandSource = (typeof BRAND_SOURCES)[number]

export interface BrandRecord {
  domain: string
  /** The name that the manifest, or the agent, gives itself. */
  title: string | null
  /** Of a reference to an agent. */
  agent_url: string | null
  source: BrandSource
  /** When it was last verified; 0 for what was saved. */
  verified_at: number
  /** Undefined for an agent, and for references verified before brands were stored. */
  manifest?: VerifiedBrand
}

/** A house that names a domain in the `brand_refs` of its verified file. */
export interface NamingHouse {
  domain: string
  house_domain: string
  /** When the house was first seen to name it. */
  first_seen_at: number
}

export interface BrandStats {
  total: number
  houses: number
  sub_brands: number
  with_manifest: number
}

export interface BrandStore {
  /** Undefined when the domain has no valid brand.json. */
  get(domain: string): Promise<BrandRecord | undefined>
  /** Like get, for many domains; without their documents. */
  identities(domains: readonly string[]): Promise<Map<string, BrandRecord>>
  /** Houses that name one of the domains, the first ones by name: at most 20 for each domain. */
  housesNaming(domains: readonly string[]): Promise<NamingHouse[]>
  /** Domains that have a brand, in the order of the domains. */
  domains(page: { limit: number; offset: number }): Promise<string[]>
  stats(): Promise<BrandStats>
}
