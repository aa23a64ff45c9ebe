// On whose behalf a registry call acts (spec 5): an organisation identified by its key, or a user. A user's
// organisation is created at the first call that needs one (spec 4.5).

import type { Transaction } from '../lib/transaction.ts'
import {
  type OrganizationPorts,
  organizationForUser,
  organizationWithin,
  type RegistryUser,
} from './organizations.ts'

export type RegistryCaller =
  | { kind: 'organization'; organizationId: string }
  | ({ kind: 'user' } & RegistryUser)

export interface CallerOrganization {
  organizationId: string
  /** The actor as the feed names it: `org:<id>` or `user:<id>`. */
  actor: string
  /** Whether this call created the organisation. */
  orgAutoCreated: boolean
}

/** The caller's organisation; created if the caller is a user who has none. */
export async function callerOrganization(
  ports: OrganizationPorts,
  caller: RegistryCaller,
): Promise<CallerOrganization> {
  if (caller.kind === 'organization') return byKey(caller.organizationId)
  return byMembership(caller, await organizationForUser(ports, caller))
}

/** Like callerOrganization, as part of a larger change. */
export async function callerOrganizationWithin(
  tx: Transaction,
  ports: OrganizationPorts,
  caller: RegistryCaller,
): Promise<CallerOrganization> {
  if (caller.kind === 'organization') return byKey(caller.organizationId)
  return byMembership(caller, await organizationWithin(tx, ports, caller))
}

/** The caller's organisation, if there is one: for calls that only read or delete. */
export async function knownOrganization(
  { organizations }: Pick<OrganizationPorts, 'organizations'>,
  caller: RegistryCaller,
): Promise<CallerOrganization | undefined> {
  if (caller.kind === 'organization') return byKey(caller.organizationId)
  const organization = await organizations.organizationOf(caller.userId)
  return organization && byMembership(caller, { organization, autoCreated: false })
}

function byKey(organizationId: string): CallerOrganization {
  return { organizationId, actor: `org:${organizationId}`, orgAutoCreated: false }
}

function byMembership(
  { userId }: RegistryUser,
  { organization, autoCreated }: Awaited<ReturnType<typeof organizationForUser>>,
): CallerOrganization {
  return {
    organizationId: organization.organization_id,
    actor: `user:${userId}`,
    orgAutoCreated: autoCreated,
  }
}
