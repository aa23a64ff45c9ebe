// Puts the parts together: the only place that knows them all.

import type { AddressInfo } from 'node:net'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { createRegistryAccess } from '../registry/access.ts'
import { resourceMetadata, resourceMetadataUrl } from '../registry/resource-metadata.ts'
import { createVerificationWorker } from '../registry/verification-worker.ts'
import { createHttpMetrics } from '../transports/http/http-metrics.ts'
import { operationRoutes } from '../transports/http/operation-routes.ts'
import { feedRoutes } from '../transports/http/registry/feed-routes.ts'
import { lookupRoutes } from '../transports/http/registry/lookup-route.ts'
import { memberRoutes } from '../transports/http/registry/member-routes.ts'
import { referenceRoutes } from '../transports/http/registry/reference-routes.ts'
import { resourceMetadataRoutes } from '../transports/http/registry/resource-metadata-routes.ts'
import { createHttpServer } from '../transports/http/server.ts'
import { cachedFor } from './cached.ts'
import type { Config } from './config.ts'
import { demoRoutes } from './demo/demo-routes.ts'
import { createMetrics } from './metrics.ts'
import { openStorage, type Storage } from './open-storage.ts'
import { createRetention } from './retention.ts'

export interface App {
  storage: Storage
  /** Where the server listens, once started. */
  url(): string
  start(): Promise<void>
  /** Lets requests and work under way end, then closes everything. */
  stop(): Promise<void>
}

const STATS_AGE_MS = 30_000

export async function createApp(config: Config, log: Log): Promise<App> {
  const storage = await openStorage(config, log)
  const { transact, onWake, references, feed, organizations } = storage
  const egress = createEgress({ allow: config.egressAllow, allowHttp: config.egressAllowHttp })
  const onFault = (error: unknown) => log.error({ err: error }, 'background work failed')
  const stopping = new AbortController()
  const httpMetrics = createHttpMetrics()
  const metrics = createMetrics(httpMetrics)
  const clock = systemClock

  let listening = `http://${hostInUrl(config.host)}:${config.port}`
  const publicUrl = () => (config.publicUrl ?? listening).replace(/\/+$/, '')
  const registry = {
    transact,
    onWake,
    references,
    feed,
    organizations,
    clock,
    checkUrl: egress.checkUrl,
    access: createRegistryAccess({
      organizations,
      jwt: jwtOf(config, publicUrl()),
      fetchJwks: fetchJwksBy(egress),
    }),
    writes: createRateLimit({ clock, perMinute: config.registryWritesPerMinute }),
    stats: cachedFor(STATS_AGE_MS, clock, () => references.stats()),
    resourceMetadataUrl: resourceMetadataUrl(publicUrl()),
    stopping: stopping.signal,
  }
  const server = await createHttpServer({
    log,
    metrics: httpMetrics,
    publicUrl,
    bodyLimitBytes: config.bodyLimitBytes,
    trustProxy: config.trustProxy,
    routes: [
      operationRoutes({
        metricsText: metrics.text,
        notReady: () => notReady(storage, stopping.signal),
      }),
      lookupRoutes(references),
      referenceRoutes(registry),
      memberRoutes(registry),
      feedRoutes(registry),
      resourceMetadataRoutes(() =>
        resourceMetadata({
          publicUrl: publicUrl(),
          issuer: config.jwtIssuer,
          scopes: ['openid', 'profile', 'email'],
        }),
      ),
      ...(config.demo ? [demoRoutes] : []),
    ],
  })
  const worker = createVerificationWorker({
    transact,
    onWake,
    references,
    feed,
    verify: { fetch: egress.fetch, allowHttp: config.egressAllowHttp },
    clock,
    concurrency: config.registryVerifyConcurrency,
    onFault,
    onVerified: metrics.verified,
  })
  const retention = createRetention(storage, onFault)

  return {
    storage,
    url: () => listening,
    start: async () => {
      await server.listen({ host: config.host, port: config.port })
      const { port } = server.server.address() as AddressInfo
      listening = `http://${hostInUrl(config.host)}:${port}`
      if (config.registryVerifyConcurrency > 0) worker.start()
      retention.start()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([server.close(), worker.stop(), retention.stop()])
      await egress.close()
      await storage.close()
    },
  }
}

async function notReady(storage: Storage, stopping: AbortSignal): Promise<string[]> {
  if (stopping.aborted) return ['the server is stopping']
  try {
    await storage.database.ping()
    return []
  } catch {
    return ['the database is unavailable']
  }
}

function jwtOf(config: Config, publicUrl: string) {
  if (config.jwtIssuer === undefined) return undefined
  return {
    issuer: config.jwtIssuer,
    audience: config.jwtAudience ?? publicUrl,
    jwksUrl: config.jwtJwksUrl ?? new URL('/.well-known/jwks.json', config.jwtIssuer).href,
  }
}

const MAX_JWKS_BYTES = 256 * 1024

function fetchJwksBy(egress: Egress) {
  return async (url: string, signal?: AbortSignal) => {
    const result = await egress.fetch({
      url,
      headers: { accept: 'application/json' },
      maxBytes: MAX_JWKS_BYTES,
      totalTimeoutMs: 5_000,
      ...(signal ? { signal } : {}),
    })
    if (!result.ok) throw new Error(result.message)
    return { status: result.status, body: result.body }
  }
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
