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
import type { BrandRecord, BrandSource, BrandStore } from './store.ts'

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
  const brand = resolved(record, await housesOf(ports, [record]), ports.clock.now())
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
  const houses = await housesOf(ports, [...records.values()])
  const found = domains.flatMap((domain) => records.get(domain) ?? [])
  return new Map(
    found.map((record) => [record.domain, resolved(record, houses, ports.clock.now())]),
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
  const { url, variant, document } = manifest
  return { ok: true, served: { domain, url, variant, data }, text: document }
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

/** The documents of the houses that brands claim to belong to, where available. */
async function housesOf(
  { brands }: Pick<BrandPorts, 'brands'>,
  records: readonly BrandRecord[],
): Promise<Map<string, BrandRecord>> {
  const claimed = records.flatMap((one) => one.manifest?.identity.claimed_house_domain ?? [])
  return claimed.length > 0 ? brands.identities([...new Set(claimed)]) : new Map()
}

/** A brand without its manifest. */
function resolved(
  { domain, title, agent_url, source, manifest }: BrandRecord,
  houses: ReadonlyMap<string, BrandRecord>,
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
      source,
    }
  }
  if (claimed_house_domain === undefined) {
    return { ...identity, relationship_trust: 'standalone', source }
  }
  // What others say about a brand is not its own claim.
  if (source === 'community') {
    return { ...identity, claimed_house_domain, relationship_trust: 'leaf_only', source }
  }
  const claim = checkClaim(domain, claimed_house_domain, {
    house: houses.get(claimed_house_domain),
    now,
  })
  return { ...identity, ...claim, source }
}

const DAY_MS = 24 * 60 * 60 * 1_000
/** An older claim must be made again. */
const DECLARED_FOR_MS = 180 * DAY_MS

function checkClaim(
  domain: string,
  houseDomain: string,
  { house: found, now }: { house: BrandRecord | undefined; now: number },
): Partial<ResolvedBrand> {
  if (!found?.manifest) {
    return { claimed_house_domain: houseDomain, relationship_trust: 'unverifiable' }
  }
  const { house } = found.manifest.identity
  if (house?.owned_domains.includes(domain)) {
    return { house_domain: house.domain, house_name: house.name, relationship_trust: 'inline' }
  }
  const ref = house?.brand_refs.find((one) => one.domain === domain)
  const since = ref?.effective_at === undefined ? now : Date.parse(ref.effective_at)
  if (!house || !ref || !(since <= now) || now - since > DECLARED_FOR_MS) {
    return { claimed_house_domain: houseDomain, relationship_trust: 'leaf_only' }
  }
  return { house_domain: house.domain, house_name: house.name, relationship_trust: 'mutual' }
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
