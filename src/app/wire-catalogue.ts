// The registry's catalogue: what people contribute to it, and who reviews that.

import type { FastifyInstance } from 'fastify'
import { authenticatePrincipal, bearerKey, goodPrincipals } from '../agent/principals.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../registry/catalogue-limits.ts'
import type { Moderator } from '../registry/contributors.ts'
import { policyReviews } from '../registry/policies/review-policy.ts'
import { agentRoutes } from '../transports/http/registry/agent-routes.ts'
import type { GatePorts } from '../transports/http/registry/answers.ts'
import { brandRoutes } from '../transports/http/registry/brand-routes.ts'
import { mirrorRoutes } from '../transports/http/registry/mirror-routes.ts'
import { policyRoutes } from '../transports/http/registry/policy-routes.ts'
import { propertyCheckRoutes } from '../transports/http/registry/property-check-routes.ts'
import { proposalRoutes } from '../transports/http/registry/proposal-routes.ts'
import { reviewRoutes } from '../transports/http/registry/review-routes.ts'
import { cachedFor } from './cached.ts'
import type { Parts } from './parts.ts'
import { registryReader } from './read-manifests.ts'

export interface CatalogueGate extends GatePorts {
  resourceMetadataUrl: () => string
}

const STATS_AGE_MS = 30_000

export function catalogueRoutes(
  parts: Parts,
  gate: CatalogueGate,
): ((app: FastifyInstance) => void)[] {
  const { transact, organizations, feed, policies, mirrors, propertyChecks, revisions, directory } =
    parts.storage
  const shared = { transact, organizations, feed, revisions, findModerator: moderatorsOf(parts) }
  const ports = { ...shared, ...gate, policies }
  const mirrorPorts = {
    ...shared,
    ...gate,
    mirrors,
    readManifest: registryReader(parts.workerPool),
    publicUrl: parts.publicUrl,
  }
  const checks = createRateLimit({
    clock: parts.clock,
    perMinute: CATALOGUE_LIMITS.propertyChecksPerMinute.value,
  })
  const reads = createRateLimit({
    clock: parts.clock,
    perMinute: CATALOGUE_LIMITS.agentReadsPerMinute.value,
  })
  const { brands, references } = parts.storage
  const brandPorts = {
    brands,
    references,
    clock: parts.clock,
    brandStats: cachedFor(STATS_AGE_MS, parts.clock, brands.stats),
    brandReads: createRateLimit({
      clock: parts.clock,
      perMinute: CATALOGUE_LIMITS.brandReadsPerMinute.value,
    }),
  }
  const reviews = { policy: policyReviews(ports) }
  return [
    policyRoutes(ports),
    mirrorRoutes(mirrorPorts),
    proposalRoutes(mirrorPorts),
    brandRoutes(brandPorts),
    agentRoutes({ ...shared, ...gate, directory, reads }),
    propertyCheckRoutes({ transact, propertyChecks, checks, clock: parts.clock }),
    reviewRoutes({ ...ports, reviews }),
  ]
}

/** Principals that may administer this server. */
function moderatorsOf({ config, storage, keyUse }: Parts) {
  const byKeyHash = keyUse.watched(storage.principals.byKeyHash)
  const principals = goodPrincipals({ byKeyHash }, config)
  return async (authorization: string | undefined): Promise<Moderator | undefined> => {
    const key = bearerKey(authorization ?? '')
    const principal = key === undefined ? undefined : await authenticatePrincipal(principals, key)
    if (!principal?.scopes.includes('operator')) return undefined
    return { kind: 'moderator', principalId: principal.principal_id }
  }
}
