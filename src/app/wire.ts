// Assembles the server: the only place that has all parts.

import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { TaskTable } from '../agent/task-table.ts'
import { createCallerAddress } from '../lib/caller-address.ts'
import { defined } from '../lib/defined.ts'
import { holdLog } from '../lib/held-log.ts'
import { hostInUrl } from '../lib/host-in-url.ts'
import { withHosts } from '../lib/host-map.ts'
import { createKeyUse } from '../lib/key-use.ts'
import type { Log } from '../lib/log.ts'
import { createEgress } from '../lib/safe-fetch/safe-fetch.ts'
import { laterClock } from '../lib/steady-clock.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { createTxtResolver } from '../lib/txt-records.ts'
import type { Release } from '../protocol/releases/release.ts'
import { PUBLIC_REGISTRY_PATHS } from '../registry/public-paths.ts'
import { createHttpMetrics, type HttpMetrics } from '../transports/http/http-metrics.ts'
import { operationRoutes } from '../transports/http/operation-routes.ts'
import type { OwnRoutes } from '../transports/http/own-routes.ts'
import { createQuickLookup } from '../transports/http/registry/quick-lookup.ts'
import { securityHeaders } from '../transports/http/security-headers.ts'
import { createHttpServer } from '../transports/http/server.ts'
import { channelBox } from './channel-box.ts'
import type { Config } from './config.ts'
import { loadDemoReferences } from './demo/demo-references.ts'
import { demoRoutes } from './demo/demo-routes.ts'
import { loadDemoTraffic } from './demo/demo-traffic.ts'
import { loadDemo } from './demo/load-demo.ts'
import { untilVerified } from './demo/until-verified.ts'
import { egressHosts } from './egress-hosts.ts'
import { watchEventLoop } from './event-loop-watch.ts'
import type { Extensions, Started } from './extensions.ts'
import { createMetrics } from './metrics.ts'
import { openDeliverySource } from './open-delivery-source.ts'
import { openEncoder } from './open-encoder.ts'
import { openStills } from './open-stills.ts'
import { openStorage, type Storage } from './open-storage.ts'
import { openWorkerPool } from './open-worker-pool.ts'
import type { Area, Parts } from './parts.ts'
import { quotaLimits } from './quota-settings.ts'
import { createReadiness } from './readiness.ts'
import { openSandbox } from './sandbox/open-sandbox.ts'
import { servedReleases } from './served-releases.ts'
import { watchClock } from './watch-clock.ts'
import { wireAgent } from './wire-agent.ts'
import { wireCaller } from './wire-caller.ts'
import { wireConsole } from './wire-console.ts'
import { wireCreative } from './wire-creative.ts'
import { wireImpairments } from './wire-impairments.ts'
import { wireKeys } from './wire-keys.ts'
import { wireMediaBuys } from './wire-media-buys.ts'
import { wireRegistry } from './wire-registry.ts'
import { sandboxKeyOf, wireSandbox } from './wire-sandbox.ts'
import { wireSignals } from './wire-signals.ts'
import { wireTasks } from './wire-tasks.ts'
import { wireWebhooks } from './wire-webhooks.ts'

export interface WiredApp {
  storage: Storage
  /** Every task that is served. */
  tasks: TaskTable
  /** The URL the server listens on, once started. */
  url(): string
  /** Resolves when everything is served, the demo included. */
  start(): Promise<Started>
  /** Why it is not ready, as reported by `/readyz`; empty when it is. */
  notReady(): Promise<readonly string[]>
  /** Lets requests and work in progress finish, then closes everything. */
  stop(): Promise<void>
}

interface TransportOptions extends Extensions {
  /** The known releases of the protocol. Default those of `protocol/releases`. */
  releases?: readonly Release[] | undefined
}

export async function wireApp(
  config: Config,
  log: Log,
  {
    signers = [],
    moreTasks = [],
    connectors = {},
    signalSearch,
    deliverySource,
    generator,
    routes,
    resolveTxt = createTxtResolver(servers(config.dnsServers)),
    releases,
  }: TransportOptions = {},
): Promise<WiredApp> {
  const httpMetrics = createHttpMetrics()
  const metrics = createMetrics(httpMetrics)
  const found = holdLog(log)
  const encoder = openEncoder({ config, log: found.log })
  const workerPool = openWorkerPool({ config, log, metrics })
  metrics.watchWorkerPool(workerPool)
  const stills = openStills({ config, log, found: found.log, metrics })
  const stopping = new AbortController()
  // Every stream listens to this signal, and stops when it is aborted.
  setMaxListeners(0, stopping.signal)
  const lastCall = new AbortController()
  let listening = `http://${hostInUrl(config.host)}:${config.port}`
  const onFault = (error: unknown) => log.error({ err: error }, 'background work failed')
  const storage = await openStorage(config, log, quotaLimits(config))
  const watched = await watchClock(storage, { log, onFault }).catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
  const bare: Omit<Parts, 'sandbox'> = {
    config,
    log,
    clock: watched.clock,
    wallClock: laterClock,
    clockGuard: watched.guard,
    sweep: watched.sweep,
    storage,
    keyUse: createKeyUse({ ...storage, onFault }),
    egress: withHosts(
      createEgress({
        allow: config.egressAllow,
        allowHttp: config.egressAllowHttp,
        dns: config.dns,
        dnsServers: config.dnsServers,
      }),
      egressHosts(config, () => listening),
    ),
    resolveTxt,
    workerPool,
    stills: stills?.browser,
    encoder,
    metrics,
    signers,
    moreTasks,
    releases: servedReleases(config, releases),
    connectors,
    signalSearch,
    deliverySource,
    generator,
    publicUrl: () => trimEnd(config.publicUrl ?? listening, '/'),
    stopping: stopping.signal,
    lastCall: lastCall.signal,
    onFault,
  }
  const closeParts = async () => {
    await Promise.all([workerPool.close(), stills?.close()])
    await bare.egress.close()
    await bare.storage.close()
  }
  const orClose = async (error: unknown) => {
    await closeParts()
    throw error
  }
  const sandbox = await openSandbox(bare, () => listening).catch(orClose)
  const parts: Parts = { ...bare, sandbox }
  let demoKey: string | undefined
  const { areas, tasks } = await wireAreas(parts, () => demoKey).catch(orClose)
  const workers = [watched.worker, parts.keyUse, ...areas.flatMap((area) => area.workers)]
  const demo = config.demo ? [demoRoutes(() => listening)] : []
  let hasStarted = false
  const failedChecks = createReadiness(parts)
  const whyNotReady = async () => (hasStarted ? failedChecks() : ['the server is starting'])
  const server = await serverFor(parts, [...areas, { routes: demo, workers: [] }], {
    httpMetrics,
    whyNotReady,
    ownRoutes: routes,
  }).catch(orClose)

  metrics.watchAnswers(() => server.answers.bytes())
  let warmingUp: NodeJS.Timeout | undefined
  const endWatch = watchEventLoop(metrics.registry, log)
  return {
    storage: parts.storage,
    tasks,
    url: () => listening,
    notReady: whyNotReady,
    start: async () => {
      // As many connections may wait to be accepted as may be open: none is reset because many arrived at once.
      const { host, port: wanted, maxConnections: backlog } = config
      await server.listen({ host, port: wanted, backlog })
      const { port } = server.server.address() as AddressInfo
      listening = `http://${hostInUrl(config.host)}:${port}`
      demoKey = config.demo ? await demoKeyOf(parts, listening) : undefined
      const sandboxKey = config.sandbox ? await sandboxKeyOf(parts) : undefined
      found.letGo()
      for (const worker of workers) worker.start()
      if (config.warmUp) warmingUp = setTimeout(workerPool.open, WARM_UP_MS)
      hasStarted = true
      if (config.demo) await untilVerified(storage.references, stopping.signal)
      return { demoKey, sandboxKey }
    },
    stop: async () => {
      clearTimeout(warmingUp)
      endWatch()
      stopping.abort()
      const stopMs = config.stopTimeoutSeconds * 1_000
      const timers = [
        setTimeout(() => lastCall.abort(), stopMs - LAST_CALL_MS),
        // A connection that is still open now has a request that never completed.
        setTimeout(() => server.server.closeAllConnections(), stopMs - CUT_MS),
      ]
      await Promise.all([server.close(), ...workers.map((worker) => worker.stop())])
      for (const timer of timers) clearTimeout(timer)
      // Closed last, since requests in progress need it to finish.
      await closeParts()
    },
  }
}

const servers = (list: readonly string[]) => (list.length > 0 ? { servers: list } : {})

/**
 * The processes of the worker pool are started after this delay, behind the rest of the server, unless one is needed
 * earlier.
 */
const WARM_UP_MS = 2_000

/** Before the stop's own timeout: calls in progress get an error, and connections still open then are closed. */
const LAST_CALL_MS = 1_500
const CUT_MS = 500

async function wireAreas(
  given: Parts,
  demoKey: () => string | undefined,
): Promise<{ areas: Area[]; tasks: TaskTable }> {
  // Opened only once: a file of figures is held in memory.
  const parts = { ...given, deliverySource: openDeliverySource(given) }
  const registry = await wireRegistry(parts)
  const keys = await wireKeys(parts)
  const webhooks = await wireWebhooks(parts, keys.ring)
  const tasks = await wireTasks(parts, webhooks.sender)
  const impairments = wireImpairments(parts, webhooks.sender)
  const watched = { ...parts, storage: { ...parts.storage, ...impairments.watched } }
  const creative = wireCreative(watched, tasks, {
    onAssigned: (tx, owner, packageIds) => buys.onAssigned(tx, owner, packageIds),
  })
  const { addCreatives, formatOption } = creative
  const buys = wireMediaBuys(parts, webhooks.sender, tasks, {
    addCreatives,
    formatOption,
    impairments,
  })
  const signals = await wireSignals(watched, tasks)
  const caller = wireCaller(parts)
  const served = [...creative.tasks, ...signals.tasks, ...buys.tasks, ...caller.tasks]
  const sandbox = wireSandbox({ parts: watched, tasks, creative, buys, served })
  const agent = await wireAgent(parts, webhooks, tasks, {
    tasks: sandbox.tasks,
    features: creative.features,
    formats: creative.formats,
    portfolio: buys.portfolio,
    signals,
    scenarios: sandbox.scenarios,
  })
  const studio = { callTask: agent.callTask, findFormat: creative.findFormat }
  const areas = { ...tasks, ...agent, signals, studio, ring: keys.ring }
  const console = await wireConsole(parts, areas, demoKey)
  const forTests = { routes: sandbox.routes, workers: [] }
  const wired = [registry, keys, webhooks, tasks, creative, signals, buys, caller, agent]
  return { areas: [...wired, console, forTests], tasks: agent.agent.tasks }
}

/** Runs before the server reports that it is ready: clients that wait for that may call with the key immediately. */
async function demoKeyOf(parts: Parts, url: string): Promise<string> {
  const { config, log, storage, onFault } = parts
  const { key } = await loadDemo(storage, {
    url,
    key: config.demoKey,
    folder: config.data,
    onUnkept: (error) =>
      log.warn({ err: error }, `the demo key cannot be kept in ${config.data}: it changes`),
  })
  if (config.console) {
    const box = await channelBox(config, storage)
    await loadDemoReferences(storage, url)
    await loadDemoTraffic(storage, { url, box, onFault }).catch((error: unknown) =>
      log.warn({ err: error }, 'the deliveries of the demo could not be loaded'),
    )
  }
  return key
}

interface ServerPorts {
  httpMetrics: HttpMetrics
  whyNotReady: () => Promise<readonly string[]>
  ownRoutes: OwnRoutes | undefined
}

function serverFor(
  parts: Parts,
  areas: readonly Area[],
  { httpMetrics, whyNotReady, ownRoutes }: ServerPorts,
): Promise<FastifyInstance> {
  const { config, log, clock, storage, metrics, stopping } = parts
  const headers = securityHeaders(parts.publicUrl())
  const requestId = requestIds()
  const { references } = storage
  const rates = {
    requests: createRateLimit({ clock, perMinute: config.requestsPerMinute }),
    lookups: createRateLimit({ clock, perMinute: config.lookupsPerMinute }),
  }
  const quick = createQuickLookup({
    references,
    metrics: httpMetrics,
    headers,
    requestId,
    lookups: rates.lookups,
    addressOf: createCallerAddress(config.trustProxy),
  })
  return createHttpServer({
    log,
    metrics: httpMetrics,
    headers,
    requestId,
    // At level debug the route logs every request.
    ...defined({ quick: log.isLevelEnabled('debug') ? undefined : quick }),
    rates,
    bodyLimitBytes: config.bodyLimitBytes,
    keylessBodyBytes: config.keylessBodyBytes,
    maxConnections: config.maxConnections,
    answerMs: config.answerTimeoutSeconds * 1_000,
    trustProxy: config.trustProxy,
    stopping,
    routes: [
      operationRoutes({
        metricsText: metrics.text,
        readiness: () => Object.assign({}, ...areas.map(({ readiness }) => readiness?.())),
        notReady: sharedBy(whyNotReady),
      }),
      ...areas.flatMap((area) => area.routes),
    ],
    notImplemented: PUBLIC_REGISTRY_PATHS,
    ...defined({ ownRoutes }),
  })
}

/** Concurrent callers share one answer: probes are not rate-limited. */
function sharedBy<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** Unique among all instances, and cheap: a random prefix and a counter. */
function requestIds(): () => string {
  const beginning = randomUUID().slice(0, 13)
  let count = 0
  return () => `${beginning}-${(++count).toString(36)}`
}
