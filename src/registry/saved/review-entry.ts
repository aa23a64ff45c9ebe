// The review of a saved entry: if approved, it becomes public; if rejected, it is deleted and the domain is free
// again.

import { editorWithin, type Moderator } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Reviewable } from '../reviews.ts'
import type { SavedKind } from './entry.ts'
import { type SavedPorts, savedEvent } from './save-entry.ts'

export function savedReviews(ports: SavedPorts, kind: SavedKind): Reviewable {
  return {
    pending: async (limit) => {
      const waiting = await ports.saved.pending(kind, limit)
      return waiting.map(({ domain, name, body, contributed_by, created_at }) => ({
        kind,
        key: domain,
        name,
        contributed_by_org_id: contributed_by,
        submitted_at: created_at,
        content: body,
      }))
    },
    approve: (key, moderator) => decide(ports, { kind, domain: key, moderator, isApproved: true }),
    reject: (key, moderator) => decide(ports, { kind, domain: key, moderator, isApproved: false }),
  }
}

function decide(
  ports: SavedPorts,
  decision: { kind: SavedKind; domain: string; moderator: Moderator; isApproved: boolean },
): Promise<{ ok: true } | Refusal> {
  const { kind, domain, moderator, isApproved } = decision
  return ports.transact(async (tx) => {
    const entry = await ports.saved.lock(tx, kind, domain)
    if (!entry) return refuse(404, 'there is no such entry', { domain })
    if (entry.review_status !== 'pending') {
      return refuse(409, 'this entry has been approved already', { domain })
    }
    const { actor } = await editorWithin(tx, ports, moderator)
    const by = { actor, organizationId: entry.contributed_by }
    if (isApproved) {
      await ports.saved.approve(tx, kind, domain)
      const approved = { ...entry, review_status: 'approved' as const }
      await ports.feed.append(tx, [savedEvent('approved', approved, { by })])
    } else {
      await ports.saved.remove(tx, kind, domain)
      await ports.feed.append(tx, [savedEvent('removed', entry, { by })])
    }
    return { ok: true }
  })
}
