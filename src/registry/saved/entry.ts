// An entry that somebody has saved for a domain that publishes no file of its own: a brand, or the properties of a
// publisher. It only describes: it never authorizes anybody, and never takes precedence over what the domain itself
// states.

export const SAVED_KINDS = ['brand', 'property'] as const
export type SavedKind = (typeof SAVED_KINDS)[number]

export interface SavedEntry {
  kind: SavedKind
  domain: string
  id: string
  name: string
  body: Record<string, unknown>
  review_status: 'pending' | 'approved'
  /** Null for a moderator. */
  contributed_by: string | null
  /** The organisation that has proved that it owns the domain; null for entries by the community. */
  owner: string | null
  created_at: string
  updated_at: string
}

export function sourceOf({ owner }: Pick<SavedEntry, 'owner'>): 'hosted' | 'community' {
  return owner === null ? 'community' : 'hosted'
}
