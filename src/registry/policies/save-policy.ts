// Saves a policy: a new one waits for a review, unless a moderator saves it; an approved one is edited by the
// organisation that contributed it or by a moderator. A published version keeps its text, so that a pinned version
// never changes.

import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { CATALOGUE_LIMITS } from '../catalogue-limits.ts'
import { type Contributor, type Editor, editorWithin } from '../contributors.ts'
import type { NewFeedEvent } from '../feed.ts'
import type { OrganizationPorts } from '../organizations.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { RevisionStore } from '../revisions.ts'
import { bodyOf, type Policy, type PolicyBody, type PolicyInput, placesOf } from './policy.ts'
import type { PolicyStore, StoredPolicy } from './store.ts'

export interface PolicyPorts extends OrganizationPorts {
  policies: PolicyStore
  revisions: RevisionStore
}

export type SavedPolicy =
  | { ok: true; policy_id: string; message: string; revision_number: number | null }
  | Refusal

export async function savePolicy(
  ports: PolicyPorts,
  contributor: Contributor,
  input: PolicyInput,
): Promise<SavedPolicy> {
  const body = bodyOf(input)
  return ports.transact(async (tx) => {
    const editor = await editorWithin(tx, ports, contributor)
    const known = await ports.policies.lock(tx, body.policy_id)
    return known ? edit({ tx, ports, editor }, known, body) : add({ tx, ports, editor }, body)
  })
}

interface Change {
  tx: Transaction
  ports: PolicyPorts
  editor: Editor
}

async function add({ tx, ports, editor }: Change, body: PolicyBody): Promise<SavedPolicy> {
  const { policy_id } = body
  const { organizationId, isModerator } = editor
  if (organizationId !== null) {
    const waiting = await ports.policies.countPendingOf(tx, organizationId)
    if (waiting >= CATALOGUE_LIMITS.pendingPolicies.value) return TOO_MANY_PENDING
  }
  const reviewStatus = isModerator ? 'approved' : 'pending'
  const isAdded = await ports.policies.add(tx, {
    body,
    places: placesOf(body),
    reviewStatus,
    contributedBy: organizationId,
  })
  if (!isAdded) return awaitsReview(policy_id)
  await ports.feed.append(tx, [
    policyEvent('policy.created', { ...body, review_status: reviewStatus }, { by: editor }),
  ])
  const message = isModerator
    ? 'Policy saved'
    : 'Policy saved: it is public once a moderator has approved it'
  return { ok: true, policy_id, message, revision_number: null }
}

async function edit(
  { tx, ports, editor }: Change,
  { policy, contributedBy }: StoredPolicy,
  body: PolicyBody,
): Promise<SavedPolicy> {
  const { policy_id } = body
  if (policy.source_type === 'registry' && !editor.isModerator) return isOfRegistry(policy_id)
  if (policy.review_status === 'pending') return awaitsReview(policy_id)
  if (!editor.isModerator && editor.organizationId !== contributedBy) return notYours(policy_id)

  const published = await ports.policies.versionWithin(tx, policy_id, body.version)
  if (published && published.policy !== body.policy) return isPublished(body)
  const changed = changedFields(policy, body)
  if (changed.length === 0) {
    return { ok: true, policy_id, message: 'Nothing was changed', revision_number: null }
  }
  await ports.policies.replace(tx, body, placesOf(body))
  const revision_number = await ports.revisions.add(tx, {
    kind: 'policy',
    key: policy_id,
    editorName: editor.editorName,
    summary: summaryOf(policy, body, changed),
    source: null,
    rolledBackTo: null,
  })
  await ports.feed.append(tx, [
    policyEvent('policy.updated', { ...body, review_status: 'approved' }, { by: editor, changed }),
  ])
  return { ok: true, policy_id, message: 'Policy updated', revision_number }
}

function changedFields(before: PolicyBody, after: PolicyBody): string[] {
  const old = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => canonicalJson(old.get(name)) !== canonicalJson(value))
    .map(([name]) => name)
}

function summaryOf(before: PolicyBody, after: PolicyBody, changed: readonly string[]): string {
  const fields = changed.filter((name) => name !== 'version')
  const what = fields.length > 0 ? `changed ${fields.join(', ')}` : 'changed version'
  return before.version === after.version
    ? what
    : `${what} (version ${before.version} to ${after.version})`
}

/** Only its organisation can read what is not public yet. */
export function policyEvent(
  event_type: NewFeedEvent['event_type'],
  policy: Pick<Policy, 'policy_id' | 'version' | 'name' | 'category' | 'enforcement'> &
    Pick<Policy, 'review_status'>,
  { by, changed }: { by: Pick<Editor, 'actor' | 'organizationId'>; changed?: readonly string[] },
): NewFeedEvent {
  const { policy_id, version, name, category, enforcement, review_status } = policy
  return {
    event_type,
    entity_type: 'policy',
    entity_id: policy_id,
    payload: {
      policy_id,
      version,
      name,
      category,
      enforcement,
      review_status,
      ...(changed ? { changed_fields: changed } : {}),
    },
    actor: by.actor,
    visibleTo: review_status === 'pending' ? by.organizationId : null,
  }
}

const TOO_MANY_PENDING = refuse(
  429,
  `your organization has ${CATALOGUE_LIMITS.pendingPolicies.value} policies that wait for a review: wait for the moderators`,
)

function isOfRegistry(policy_id: string): Refusal {
  return refuse(409, 'this policy is the registry’s own: only a moderator may change it', {
    policy_id,
  })
}

function awaitsReview(policy_id: string): Refusal {
  return refuse(409, 'this policy waits for a review: it can be changed once it is approved', {
    policy_id,
  })
}

function notYours(policy_id: string): Refusal {
  return refuse(
    403,
    'this policy was contributed by another organization: only that one or a moderator may change it',
    { policy_id },
  )
}

function isPublished({ policy_id, version }: PolicyBody): Refusal {
  return refuse(
    409,
    `version ${version} of this policy is published with another text: give the changed text a new version`,
    { policy_id },
  )
}
