// The registry's catalogue: what people contribute to it, and who reviews their contributions.

import type { FastifyInstance } from 'fastify'
import { authenticatePrincipal, bearerKey, goodPrincipals } from '../agent/principals.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../registry/catalogue-limits.ts'
import type { MakeChallenge } from '../registry/challenge.ts'
import type { Moderator } from '../registry/contributors.ts'
import type { SavedPorts } from '../registry/saved/save-entry.ts'
import { agentRoutes } from '../transports/http/registry/agent-routes.ts'
import type { GatePorts } from '../transports/http/registry/answers.ts'
import { brandRoutes } from '../transports/http/registry/brand-routes.ts'
import { mirrorRoutes } from '../transports/http/registry/mirror-routes.ts'
import { ownerRoutes } from '../transports/http/registry/owner-routes.ts'
import { policyRoutes } from '../transports/http/registry/policy-routes.ts'
import { probeRoutes } from '../transports/http/registry/probe-routes.ts'
import { propertyCheckRoutes } from '../transports/http/registry/property-check-routes.ts'
import { proposalRoutes } from '../transports/http/registry/proposal-routes.ts'
import { reviewRoutes } from '../transports/http/registry/review-routes.ts'
import { savedRoutes } from '../transports/http/registry/saved-routes.ts'
import { cachedFor } from './cached.ts'
import { probedAgents } from './open-probed-agent.ts'
import type { Parts } from './parts.ts'
import { registryReader } from './read-manifests.ts'
import { ownFiles, registryReviews } from './registry-reviews.ts'

export interface CatalogueGate extends GatePorts {
  resourceMetadataUrl: () => string
  challenge: MakeChallenge
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
  const { brands, references, saved, profiles, compliance } = parts.storage
  const savedPorts = {
    ...shared,
    ...gate,
    saved,
    hasOwnFile: ownFiles(parts),
    isKnown: knownDomains(parts),
  }
  const brandPorts = {
    ...shared,
    ...gate,
    brands,
    references,
    saved,
    publicUrl: parts.publicUrl,
    clock: parts.clock,
    brandStats: cachedFor(STATS_AGE_MS, parts.clock, brands.stats),
    brandReads: createRateLimit({
      clock: parts.clock,
      perMinute: CATALOGUE_LIMITS.brandReadsPerMinute.value,
    }),
  }
  return [
    policyRoutes(ports),
    mirrorRoutes(mirrorPorts),
    proposalRoutes(mirrorPorts),
    brandRoutes(brandPorts),
    savedRoutes(savedPorts),
    ownerRoutes({
      ...savedPorts,
      challenge: gate.challenge,
      fetch: parts.egress.fetch,
      resolveTxt: parts.resolveTxt,
      ownerChecks: createRateLimit({
        clock: parts.clock,
        perMinute: CATALOGUE_LIMITS.ownerChecksPerMinute.value,
      }),
    }),
    agentRoutes({
      ...shared,
      ...gate,
      directory,
      profiles,
      compliance,
      clock: parts.clock,
      brands,
      reads,
    }),
    propertyCheckRoutes({ transact, propertyChecks, checks, clock: parts.clock }),
    probeRoutes({
      openAgent: probedAgents(parts.egress),
      checkUrl: parts.egress.checkUrl,
      probes: createRateLimit({
        clock: parts.clock,
        perMinute: CATALOGUE_LIMITS.agentProbesPerMinute.value,
      }),
      ofSite: createRateLimit({
        clock: parts.clock,
        perMinute: CATALOGUE_LIMITS.agentProbesOfSite.value,
      }),
      running: { count: 0 },
    }),
    reviewRoutes({ ...ports, reviews: registryReviews(parts) }),
  ]
}

/** A publisher is also known from what other parties' files declare about it. */
function knownDomains(parts: Parts): SavedPorts['hasOwnFile'] {
  const hasOwnFile = ownFiles(parts)
  return async (kind, domain) => {
    if (await hasOwnFile(kind, domain)) return true
    if (kind === 'brand') return false
    return (await parts.storage.authorizations.properties(domain, { limit: 1 })).length > 0
  }
}

/** Principals that may administer this server. */
export function moderatorsOf({ config, storage, keyUse }: Parts) {
  const byKeyHash = keyUse.watched(storage.principals.byKeyHash)
  const principals = goodPrincipals({ byKeyHash }, config)
  return async (authorization: string | undefined): Promise<Moderator | undefined> => {
    const key = bearerKey(authorization ?? '')
    const principal = key === undefined ? undefined : await authenticatePrincipal(principals, key)
    if (!principal?.scopes.includes('operator') && !principal?.scopes.includes('admin'))
      return undefined
    return { kind: 'moderator', principalId: principal.principal_id }
  }
}
