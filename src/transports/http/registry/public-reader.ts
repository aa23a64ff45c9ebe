// The identity with which a public route reads the directory of agents.

import type { FastifyRequest } from 'fastify'
import type { RegistryAccess } from '../../../registry/access.ts'
import { knownOrganization } from '../../../registry/caller.ts'
import type { DirectoryReader } from '../../../registry/directory/store.ts'
import type { OrganizationStore } from '../../../registry/store.ts'

interface PublicReaderPorts {
  access: RegistryAccess
  organizations: OrganizationStore
}

/** On a public route, a bad credential reads the public data. */
export async function publicReader(
  { access, organizations }: PublicReaderPorts,
  request: FastifyRequest,
): Promise<DirectoryReader> {
  if (request.headers.authorization === undefined) return { isMember: false }
  const who = await access.authenticate(request.headers.authorization)
  if (!who.ok) return { isMember: false }
  const by = await knownOrganization({ organizations }, who.caller)
  return { isMember: true, organizationId: by?.organizationId }
}
