// `GET /api/search`: up to five brands, publishers and properties with a domain, or a word in their name, that starts
// with the query. References come first, then crawled data, then saved entries.

import type { PublisherStore } from './publishers/store.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { SavedEntry, SavedKind } from './saved/entry.ts'
import type { SavedStore } from './saved/store.ts'
import type { ReferenceStore, SearchHit } from './store.ts'

const MIN_CHARS = 2
const MAX_CHARS = 200
const PER_KIND = 5

export interface SearchPorts {
  references: Pick<ReferenceStore, 'search'>
  publishers: Pick<PublisherStore, 'list' | 'findProperties'>
  saved: Pick<SavedStore, 'list'>
}

export interface SearchAnswer {
  brands: Found[]
  publishers: Found[]
  properties: Found[]
}

interface Found {
  name: string
  domain: string
  verification_status: SearchHit['verification_status']
}

export async function searchRegistry(
  ports: SearchPorts,
  q: string | undefined,
): Promise<{ ok: true; body: SearchAnswer } | Refusal> {
  const prefix = (q ?? '').normalize('NFKC').trim().toLowerCase()
  if (prefix.length < MIN_CHARS) return refuse(400, 'Query must be at least 2 characters')
  if (prefix.length > MAX_CHARS) return refuse(400, `Query must be at most ${MAX_CHARS} characters`)
  const { references, publishers } = ports
  const found = (kind: SearchHit['kind']) => references.search(kind, prefix, PER_KIND)
  const [brands, referenced, named, crawled, properties, savedBrands, savedProperties] =
    await Promise.all([
      found('brand'),
      found('publisher'),
      found('property'),
      publishers.list({ prefix, limit: PER_KIND, offset: 0 }),
      publishers.findProperties(prefix, PER_KIND),
      savedOf(ports, 'brand', prefix),
      savedOf(ports, 'property', prefix),
    ])
  return {
    ok: true,
    body: {
      brands: firstOf(byDomain, [...brands.map(foundOf), ...savedBrands]),
      publishers: firstOf(byDomain, [
        ...referenced.map(foundOf),
        ...crawled.map(({ domain }) => hit(domain, domain, 'valid')),
        ...savedProperties,
      ]),
      properties: firstOf(byName, [
        ...properties.map(({ name, domain, isConfirmed }) =>
          hit(name, domain, isConfirmed ? 'valid' : 'pending'),
        ),
        ...named.map(foundOf),
        ...savedProperties,
      ]),
    },
  }
}

function foundOf({ label, domain, verification_status }: SearchHit): Found {
  return { name: label, domain, verification_status }
}

function hit(
  name: string,
  domain: string,
  verification_status: Found['verification_status'],
): Found {
  return { name, domain, verification_status }
}

/** Statements by the community about a domain are not proved by anybody. */
async function savedOf({ saved }: SearchPorts, kind: SavedKind, search: string): Promise<Found[]> {
  const entries = await saved.list(kind, { search, limit: PER_KIND, offset: 0 })
  const statusOf = ({ owner }: SavedEntry) => (owner === null ? 'pending' : 'valid')
  return entries.map((entry) => hit(entry.name, entry.domain, statusOf(entry)))
}

const byDomain = ({ domain }: Found) => domain
const byName = ({ domain, name }: Found) => `${domain} ${name}`

function firstOf(keyOf: (one: Found) => string, all: readonly Found[]): Found[] {
  const kept = new Map<string, Found>()
  for (const one of all) if (!kept.has(keyOf(one))) kept.set(keyOf(one), one)
  return [...kept.values()].slice(0, PER_KIND)
}
