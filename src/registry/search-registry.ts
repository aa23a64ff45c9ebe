// `GET /api/search`: up to five brands, publishers and properties whose domain, or a word of whose
// name, begins with the query.

import { type Refusal, refuse } from './refusal.ts'
import type { ReferenceStore, SearchHit } from './store.ts'

const MIN_CHARS = 2
const MAX_CHARS = 200
const PER_KIND = 5

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
  references: Pick<ReferenceStore, 'search'>,
  q: string | undefined,
): Promise<{ ok: true; body: SearchAnswer } | Refusal> {
  const prefix = (q ?? '').normalize('NFKC').trim().toLowerCase()
  if (prefix.length < MIN_CHARS) return refuse(400, 'Query must be at least 2 characters')
  if (prefix.length > MAX_CHARS) return refuse(400, `Query must be at most ${MAX_CHARS} characters`)
  const [brands, publishers, properties] = await Promise.all(
    (['brand', 'publisher', 'property'] as const).map((kind) =>
      references.search(kind, prefix, PER_KIND),
    ),
  )
  return {
    ok: true,
    body: {
      brands: (brands ?? []).map(foundOf),
      publishers: (publishers ?? []).map(foundOf),
      properties: (properties ?? []).map(foundOf),
    },
  }
}

function foundOf({ label, domain, verification_status }: SearchHit): Found {
  return { name: label, domain, verification_status }
}
