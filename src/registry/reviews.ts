// Everything that waits for a moderator: one queue, and one decision for each entry.

import type { Moderator } from './contributors.ts'
import type { Refusal } from './refusal.ts'

export const REVIEWED_KINDS = ['policy', 'brand', 'property'] as const
export type ReviewedKind = (typeof REVIEWED_KINDS)[number]

export interface ReviewItem {
  kind: ReviewedKind
  key: string
  name: string
  contributed_by_org_id: string | null
  submitted_at: string
  /** All that would be public. */
  content: object
}

export interface Reviewable {
  /** The oldest first. */
  pending(limit: number): Promise<ReviewItem[]>
  approve(key: string, moderator: Moderator): Promise<{ ok: true } | Refusal>
  reject(key: string, moderator: Moderator): Promise<{ ok: true } | Refusal>
}

export type Reviews = Readonly<Record<ReviewedKind, Reviewable>>

/** Oldest first, of one kind or of all. */
export async function listReviews(
  reviews: Reviews,
  { kind, limit }: { kind: ReviewedKind | undefined; limit: number },
): Promise<ReviewItem[]> {
  const kinds = kind ? [kind] : REVIEWED_KINDS
  const lists = await Promise.all(kinds.map((one) => reviews[one].pending(limit)))
  return lists
    .flat()
    .sort((a, b) => (a.submitted_at < b.submitted_at ? -1 : 1))
    .slice(0, limit)
}
