// Opens what every area of the server is built from: storage, clock, worker pool, egress and the sandbox; and closes it
// again.

import { setMaxListeners } from 'node:events'
import { holdLog } from '../lib/held-log.ts'
import { withHosts } from '../lib/host-map.ts'
import { createKeyUse } from '../lib/key-use.ts'
import type { Log } from '../lib/log.ts'
import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { laterClock } from '../lib/steady-clock.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { createTxtResolver } from '../lib/txt-records.ts'
import type { Release } from '../protocol/releases/release.ts'
import type { Config } from './config.ts'
import { egressHosts } from './egress-hosts.ts'
import type { Extensions } from './extensions.ts'
import type { Metrics } from './metrics.ts'
import { openEncoder } from './open-encoder.ts'
import { openStills } from './open-stills.ts'
import { openStorage } from './open-storage.ts'
import { openWorkerPool } from './open-worker-pool.ts'
import type { Parts } from './parts.ts'
import { quotaLimits } from './quota-settings.ts'
import { openSandbox } from './sandbox/open-sandbox.ts'
import { servedReleases } from './served-releases.ts'
import { type WatchedClock, watchClock } from './watch-clock.ts'

interface PartsOptions extends Omit<Extensions, 'routes'> {
  releases?: readonly Release[] | undefined
  metrics: Metrics
  /** The URL the server listens on; final once it listens. */
  listening: () => string
}

interface OpenedParts {
  parts: Parts
  clockWorker: WatchedClock['worker']
  /** Logs what was found while opening, which is held back until the server listens. */
  logFound(): void
  /** Aborts the signal `stopping` of the parts. */
  stop(): void
  /** Aborts the signal `lastCall` of the parts. */
  lastCall(): void
  closeParts(): Promise<void>
}

export async function openParts(
  config: Config,
  log: Log,
  {
    metrics,
    listening,
    signers = [],
    moreTasks = [],
    connectors = {},
    signalSearch,
    deliverySource,
    generator,
    resolveTxt = createTxtResolver(servers(config.dnsServers)),
    releases,
  }: PartsOptions,
): Promise<OpenedParts> {
  const found = holdLog(log)
  const encoder = openEncoder({ config, log: found.log })
  const workerPool = openWorkerPool({ config, log, metrics })
  metrics.watchWorkerPool(workerPool)
  const stills = openStills({ config, log, found: found.log, metrics })
  const stopping = new AbortController()
  // Every stream listens to this signal, and stops when it is aborted.
  setMaxListeners(0, stopping.signal)
  const lastCall = new AbortController()
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
    egress: openEgress(config, listening),
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
    publicUrl: () => trimEnd(config.publicUrl ?? listening(), '/'),
    stopping: stopping.signal,
    lastCall: lastCall.signal,
    onFault,
  }
  const closeParts = async () => {
    await Promise.all([workerPool.close(), stills?.close()])
    await bare.egress.close()
    await storage.close()
  }
  const sandbox = await openSandbox(bare, listening).catch(async (error: unknown) => {
    await closeParts()
    throw error
  })
  return {
    parts: { ...bare, sandbox },
    clockWorker: watched.worker,
    logFound: found.letGo,
    stop: () => stopping.abort(),
    lastCall: () => lastCall.abort(),
    closeParts,
  }
}

const servers = (list: readonly string[]) => (list.length > 0 ? { servers: list } : {})

function openEgress(config: Config, listening: () => string): Egress {
  const { egressAllow: allow, egressAllowHttp: allowHttp, dns, dnsServers } = config
  return withHosts(
    createEgress({ allow, allowHttp, dns, dnsServers }),
    egressHosts(config, listening),
  )
}
