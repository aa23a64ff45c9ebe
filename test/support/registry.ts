// The registry's rules on a real database, and users and events to try them with.

import type { FeedEvent } from '../../src/registry/feed.ts'
import type { OrganizationPorts, RegistryUser } from '../../src/registry/organizations.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createOrganizationStore } from '../../src/storage/stores/organizations/organizations.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'

export function registryPorts(database: Database): OrganizationPorts {
  return {
    transact: database.transact,
    organizations: createOrganizationStore(database),
    feed: createFeedStore(database),
  }
}

let users = 0

/** A user no one has seen before, at a company no one has seen before. */
export function user(overrides: Partial<RegistryUser> = {}): RegistryUser {
  users += 1
  return {
    userId: `https://id.example|user-${users}`,
    email: `ada@company-${users}.example`,
    emailVerified: true,
    name: 'Ada Lovelace',
    ...overrides,
  }
}

/** What the feed returns to `reader` about `entityId`, the oldest first. */
export async function eventsAbout(
  { feed }: OrganizationPorts,
  entityId: string,
  reader = 'org_reader',
): Promise<FeedEvent[]> {
  const page = await feed.page({
    cursor: null,
    types: [],
    limit: 10_000,
    organizationId: reader,
  })
  if (page === 'expired') throw new Error('the beginning of the feed is never expired')
  return page.events.filter((event) => event.entity_id === entityId)
}
