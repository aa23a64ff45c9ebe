// Where an agent publishes its keys (spec 5): the address of its key set, found through its brand.json.

import type { Clock } from '../lib/clock.ts'
import { brandJsonUrl, jwksUriOf, loadBrandAgents } from './brand-agents.ts'
import { createDocumentCache, type Loaded } from './document-cache.ts'
import type { Fetch } from './fetch-document.ts'
import type { FetchLimiter } from './fetch-limiter.ts'

export interface KeyLocator {
  find(agentUrl: string): Promise<Loaded<string>>
  /** What `find` would return without a fetch; undefined if it would need one. */
  atHand(agentUrl: string): Loaded<string> | undefined
  /** Anyone who comes next asks again. */
  forget(agentUrl: string): void
}

interface BrandLocatorOptions {
  fetch: Fetch
  gate: FetchLimiter
  clock: Clock
}

/** Through the brand.json at the origin of the agent's URL, which webhook receivers use. */
export function createBrandLocator({ fetch, gate, clock }: BrandLocatorOptions): KeyLocator {
  const brands = createDocumentCache({ clock, load: gate((url) => loadBrandAgents(fetch, url)) })
  return {
    find: async (agentUrl) => {
      const { loaded } = await brands.get(brandJsonUrl(agentUrl))
      return loaded.ok ? jwksUriOf(loaded.value, agentUrl) : loaded
    },
    atHand: (agentUrl) => {
      const brand = brands.atHand(brandJsonUrl(agentUrl))
      return brand?.ok ? jwksUriOf(brand.value, agentUrl) : brand
    },
    forget: (agentUrl) => brands.forget(brandJsonUrl(agentUrl)),
  }
}
