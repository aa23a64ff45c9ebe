// A brand that was saved for a domain without a brand.json of its own. Its manifest describes the brand; what it says
// about houses and other domains is only a claim, and makes nobody a house.

import { defined } from '../../lib/defined.ts'
import { checkBrandJson } from '../../protocol/brand-json.ts'
import type { SavedEntry } from '../saved/entry.ts'
import { sourceOf } from '../saved/entry.ts'
import { brandIdentity } from './brand-identity.ts'
import type { BrandRecord } from './store.ts'

export function savedBrand(entry: SavedEntry): BrandRecord {
  const { domain, name, body } = entry
  const source = sourceOf(entry)
  const record = { domain, title: name, agent_url: null, source, verified_at: 0 }
  const document = manifestIn(body)
  if (!document) return record
  const { house, inline_house, ...identity } = brandIdentity(domain, document, '')
  const claimed_house_domain =
    identity.claimed_house_domain ?? inline_house?.domain ?? house?.domain
  return {
    ...record,
    manifest: {
      url: '',
      variant: 'saved',
      identity: {
        ...identity,
        canonical_domain: domain,
        brand_name: name,
        ...defined({
          claimed_house_domain: claimed_house_domain === domain ? undefined : claimed_house_domain,
        }),
      },
      document: JSON.stringify(document),
    },
  }
}

/** The file that can be served: a valid brand.json, or nothing. */
export function servableManifest({ body }: SavedEntry): Record<string, unknown> | undefined {
  const document = manifestIn(body)
  return document && checkBrandJson(document).ok ? document : undefined
}

function manifestIn({ brand_manifest }: SavedEntry['body']): Record<string, unknown> | undefined {
  if (typeof brand_manifest !== 'object' || brand_manifest === null) return undefined
  return brand_manifest as Record<string, unknown>
}
