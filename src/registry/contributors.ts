// On whose behalf an entry of the registry's catalogue is changed: an organisation or a user, whose entries wait for
// a review, or a moderator, who reviews them.

import type { Transaction } from '../lib/transaction.ts'
import { callerOrganizationWithin, knownOrganization, type RegistryCaller } from './caller.ts'
import type { OrganizationPorts } from './organizations.ts'
import type { Organization } from './store.ts'

/** A principal that may administer this server. */
export interface Moderator {
  kind: 'moderator'
  principalId: string
}

export type Contributor = RegistryCaller | Moderator

/** Only determined for entries that not everybody may read. */
export type FindReader = () => Promise<Contributor | undefined>

export interface Editor {
  /** Null for a moderator. */
  organizationId: string | null
  /** The actor as the feed names it. */
  actor: string
  /** The actor as a history names it: never a person's name. */
  editorName: string
  isModerator: boolean
}

/** The contributor; a user's organisation is created if there is none. */
export async function editorWithin(
  tx: Transaction,
  ports: OrganizationPorts,
  contributor: Contributor,
): Promise<Editor> {
  if (contributor.kind === 'moderator') return moderatorAsEditor(contributor)
  const { organizationId, actor } = await callerOrganizationWithin(tx, ports, contributor)
  const organization = await ports.organizations.get(organizationId)
  return { organizationId, actor, editorName: nameOf(organization), isModerator: false }
}

/** Whether a reader may see an entry that waits for a review: its contributor and moderators may. */
export async function maySeePending(
  ports: Pick<OrganizationPorts, 'organizations'>,
  reader: Contributor | undefined,
  organizationId: string | null,
): Promise<boolean> {
  if (reader === undefined) return false
  if (reader.kind === 'moderator') return true
  const by = await knownOrganization(ports, reader)
  return by !== undefined && by.organizationId === organizationId
}

function moderatorAsEditor({ principalId }: Moderator): Editor {
  return {
    organizationId: null,
    actor: `principal:${principalId}`,
    editorName: 'moderator',
    isModerator: true,
  }
}

function nameOf(organization: Organization | undefined): string {
  if (!organization || organization.is_personal) return 'Personal Workspace'
  return organization.name
}
