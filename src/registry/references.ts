// Creating, verifying on demand and removing references. Each change and its feed event are one
// transaction; only the organisation that contributed a reference may change it.

import { defined } from '../lib/defined.ts'
import type { UrlCheck } from '../lib/safe-fetch/safe-fetch.ts'
import type { ReferenceRecord } from '../protocol/manifest-reference.ts'
import { callerOrganizationWithin, knownOrganization, type RegistryCaller } from './caller.ts'
import type { NewFeedEvent } from './feed.ts'
import type { OrganizationPorts } from './organizations.ts'
import { parseReference } from './parse-reference.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { ReferenceStore } from './store.ts'
import { VERIFICATION_TOPIC } from './verification-schedule.ts'

export interface ReferencePorts extends OrganizationPorts {
  references: ReferenceStore
  checkUrl: (url: string) => UrlCheck
}

/** Ahead of everything else that is due. */
const VERIFY_FIRST = 0

export async function createReference(
  ports: ReferencePorts,
  caller: RegistryCaller,
  input: unknown,
): Promise<{ ok: true; reference: ReferenceRecord; created: boolean } | Refusal> {
  const parsed = parseReference(input, ports.checkUrl)
  if (!parsed.ok) return refuse(400, parsed.error)

  return ports.transact(async (tx) => {
    const { organizationId, actor } = await callerOrganizationWithin(tx, ports, caller)
    const wanted = { ...parsed.reference, contributed_by_org_id: organizationId }
    const [added] = await ports.references.add(tx, [wanted], { verifyAt: VERIFY_FIRST })
    if (!added) throw new Error('the store answers for every reference it is given')
    if (added.created) {
      await ports.feed.append(tx, [
        referenceEvent('manifest_ref.created', added.reference, { actor }),
      ])
      await tx.wake(VERIFICATION_TOPIC)
    }
    return { ok: true, ...added }
  })
}

export async function verifyReferenceNow(
  ports: ReferencePorts,
  caller: RegistryCaller,
  id: string,
): Promise<{ ok: true; reference: ReferenceRecord } | Refusal> {
  const mine = await ownReference(ports, caller, id)
  if (!mine.ok) return mine
  await ports.transact(async (tx) => {
    await ports.references.requestVerification(tx, id)
    await tx.wake(VERIFICATION_TOPIC)
  })
  return { ok: true, reference: mine.reference }
}

export async function removeReference(
  ports: ReferencePorts,
  caller: RegistryCaller,
  id: string,
): Promise<{ ok: true } | Refusal> {
  const mine = await ownReference(ports, caller, id)
  if (!mine.ok) return mine
  return ports.transact(async (tx) => {
    if (!(await ports.references.remove(tx, id))) return REFERENCE_NOT_FOUND
    await ports.feed.append(tx, [referenceEvent('manifest_ref.removed', mine.reference, mine)])
    return { ok: true }
  })
}

export async function ownReference(
  ports: ReferencePorts,
  caller: RegistryCaller,
  id: string,
): Promise<{ ok: true; reference: ReferenceRecord; actor: string } | Refusal> {
  const reference = await ports.references.get(id)
  if (!reference) return REFERENCE_NOT_FOUND
  const by = await knownOrganization(ports, caller)
  if (by?.organizationId !== reference.contributed_by_org_id) return NOT_YOURS
  return { ok: true, reference, actor: by.actor }
}

export function referenceEvent(
  event_type: NewFeedEvent['event_type'],
  reference: ReferenceRecord,
  { actor, reason }: { actor: string; reason?: string },
): NewFeedEvent {
  return {
    event_type,
    entity_type: 'manifest_ref',
    entity_id: reference.id,
    payload: {
      domain: reference.domain,
      manifest_type: reference.manifest_type,
      reference_type: reference.reference_type,
      manifest_url: reference.manifest_url,
      agent_url: reference.agent_url,
      agent_id: reference.agent_id,
      verification_status: reference.verification_status,
      completeness_score: reference.completeness_score,
      proved_by: reference.proved_by,
      ...defined({ reason }),
    },
    actor,
    visibleTo: null,
  }
}

export const REFERENCE_NOT_FOUND = refuse(404, 'Reference not found')
const NOT_YOURS = refuse(
  403,
  'This reference was contributed by another organization: only that one may change it',
)
