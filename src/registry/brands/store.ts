// What the brands of the registry need of a database: the best reference of a domain that is valid, with what its
// brand.json says.

import type { BrandIdentity } from './brand-identity.ts'

/** What a verification found out about a brand. */
export interface VerifiedBrand {
  /** Where the document is, its pointers followed. */
  url: string
  variant: string
  identity: BrandIdentity
  /** The file; null where it was not read. */
  document: string | null
}

/** Where what is known of a brand comes from: its own file, its owner, or others. */
export const BRAND_SOURCES = ['brand_json', 'hosted', 'community'] as const
export type BrandSource = (typeof BRAND_SOURCES)[number]

export interface BrandRecord {
  domain: string
  /** What the manifest, or the agent, calls itself. */
  title: string | null
  /** Of a reference to an agent. */
  agent_url: string | null
  source: BrandSource
  /** Undefined for an agent, and for what was verified before brands were kept. */
  manifest?: VerifiedBrand
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
  /** As get, of many, by domain; without their documents. */
  identities(domains: readonly string[]): Promise<Map<string, BrandRecord>>
  /** Domains that have one, in their order. */
  domains(page: { limit: number; offset: number }): Promise<string[]>
  stats(): Promise<BrandStats>
}
