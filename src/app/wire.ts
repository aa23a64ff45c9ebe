// Assembles the server: the only place that has all parts.

import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { TaskTable } from '../agent/task-table.ts'
import { createCallerAddress } from '../lib/caller-address.ts'
import { defined } from '../lib/defined.ts'
import { hostInUrl } from '../lib/host-in-url.ts'
import type { Log } from '../lib/log.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
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
import { watchEventLoop } from './event-loop-watch.ts'
import type { Extensions, Started } from './extensions.ts'
import { createMetrics } from './metrics.ts'
import { openDeliverySource } from './open-delivery-source.ts'
import { openParts } from './open-parts.ts'
import type { Storage } from './open-storage.ts'
import type { Area, Parts } from './parts.ts'
import { createReadiness } from './readiness.ts'
import { inRoles } from './roles.ts'
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

interface WireOptions extends Extensions {
  /** The known releases of the protocol. Default those of `protocol/releases`. */
  releases?: readonly Release[] | undefined
}

export async function wireApp(
  given: Config,
  log: Log,
  { routes, ...extensions }: WireOptions = {},
): Promise<WiredApp> {
  const config = inRoles(given)
  const httpMetrics = createHttpMetrics()
  const metrics = createMetrics(httpMetrics)
  let listening = `http://${hostInUrl(config.host)}:${config.port}`
  const opened = await openParts(config, log, {
    ...extensions,
    metrics,
    listening: () => listening,
  })
  const { parts, logFound, closeParts } = opened
  const orClose = async (error: unknown) => {
    await closeParts()
    throw error
  }
  let demoKey: string | undefined
  const { areas, tasks } = await wireAreas(parts, () => demoKey).catch(orClose)
  const workers = [opened.clockWorker, parts.keyUse, ...areas.flatMap((area) => area.workers)]
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
  metrics.inRoles(config.roles)
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
      logFound()
      for (const worker of workers) worker.start()
      if (config.warmUp) warmingUp = setTimeout(parts.workerPool.open, WARM_UP_MS)
      hasStarted = true
      if (config.demo) await untilVerified(parts.storage.references, parts.stopping)
      return { demoKey, sandboxKey }
    },
    stop: async () => {
      clearTimeout(warmingUp)
      endWatch()
      opened.stop()
      const stopMs = config.stopTimeoutSeconds * 1_000
      await finishWork(server, workers, { stopMs, lastCall: opened.lastCall })
      // Closed last, since requests in progress need it to finish.
      await closeParts()
    },
  }
}

/** Waits for requests and work in progress, up to the timeout of the stop. */
async function finishWork(
  server: FastifyInstance,
  workers: Area['workers'],
  { stopMs, lastCall }: { stopMs: number; lastCall: () => void },
): Promise<void> {
  const timers = [
    setTimeout(lastCall, stopMs - LAST_CALL_MS),
    // A connection that is still open now has a request that never completed.
    setTimeout(() => server.server.closeAllConnections(), stopMs - CUT_MS),
  ]
  await Promise.all([server.close(), ...workers.map((worker) => worker.stop())])
  for (const timer of timers) clearTimeout(timer)
}

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
  const buys = wireMediaBuys(parts, tasks, {
    sender: webhooks.sender,
    addCreatives,
    formatOption,
    impairments,
  })
  const signals = await wireSignals(watched, tasks)
  const caller = wireCaller(parts)
  const served = [...creative.tasks, ...signals.tasks, ...buys.tasks, ...caller.tasks]
  const sandbox = wireSandbox({ parts: watched, tasks, creative, buys, served })
  const agent = await wireAgent(
    parts,
    { webhooks, engine: tasks.engine },
    {
      tasks: sandbox.tasks,
      features: creative.features,
      formats: creative.formats,
      portfolio: buys.portfolio,
      signals,
      scenarios: sandbox.scenarios,
    },
  )
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
  const hasApi = config.roles.includes('api')
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
    ...defined({ quick: hasApi && !log.isLevelEnabled('debug') ? quick : undefined }),
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
        readiness: () =>
          Object.assign({ roles: config.roles }, ...areas.map(({ readiness }) => readiness?.())),
        notReady: sharedBy(whyNotReady),
      }),
      ...(hasApi ? areas.flatMap((area) => area.routes) : []),
    ],
    notImplemented: hasApi ? PUBLIC_REGISTRY_PATHS : [],
    ...defined({ ownRoutes: hasApi ? ownRoutes : undefined }),
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
