// Deleting an organisation, for an operator, in one transaction: its keys, members, agents and references are
// deleted, and the feed reports each one that was visible to readers. Earlier events of the feed stay for as long as
// events are kept: its readers have a complete history.

import type { Transaction } from '../lib/transaction.ts'
import { agentRemoved } from './agents.ts'
import type { NewFeedEvent } from './feed.ts'
import { type OrganizationPorts, organizationEvent } from './organizations.ts'
import { referenceEvent } from './references.ts'
import type { Organization, ReferenceStore } from './store.ts'

export interface DeleteOrganizationPorts extends OrganizationPorts {
  references: Pick<ReferenceStore, 'countOf' | 'removeSomeOf'>
}

/** What an organisation has, counted by kind. */
export interface OrganizationOwnedRows {
  /** Those it contributed. */
  references: number
  /** The references among them that their domains vouch for: lookups find them. */
  valid_references: number
  /** Those it lists as its own. */
  agents: number
  /** Users; each of them creates or joins an organisation again on the next call. */
  members: number
  /** Both active and ended ones. */
  keys: number
}

/** Data that somebody would miss: it is only deleted on explicit request. */
export const IN_USE = [
  'references',
  'agents',
  'members',
] as const satisfies readonly (keyof OrganizationOwnedRows)[]

export type DeletedOrganization =
  | { status: 'unknown' }
  /** `in_use`: nothing was changed. */
  | {
      status: 'in_use' | 'deleted'
      organization: Organization | undefined
      ownedRows: OrganizationOwnedRows
    }

export function deleteOrganization(
  ports: DeleteOrganizationPorts,
  organizationId: string,
  { isForced }: { isForced: boolean },
): Promise<DeletedOrganization> {
  const { transact, organizations, references, feed } = ports
  return transact(async (tx) => {
    const organization = await organizations.lock(tx, organizationId)
    const ownedRows = {
      ...(await references.countOf(tx, organizationId)),
      ...(await organizations.countOf(tx, organizationId)),
    }
    // A call that was in progress may have added a reference when its organisation was deleted.
    const isLeft = Object.values(ownedRows).some((count) => count > 0)
    if (!organization && !isLeft) return { status: 'unknown' }

    const reported = { organization, ownedRows }
    if (!isForced && IN_USE.some((what) => ownedRows[what] > 0)) {
      return { status: 'in_use', ...reported }
    }
    await removeReferences(ports, tx, organizationId)
    const agents = await organizations.lockAgents(tx, organizationId)
    const removed: NewFeedEvent[] = agents.map((agent) =>
      agentRemoved(agent, { organizationId, actor: ACTOR }),
    )
    if (organization) {
      removed.push(organizationEvent('organization.removed', organization, { actor: ACTOR }))
    }
    await feed.append(tx, removed)
    await organizations.remove(tx, organizationId)
    return { status: 'deleted', ...reported }
  })
}

const ACTOR = 'system'
/** References that are held in memory at a time. */
const AT_ONCE = 1_000

async function removeReferences(
  { references, feed }: Pick<DeleteOrganizationPorts, 'references' | 'feed'>,
  tx: Transaction,
  organizationId: string,
): Promise<void> {
  let after = ''
  for (;;) {
    const removed = await references.removeSomeOf(tx, organizationId, { after, limit: AT_ONCE })
    const last = removed.at(-1)
    if (last === undefined) return
    after = last.id
    await feed.append(
      tx,
      removed.map((reference) =>
        referenceEvent('manifest_ref.removed', reference, {
          actor: ACTOR,
          reason: 'the organisation that contributed it was deleted',
        }),
      ),
    )
  }
}
