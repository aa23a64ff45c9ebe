// Whose webhooks are accepted.

import type { Jwk } from '../signing/ports.ts'

/** A seller whose webhooks are accepted. */
export interface TrustedSeller {
  /** The URL of its agent, as written in its brand.json. */
  agentUrl: string
  /** Its key set. Default: found through its brand.json. */
  jwksUrl?: string
  /** Domains (or origins) of publishers whose adagents.json may pin its keys. Default none. */
  publishers?: readonly string[]
  /** Keys it is pinned to, in the format of `signing_keys` in an adagents.json. Default none. */
  pin?: readonly Jwk[]
}
