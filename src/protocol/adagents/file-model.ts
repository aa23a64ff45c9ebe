// An adagents.json as plain data, after all invalid parts were removed.

export const AUTHORIZATION_TYPES = [
  'property_ids',
  'property_tags',
  'inline_properties',
  'publisher_properties',
  'signal_ids',
  'signal_tags',
] as const
export type AuthorizationType = (typeof AUTHORIZATION_TYPES)[number]

export interface PropertyIdentifier {
  type: string
  value: string
}

export interface FileProperty {
  /** Its index in the file: first the list of properties, then those defined in entries. */
  n: number
  property_id: string
  property_type: string
  name: string
  /** Its publisher; null if the file does not name one, in which case it authorizes no one. */
  publisher_domain: string | null
  identifiers: PropertyIdentifier[]
  tags: string[]
  /** The entry that defines it; null for the list that all entries choose from. */
  entry: number | null
}

/** Which properties an entry selects, of one publisher or of every publisher that the file describes. */
export interface Selector {
  /** Null for every publisher. */
  publisher_domains: string[] | null
  by: 'all' | 'ids' | 'tags' | 'entry'
  /** Ids or tags. */
  values: string[]
  /** Only properties of these types; null for all. */
  property_types: string[] | null
}

export interface PinnedKey {
  kid: string
  kty: string
  [member: string]: unknown
}

export interface FileEntry {
  n: number
  /** In the canonical spelling. */
  agent_url: string
  authorization_type: AuthorizationType
  authorized_for: string
  selectors: Selector[]
  countries: string[] | null
  placement_ids: string[] | null
  placement_tags: string[] | null
  collections: unknown[] | null
  delegation_type: string | null
  exclusive: boolean
  /** In milliseconds. */
  effective_from: number | null
  effective_until: number | null
  /** The keys that must sign its answers; null for any. */
  signing_keys: PinnedKey[] | null
}

export interface Revocation {
  publisher_domain: string
  /** In milliseconds; null if the file does not specify it. */
  revoked_at: number | null
  reason: string | null
}

export interface PublisherFile {
  /** In milliseconds. */
  last_updated: number | null
  properties: FileProperty[]
  entries: FileEntry[]
  revoked: Revocation[]
  contact: { name?: string; email?: string } | null
  counts: { formats: number; placements: number; signals: number; collections: number }
}
