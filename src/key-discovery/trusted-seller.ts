// Whose webhooks are accepted.

import type { Jwk } from '../signing/ports.ts'

/** A seller whose webhooks are accepted. */
export interface TrustedSeller {
  /** The URL of its agent, as its brand.json writes it. */
  agentUrl: string
  /** Its key set. Default: found through its brand.json. */
  jwksUrl?: string
  /** Domains (or origins) of publishers whose adagents.json may pin its keys. Default none. */
  publishers?: readonly string[]
  /** Keys it is pinned to, as `signing_keys` of an adagents.json lists them. Default none. */
  pin?: readonly Jwk[]
}
