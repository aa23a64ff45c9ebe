// What waits for a moderator of the registry, of every kind: the routes and the console share it.

import { policyReviews } from '../registry/policies/review-policy.ts'
import type { Reviews } from '../registry/reviews.ts'
import { savedReviews } from '../registry/saved/review-entry.ts'
import type { SavedPorts } from '../registry/saved/save-entry.ts'
import type { Parts } from './parts.ts'

export function registryReviews({ storage }: Pick<Parts, 'storage'>): Reviews {
  const ports = { ...storage, hasOwnFile: ownFiles({ storage }) }
  return {
    policy: policyReviews(storage),
    brand: savedReviews(ports, 'brand'),
    property: savedReviews(ports, 'property'),
  }
}

/** Whether a domain itself publishes what an entry would state about it. */
export function ownFiles({
  storage: { brands, publishers },
}: Pick<Parts, 'storage'>): SavedPorts['hasOwnFile'] {
  return async (kind, domain) =>
    kind === 'brand'
      ? (await brands.get(domain)) !== undefined
      : (await publishers.some([domain])).size > 0
}
