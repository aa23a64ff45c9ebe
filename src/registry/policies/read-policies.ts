// Reads policies: a list, one by its id and optionally a version, many at once, and the history of one. Only the
// contributor and moderators can read policies that wait for a review.

import { isStorable } from '../../lib/storable-text.ts'
import { type FindReader, maySeePending } from '../contributors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Revision } from '../revisions.ts'
import { isPolicyId, type Policy } from './policy.ts'
import type { PolicyPorts } from './save-policy.ts'
import type { StoredPolicy } from './store.ts'

type ReadPorts = Pick<PolicyPorts, 'policies' | 'revisions' | 'organizations'>

export async function resolvePolicy(
  ports: ReadPorts,
  { policyId, version }: { policyId: string; version?: string | undefined },
  reader: FindReader,
): Promise<{ ok: true; policy: Policy } | Refusal> {
  const current = await visible(ports, policyId, reader)
  if (!current) return notFound(policyId)
  if (version === undefined || version === current.policy.version) {
    return { ok: true, policy: current.policy }
  }
  const older = isStorable(version) ? await ports.policies.version(policyId, version) : undefined
  if (older) return { ok: true, policy: older.policy }
  return refuse(404, `there is no version ${version} of this policy`, {
    policy_id: policyId,
    current_version: current.policy.version,
  })
}

/** A map from each requested id; null if it does not exist. */
export async function resolvePolicies(
  { policies }: Pick<PolicyPorts, 'policies'>,
  policyIds: readonly string[],
): Promise<Record<string, Policy | null>> {
  const found = await policies.some(policyIds.filter(isPolicyId))
  const approved = new Map(
    found
      .filter(({ policy }) => policy.review_status === 'approved')
      .map(({ policy }) => [policy.policy_id, policy]),
  )
  return Object.fromEntries(policyIds.map((id) => [id, approved.get(id) ?? null]))
}

export async function policyHistory(
  ports: ReadPorts,
  { policyId, ...page }: { policyId: string; limit: number; offset: number },
  reader: FindReader,
): Promise<{ ok: true; total: number; revisions: Revision[] } | Refusal> {
  if (!(await visible(ports, policyId, reader))) return notFound(policyId)
  return { ok: true, ...(await ports.revisions.page({ kind: 'policy', key: policyId }, page)) }
}

async function visible(
  ports: ReadPorts,
  policyId: string,
  reader: FindReader,
): Promise<StoredPolicy | undefined> {
  const stored = isPolicyId(policyId) ? await ports.policies.get(policyId) : undefined
  if (!stored || stored.policy.review_status === 'approved') return stored
  const may = await maySeePending(ports, await reader(), stored.contributedBy)
  return may ? stored : undefined
}

function notFound(policy_id: string): Refusal {
  return refuse(404, 'Policy not found', { policy_id })
}
