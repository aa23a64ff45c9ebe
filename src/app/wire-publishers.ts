// The registry's routes about publishers and their properties.

import type { FastifyInstance } from 'fastify'
import { createRateLimit } from '../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../registry/catalogue-limits.ts'
import { MOST_COUNTED } from '../registry/publishers/list-publishers.ts'
import type { GatePorts } from '../transports/http/registry/answers.ts'
import { catalogRoutes } from '../transports/http/registry/catalog-routes.ts'
import type { ReaderPorts } from '../transports/http/registry/contributor-gate.ts'
import {
  type PropertyRoutePorts,
  propertyRoutes,
} from '../transports/http/registry/property-routes.ts'
import { publisherRoutes } from '../transports/http/registry/publisher-routes.ts'
import { cachedFor } from './cached.ts'
import type { Parts } from './parts.ts'

const STATS_AGE_MS = 30_000

export function publisherCatalogue(
  { clock, storage }: Parts,
  gate: ReaderPorts & GatePorts & { resourceMetadataUrl: () => string },
  live: Pick<PropertyRoutePorts, 'fetches' | 'inspect'>,
): ((app: FastifyInstance) => void)[] {
  const {
    publishers,
    authorizations,
    publisherFiles: files,
    brands,
    saved,
    catalog,
    feed,
    transact,
    organizations,
  } = storage
  const totals = cachedFor(STATS_AGE_MS, clock, () => publishers.totals(MOST_COUNTED))
  const brandStats = cachedFor(STATS_AGE_MS, clock, brands.stats)
  const ports = {
    ...live,
    ...gate,
    clock,
    saved,
    catalog,
    feed,
    transact,
    organizations,
    publishers,
    authorizations,
    files,
    totals,
    registryStats: async () => {
      const [counted, { total }] = await Promise.all([totals(), brandStats()])
      return { ...counted, brands: total, counted_up_to: MOST_COUNTED }
    },
    publisherReads: createRateLimit({
      clock,
      perMinute: CATALOGUE_LIMITS.publisherReadsPerMinute.value,
    }),
  }
  return [propertyRoutes(ports), publisherRoutes(ports), catalogRoutes(ports)]
}
