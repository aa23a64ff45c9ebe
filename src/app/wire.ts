// Puts the parts together: the only place that knows them all.

import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createEgress } from '../lib/safe-fetch/safe-fetch.ts'
import { trimEnd } from '../lib/trim-end.ts'
import type { AnyTask } from '../protocol/task.ts'
import type { Connector } from '../signals/connectors/connector.ts'
import type { SignalSearch } from '../signals/matching/search.ts'
import type { Signer } from '../signing/ports.ts'
import { createHttpMetrics, type HttpMetrics } from '../transports/http/http-metrics.ts'
import { operationRoutes } from '../transports/http/operation-routes.ts'
import { createQuickLookup } from '../transports/http/registry/quick-lookup.ts'
import { securityHeaders } from '../transports/http/security-headers.ts'
import { createHttpServer } from '../transports/http/server.ts'
import type { Config } from './config.ts'
import { demoRoutes } from './demo/demo-routes.ts'
import { createMetrics } from './metrics.ts'
import { openStorage, type Storage } from './open-storage.ts'
import { openWorkshop } from './open-workshop.ts'
import type { Area, Parts } from './parts.ts'
import { wireAgent } from './wire-agent.ts'
import { wireCreative } from './wire-creative.ts'
import { wireKeys } from './wire-keys.ts'
import { wireRegistry } from './wire-registry.ts'
import { wireSignals } from './wire-signals.ts'
import { wireTasks } from './wire-tasks.ts'
import { wireWebhooks } from './wire-webhooks.ts'

export interface App {
  storage: Storage
  /** Where the server listens, once started. */
  url(): string
  start(): Promise<void>
  /** Lets requests and work under way end, then closes everything. */
  stop(): Promise<void>
}

export interface Extensions {
  /** Signers of keys that are held elsewhere, such as in a KMS, by their kid. Default none. */
  externalSigners?: Readonly<Record<string, Signer>>
  /** Tasks to serve beside the built-in ones. Default none. */
  moreTasks?: readonly AnyTask[]
  /** Connectors to platforms, by the platform's name, beside those of the settings. Default none. */
  connectors?: Readonly<Record<string, Connector>>
  /** Searches the catalogue of signals. Default the built-in search. */
  signalSearch?: SignalSearch
}

export async function createApp(
  config: Config,
  log: Log,
  { externalSigners = {}, moreTasks = [], connectors = {}, signalSearch }: Extensions = {},
): Promise<App> {
  const httpMetrics = createHttpMetrics()
  const metrics = createMetrics(httpMetrics)
  const workshop = openWorkshop({ config, log, metrics })
  metrics.watchWorkshop(workshop)
  const stopping = new AbortController()
  let listening = `http://${hostInUrl(config.host)}:${config.port}`
  const parts: Parts = {
    config,
    log,
    clock: systemClock,
    storage: await openStorage(config, log),
    egress: createEgress({ allow: config.egressAllow, allowHttp: config.egressAllowHttp }),
    workshop,
    metrics,
    externalSigners,
    moreTasks,
    connectors,
    signalSearch,
    publicUrl: () => trimEnd(config.publicUrl ?? listening, '/'),
    stopping: stopping.signal,
    onFault: (error) => log.error({ err: error }, 'background work failed'),
  }
  const areas = await wireAreas(parts).catch(async (error: unknown) => {
    await parts.egress.close()
    await parts.storage.close()
    throw error
  })
  const workers = areas.flatMap((area) => area.workers)
  const server = await serverFor(parts, areas, httpMetrics)

  return {
    storage: parts.storage,
    url: () => listening,
    start: async () => {
      await server.listen({ host: config.host, port: config.port })
      const { port } = server.server.address() as AddressInfo
      listening = `http://${hostInUrl(config.host)}:${port}`
      for (const worker of workers) worker.start()
      workshop.open()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([server.close(), ...workers.map((worker) => worker.stop())])
      // Last of all who work: requests under way needed it to end.
      await workshop.close()
      await parts.egress.close()
      await parts.storage.close()
    },
  }
}

async function wireAreas(parts: Parts): Promise<Area[]> {
  const keys = await wireKeys(parts)
  const webhooks = await wireWebhooks(parts, keys.ring)
  const tasks = wireTasks(parts, webhooks.sender)
  const creative = wireCreative(parts, tasks)
  const signals = await wireSignals(parts, tasks)
  const agent = wireAgent(parts, webhooks, tasks, [...creative.tasks, ...signals.tasks])
  return [wireRegistry(parts), keys, webhooks, tasks, creative, signals, agent]
}

function serverFor(
  parts: Parts,
  areas: readonly Area[],
  httpMetrics: HttpMetrics,
): Promise<FastifyInstance> {
  const { config, log, storage, metrics } = parts
  const headers = securityHeaders(parts.publicUrl())
  const requestId = requestIds()
  const { references } = storage
  return createHttpServer({
    log,
    metrics: httpMetrics,
    headers,
    requestId,
    // At level debug every request is logged, which the route does.
    ...(log.isLevelEnabled('debug')
      ? {}
      : { quick: createQuickLookup({ references, metrics: httpMetrics, headers, requestId }) }),
    bodyLimitBytes: config.bodyLimitBytes,
    trustProxy: config.trustProxy,
    routes: [
      operationRoutes({ metricsText: metrics.text, notReady: () => notReady(parts) }),
      ...areas.flatMap((area) => area.routes),
      ...(config.demo ? [demoRoutes] : []),
    ],
  })
}

async function notReady({ storage, workshop, stopping }: Parts): Promise<string[]> {
  if (stopping.aborted) return ['the server is stopping']
  const reasons = workshop.fault === undefined ? [] : ['no process of the workshop can be started']
  try {
    await storage.database.ping()
    return reasons
  } catch {
    return ['the database is unavailable', ...reasons]
  }
}

/** Unique among all instances, and cheap: a random beginning and a count. */
function requestIds(): () => string {
  const beginning = randomUUID().slice(0, 13)
  let count = 0
  return () => `${beginning}-${(++count).toString(36)}`
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
