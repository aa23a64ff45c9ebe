// The registry: its routes, its verification, its retention.

import { createRateLimit } from '../lib/token-bucket.ts'
import type { RegistryAccess } from '../registry/access.ts'
import { resourceMetadata, resourceMetadataUrl } from '../registry/resource-metadata.ts'
import { createVerificationWorker } from '../registry/verification-worker.ts'
import { feedRoutes } from '../transports/http/registry/feed-routes.ts'
import { lookupRoutes } from '../transports/http/registry/lookup-route.ts'
import { memberRoutes } from '../transports/http/registry/member-routes.ts'
import { proofRoutes } from '../transports/http/registry/proof-routes.ts'
import { referenceRoutes } from '../transports/http/registry/reference-routes.ts'
import { resourceMetadataRoutes } from '../transports/http/registry/resource-metadata-routes.ts'
import { cachedFor } from './cached.ts'
import { withDemoKey } from './demo/demo-access.ts'
import { demoOrganizationId } from './demo/load-demo.ts'
import { domainChallenges } from './domain-challenges.ts'
import type { Area, Parts } from './parts.ts'
import { registryReader } from './read-manifests.ts'
import { registryAccess } from './registry-access.ts'
import { createRetention } from './retention.ts'
import { catalogueRoutes } from './wire-catalogue.ts'
import { wireCompliance } from './wire-compliance.ts'
import { wireCrawler } from './wire-crawler.ts'

const STATS_AGE_MS = 30_000

export async function wireRegistry(parts: Parts): Promise<Area> {
  const { config, clock, storage, egress, metrics, publicUrl, stopping, onFault } = parts
  const { transact, onWake, references, feed } = storage
  const challenge = await domainChallenges(storage)
  const byKeyHash = parts.keyUse.watched(storage.organizations.byKeyHash)
  const organizations = { ...storage.organizations, byKeyHash }
  const ports = {
    challenge,
    transact,
    onWake,
    references,
    feed,
    organizations,
    clock,
    stopping,
    checkUrl: egress.checkUrl,
    access: accessOf(parts, registryAccess({ config, organizations, egress, publicUrl })),
    writes: createRateLimit({ clock, perMinute: config.registryWritesPerMinute }),
    stats: cachedFor(STATS_AGE_MS, clock, () => references.stats()),
    resourceMetadataUrl: () => resourceMetadataUrl(publicUrl()),
  }
  const verify = {
    challenge,
    resolveTxt: parts.resolveTxt,
    fetch: egress.fetch,
    readManifest: registryReader(parts.workerPool),
    allowHttp: config.egressAllowHttp,
    maxManifestBytes: config.registryManifestBytes,
    now: clock.now,
  }
  const verification = createVerificationWorker({
    transact,
    onWake,
    references,
    feed,
    crawl: storage.crawl,
    verify,
    clock,
    concurrency: config.registryVerifyConcurrency,
    perMinute: config.registryVerifyPerMinute,
    onFault,
    onVerified: metrics.verified,
  })
  const examinations = wireCompliance(parts, ports)
  const crawler = wireCrawler(parts, { ...ports, verify })
  return {
    routes: [
      ...crawler.routes,
      ...examinations.routes,
      lookupRoutes({
        references,
        crawl: storage.crawl,
        publishers: storage.publishers,
        saved: storage.saved,
      }),
      referenceRoutes(ports),
      proofRoutes(ports),
      memberRoutes(ports),
      feedRoutes(ports),
      ...catalogueRoutes(parts, ports),
      resourceMetadataRoutes(() =>
        resourceMetadata({
          publicUrl: publicUrl(),
          issuer: config.jwtIssuer,
          scopes: ['openid', 'profile', 'email'],
        }),
      ),
    ],
    workers: [
      ...(config.registryVerifyConcurrency > 0 ? [verification] : []),
      ...crawler.workers,
      ...examinations.workers,
      createRetention(parts),
    ],
  }
}

function accessOf({ config, storage, keyUse }: Parts, access: RegistryAccess): RegistryAccess {
  if (!config.demo) return access
  return withDemoKey(access, {
    principals: { byKeyHash: keyUse.watched(storage.principals.byKeyHash) },
    organizationId: () => demoOrganizationId(storage),
  })
}
