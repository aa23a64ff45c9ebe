// What waits for a moderator of the registry: every operator of the console is one.

import { defined } from '../lib/defined.ts'
import type { Reviewable, ReviewItem } from '../registry/reviews.ts'
import type { ReviewPage } from './api/registry-network.ts'
import { type ActionPorts, actInOtherTab } from './audit.ts'
import type { Handlers } from './handlers.ts'
import { notFound, Refused } from './refusal.ts'
import type { RegistryQueries } from './registry-queries.ts'

export interface ReviewPorts extends ActionPorts {
  /** By their kind. */
  reviews: ReadonlyMap<string, Reviewable>
  registryQueries: Pick<RegistryQueries, 'names'>
}

const MOST = 100

export function reviewHandlers(ports: ReviewPorts): Handlers<'listReviews' | 'decideReview'> {
  return {
    listReviews: () => listReviews(ports),
    decideReview: async ({ visitor, body: { kind, key, decision } }) => {
      const reviewable = ports.reviews.get(kind)
      const target = `${kind} ${key}`
      await actInOtherTab(ports, { visitor, action: `registry.${decision}`, target }, async () => {
        if (!reviewable) throw notFound(`contributions of the kind ${kind}`)
        const principalId = visitor.principal.principal_id
        const decided = await reviewable[decision](key, { kind: 'moderator', principalId })
        if (!decided.ok) throw new Refused(statusOf(decided.status), 'conflict', decided.error)
      })
      return listReviews(ports)
    },
  }
}

function statusOf(status: number): 404 | 409 {
  return status === 404 ? 404 : 409
}

async function listReviews({ reviews, registryQueries }: ReviewPorts): Promise<ReviewPage> {
  const lists = await Promise.all([...reviews.values()].map((one) => one.pending(MOST)))
  const items = lists
    .flat()
    .sort((a, b) => (a.submitted_at < b.submitted_at ? -1 : 1))
    .slice(0, MOST)
  const ids = items.flatMap(({ contributed_by_org_id: id }) => id ?? [])
  const names = await registryQueries.names([...new Set(ids)])
  return { items: items.map((item) => itemOf(item, names)) }
}

function itemOf(
  { kind, key, name, contributed_by_org_id: by, submitted_at, content }: ReviewItem,
  names: ReadonlyMap<string, string>,
): ReviewPage['items'][number] {
  return {
    kind,
    key,
    name,
    submitted_at,
    content: { ...content },
    ...defined({ organization_name: by === null ? undefined : (names.get(by) ?? by) }),
  }
}
