// Resolves brands: which brand a domain has, and which house it belongs to, according to the brand.json that the
// domain vouches for. A claim to belong to a house counts only if the house's own document names the domain.

import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { normaliseDomain } from '../../lib/host-name.ts'
import { tryJson } from '../../lib/try-json.ts'
import type { ManifestReference } from '../../protocol/manifest-reference.ts'
import type { FindReader } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { visibleEntry } from '../saved/read-entry.ts'
import type { SavedStore } from '../saved/store.ts'
import type { OrganizationStore, ReferenceStore } from '../store.ts'
import type { KellerType } from './brand-identity.ts'
import { savedBrand, servableManifest } from './saved-brand.ts'
import type { BrandRecord, BrandSource, BrandStore, NamingHouse } from './store.ts'

export interface BrandPorts {
  brands: BrandStore
  references: Pick<ReferenceStore, 'bestJson' | 'search'>
  saved: SavedStore
  organizations: OrganizationStore
  /** The base URL of this server, for the URLs of what it serves. */
  publicUrl: () => string
  clock: Clock
}

export const RELATIONSHIPS = [
  'inline',
  'mutual',
  'leaf_only',
  'house_only',
  'standalone',
  'unverifiable',
] as const

export interface ResolvedBrand {
  canonical_id: string
  canonical_domain: string
  brand_name: string
  names?: Record<string, string>[]
  keller_type?: KellerType
  parent_brand?: string
  house_domain?: string
  claimed_house_domain?: string
  house_name?: string
  relationship_trust?: (typeof RELATIONSHIPS)[number]
  /** When both sides were last seen to agree. */
  relationship_verified_at?: string
  /** Since when the house names the brand. */
  relationship_declared_at?: string
  brand_agent_url?: string
  brand_manifest?: Record<string, unknown>
  source: BrandSource
}

export interface ServedBrandJson {
  domain: string
  url: string
  variant: string
  data: Record<string, unknown>
}

export async function resolveBrand(
  ports: BrandPorts,
  given: string,
  reader?: FindReader,
): Promise<{ ok: true; brand: ResolvedBrand } | Refusal> {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const record = await recordFor(ports, named.domain, reader)
  if (!record) return noBrand(ports, named.domain)
  const brand = resolved(record, await relativesOf(ports, [record]), ports.clock.now())
  return { ok: true, brand: { ...brand, ...manifestOf(record) } }
}

/** Maximum total size in characters of the documents in one bulk response; later brands are returned without one. */
const BULK_DOCUMENT_CHARS = 1_048_576

/** A map from each domain as it was sent; null for domains that have no brand. */
export async function resolveBrands(
  ports: BrandPorts,
  given: readonly string[],
): Promise<Record<string, ResolvedBrand | null>> {
  const domainOf = new Map(given.map((one) => [one, normalDomain(one)]))
  const domains = [...new Set(domainOf.values())].filter((one) => one !== undefined)
  const brands = await withoutManifests(ports, domains)
  let left = BULK_DOCUMENT_CHARS
  // Sequentially, so that no more documents are in memory than are returned.
  for (const [domain, brand] of brands) {
    if (left <= 0) break
    const record = await recordFor(ports, domain)
    left -= record?.manifest?.document?.length ?? 0
    if (record && left >= 0) brands.set(domain, { ...brand, ...manifestOf(record) })
  }
  return Object.fromEntries(
    [...domainOf].map(([one, domain]) => [one, brands.get(domain ?? '') ?? null]),
  )
}

/** Brands by their domains, in the order requested; only existing ones. */
export async function withoutManifests(
  ports: Pick<BrandPorts, 'brands' | 'clock' | 'saved'>,
  domains: readonly string[],
): Promise<Map<string, ResolvedBrand>> {
  const records = new Map(await ports.brands.identities(domains))
  const others = domains.filter((domain) => !records.has(domain))
  const saved = others.length > 0 ? await ports.saved.some('brand', others) : new Map()
  for (const [domain, entry] of saved) {
    if (entry.review_status === 'approved') records.set(domain, savedBrand(entry))
  }
  const relatives = await relativesOf(ports, [...records.values()])
  const found = domains.flatMap((domain) => records.get(domain) ?? [])
  return new Map(
    found.map((record) => [record.domain, resolved(record, relatives, ports.clock.now())]),
  )
}

function normalDomain(given: string): string | undefined {
  const named = normaliseDomain(given)
  return named.ok ? named.domain : undefined
}

/** The document as it was served, after following pointers: a valid brand.json, or nothing. */
export async function brandJson(
  ports: BrandPorts,
  given: string,
): Promise<{ ok: true; served: ServedBrandJson; text: string } | Refusal> {
  const named = normaliseDomain(given)
  if (!named.ok) return refuse(400, named.reason)
  const { domain } = named
  const { manifest } = (await ports.brands.get(domain)) ?? {}
  const data = documentOf(manifest?.document)
  if (!manifest?.document || !data) return savedJson(ports, domain)
  const { url, document } = manifest
  const variant = publicVariant(manifest.variant)
  return { ok: true, served: { domain, url, variant, data }, text: document }
}

/** The public registry has other names for two of the kinds of documents. */
function publicVariant(variant: string): string {
  if (variant === 'brand_document') return 'brand_canonical'
  return variant === 'agents' ? 'brand_agent' : variant
}

/** A domain's own file takes precedence over what was saved for it. */
async function recordFor(
  ports: BrandPorts,
  domain: string,
  reader?: FindReader,
): Promise<BrandRecord | undefined> {
  const own = await ports.brands.get(domain)
  if (own) return own
  const entry = await visibleEntry(ports, { kind: 'brand', domain }, reader)
  return entry && savedBrand(entry)
}

async function savedJson(ports: BrandPorts, domain: string): ReturnType<typeof brandJson> {
  const entry = await visibleEntry(ports, { kind: 'brand', domain })
  const data = entry && servableManifest(entry)
  if (!data) return noBrand(ports, domain)
  const url = `${ports.publicUrl()}/brands/${domain}/brand.json`
  return { ok: true, served: { domain, url, variant: 'saved', data }, text: JSON.stringify(data) }
}

interface Relatives {
  /** The documents of the houses that brands claim, or that name brands, where available. */
  houses: ReadonlyMap<string, BrandRecord>
  /** By the domain that is named. */
  naming: ReadonlyMap<string, NamingHouse[]>
}

async function relativesOf(
  { brands }: Pick<BrandPorts, 'brands'>,
  records: readonly BrandRecord[],
): Promise<Relatives> {
  const naming = new Map<string, NamingHouse[]>()
  // A saved brand has no document of its own that a house could be wrong about.
  const own = records.filter(({ manifest, source }) => manifest && source === 'brand_json')
  for (const one of await brands.housesNaming(own.map(({ domain }) => domain))) {
    naming.set(one.domain, [...(naming.get(one.domain) ?? []), one])
  }
  const claimed = records.flatMap((one) => one.manifest?.identity.claimed_house_domain ?? [])
  const named = [...naming.values()].flat().map(({ house_domain }) => house_domain)
  const domains = [...new Set([...claimed, ...named])]
  const houses = domains.length > 0 ? await brands.identities(domains) : new Map()
  return { houses, naming }
}

/** A brand without its manifest. */
function resolved(
  { domain, title, agent_url, source, verified_at, manifest }: BrandRecord,
  relatives: Relatives,
  now: number,
): ResolvedBrand {
  if (!manifest) {
    return {
      canonical_id: domain,
      canonical_domain: domain,
      brand_name: title ?? domain,
      ...defined({ brand_agent_url: agent_url ?? undefined }),
      source,
    }
  }
  const { inline_house, claimed_house_domain, house, ...identity } = manifest.identity
  if (inline_house) {
    return {
      ...identity,
      house_domain: inline_house.domain,
      house_name: inline_house.name,
      relationship_trust: 'inline',
      ...defined({ relationship_verified_at: isoOf(verified_at) }),
      source,
    }
  }
  const leaf = { domain, verified_at, now }
  if (claimed_house_domain === undefined) {
    return { ...identity, ...checkNaming(leaf, relatives), source }
  }
  // What others say about a brand is not its own claim.
  if (source === 'community') {
    return { ...identity, claimed_house_domain, relationship_trust: 'leaf_only', source }
  }
  return { ...identity, ...checkClaim(leaf, claimed_house_domain, relatives), source }
}

interface Leaf {
  domain: string
  verified_at: number
  now: number
}

const DAY_MS = 24 * 60 * 60 * 1_000
/** An older claim must be made again. */
const DECLARED_FOR_MS = 180 * DAY_MS

function checkClaim(
  leaf: Leaf,
  houseDomain: string,
  { houses, naming }: Relatives,
): Partial<ResolvedBrand> {
  const found = houses.get(houseDomain)
  if (!found?.manifest) {
    return { claimed_house_domain: houseDomain, relationship_trust: 'unverifiable' }
  }
  const { house } = found.manifest.identity
  const verified_at = isoOf(Math.min(leaf.verified_at, found.verified_at))
  const verified = defined({ relationship_verified_at: verified_at })
  if (house?.owned_domains.includes(leaf.domain)) {
    return {
      house_domain: house.domain,
      house_name: house.name,
      relationship_trust: 'inline',
      ...verified,
    }
  }
  const seen = naming.get(leaf.domain)?.find((one) => one.house_domain === houseDomain)
  const since = declaredAt(found, { domain: leaf.domain, seen })
  const declared = defined({ relationship_declared_at: isoOf(since ?? 0) })
  if (!house || since === undefined || !isCurrent(since, leaf.now)) {
    return { claimed_house_domain: houseDomain, relationship_trust: 'leaf_only', ...declared }
  }
  return {
    house_domain: house.domain,
    house_name: house.name,
    relationship_trust: 'mutual',
    ...verified,
    ...declared,
  }
}

/** Of a brand that claims no house: the first one, by name, that names it. Anyone can do so, so it is no relationship. */
function checkNaming({ domain, now }: Leaf, { houses, naming }: Relatives): Partial<ResolvedBrand> {
  for (const seen of naming.get(domain) ?? []) {
    const found = houses.get(seen.house_domain)
    const since = found && declaredAt(found, { domain, seen })
    if (since === undefined || !isCurrent(since, now)) continue
    return {
      claimed_house_domain: seen.house_domain,
      relationship_trust: 'house_only',
      ...defined({ relationship_declared_at: isoOf(since) }),
    }
  }
  return { relationship_trust: 'standalone' }
}

/** Since when a house names a domain: as it says, or since it was first seen. Undefined if it does not. */
function declaredAt(
  { manifest }: BrandRecord,
  { domain, seen }: { domain: string; seen: NamingHouse | undefined },
): number | undefined {
  const ref = manifest?.identity.house?.brand_refs.find((one) => one.domain === domain)
  if (!ref) return undefined
  return ref.effective_at === undefined ? (seen?.first_seen_at ?? 0) : Date.parse(ref.effective_at)
}

function isCurrent(since: number, now: number): boolean {
  return since === 0 || (since <= now && now - since <= DECLARED_FOR_MS)
}

function isoOf(time: number): string | undefined {
  return time > 0 ? new Date(time).toISOString() : undefined
}

function manifestOf({ manifest }: BrandRecord): { brand_manifest?: Record<string, unknown> } {
  return defined({ brand_manifest: documentOf(manifest?.document) })
}

function documentOf(text: string | null | undefined): Record<string, unknown> | undefined {
  return text ? (tryJson(text) as Record<string, unknown> | undefined) : undefined
}

/** Describes how verification ended for the best available file. */
async function noBrand({ references }: BrandPorts, domain: string): Promise<Refusal> {
  const json = await references.bestJson(domain, 'brand.json')
  const best = json === undefined ? undefined : (JSON.parse(json) as ManifestReference)
  return refuse(404, 'Brand not found', {
    domain,
    file_status: best?.verification_status ?? 'unknown',
  })
}
