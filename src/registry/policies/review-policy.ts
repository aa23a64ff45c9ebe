// The review of a new policy: if approved, it becomes public; if rejected, it is deleted and its id is free again.

import type { Moderator } from '../contributors.ts'
import { editorWithin } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Reviewable } from '../reviews.ts'
import { type PolicyPorts, policyEvent } from './save-policy.ts'

export function policyReviews(ports: PolicyPorts): Reviewable {
  return {
    pending: async (limit) => {
      const waiting = await ports.policies.pending(limit)
      return waiting.map(({ policy, contributedBy }) => ({
        kind: 'policy',
        key: policy.policy_id,
        name: policy.name,
        contributed_by_org_id: contributedBy,
        submitted_at: policy.created_at,
        content: policy,
      }))
    },
    approve: (key, moderator) => decide(ports, key, { moderator, isApproved: true }),
    reject: (key, moderator) => decide(ports, key, { moderator, isApproved: false }),
  }
}

function decide(
  ports: PolicyPorts,
  policyId: string,
  { moderator, isApproved }: { moderator: Moderator; isApproved: boolean },
): Promise<{ ok: true } | Refusal> {
  return ports.transact(async (tx) => {
    const stored = await ports.policies.lock(tx, policyId)
    if (!stored) return refuse(404, 'Policy not found', { policy_id: policyId })
    const { policy, contributedBy } = stored
    if (policy.review_status !== 'pending') {
      return refuse(409, 'this policy was already approved', { policy_id: policyId })
    }
    const { actor } = await editorWithin(tx, ports, moderator)
    const by = { actor, organizationId: contributedBy }
    if (isApproved) {
      await ports.policies.approve(tx, policyId)
      const approved = { ...policy, review_status: 'approved' as const }
      await ports.feed.append(tx, [policyEvent('policy.approved', approved, { by })])
      return { ok: true }
    }
    await ports.policies.remove(tx, policyId)
    await ports.feed.append(tx, [policyEvent('policy.removed', policy, { by })])
    return { ok: true }
  })
}
