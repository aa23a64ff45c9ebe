// The lifecycle of `adwire receive`: lock the data folder, start, print the address, stop on a signal.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Log } from '../../lib/log.ts'
import { createEgress } from '../../lib/safe-fetch/safe-fetch.ts'
import { StorageUnavailable } from '../../lib/transaction.ts'
import { openReceiverStorage, type ReceiverStorage } from '../../receiver/open-receiver-storage.ts'
import { checkSignatureOnThreadPool } from '../../signing/check-signature.ts'
import { checkAtStart } from '../../storage/sqlite/check-at-start.ts'
import { type ServeLock, takeServeLock } from '../../storage/sqlite/serve-lock.ts'
import { settleLog } from '../../storage/sqlite/settle-log.ts'
import { createReceiver, type Receiver } from '../../webhooks/receiver/receiver.ts'
import { routesByName } from '../../webhooks/receiver/routes.ts'
import { isPretty, openLog } from '../open-log.ts'
import { startFault } from '../start-fault.ts'
import { announce } from './announce.ts'
import { handOn } from './hand-on.ts'
import { allowNamed } from './named-egress.ts'
import type { ReceiveConfig } from './options.ts'
import { type OutFile, openOutFile } from './out-file.ts'
import { appliedLine, receivedLine } from './printed-line.ts'
import { createReceiveMetrics } from './receive-metrics.ts'
import { createReceiveServer } from './receive-server.ts'
import { throughRegistry } from './registry-documents.ts'
import { say } from './say.ts'

const DRAIN_MS = 3_000
/** Short, so that after a kill a restart soon continues the work; it is renewed while a message is processed. */
const LEASE_MS = 5_000
/** Messages handled concurrently: they are claimed together, and a claim costs a commit. */
const CONCURRENCY = 64

export async function receive(config: ReceiveConfig): Promise<void> {
  const log = openLog(config)
  const lock = takeFolder(config)
  if (lock) await checkAtStart({ dataDir: config.data, log })
  const out = config.out === undefined ? undefined : await openOut(config.out)
  const storage = await openReceiverStorage(storageOptions(config, log))
  const { receiver, metricsText, ready, closeEgress } = wireReceiver({ config, log, storage, out })
  const { publicUrl } = config
  const server = createReceiveServer({ receiver, publicUrl, metricsText, ready })
  const stop = async () => {
    const closed = server.listening ? once(server, 'close') : Promise.resolve()
    server.close()
    server.closeIdleConnections()
    await Promise.all([closed, receiver.stop(DRAIN_MS)])
    await closeEgress()
    await out?.close()
    await storage.close()
    if (lock) settleLog(config.data)
    lock?.release()
  }

  try {
    server.listen(config.port, config.host)
    await once(server, 'listening')
  } catch (error) {
    await stop()
    throw startFault(error, config)
  }
  const requested = stopRequested()
  receiver.start()
  await announce(config, { port: (server.address() as AddressInfo).port, receiver, say, requested })
  await requested
  // If not everything has ended by then, an open connection must not keep the process running.
  setTimeout(() => process.exit(1), DRAIN_MS + 1_500).unref()
  await stop()
}

interface Wiring {
  config: ReceiveConfig
  log: Log
  storage: ReceiverStorage
  out: OutFile | undefined
}

interface Wired {
  receiver: Receiver
  metricsText: () => Promise<string>
  ready: () => Promise<void>
  closeEgress: () => Promise<unknown>
}

function wireReceiver({ config, log, storage, out }: Wiring): Wired {
  const { sellers, egressAllow: allow, egressAllowHttp: allowHttp, dns, dnsServers } = config
  const usual = () => createEgress({ allow, allowHttp, dns, dnsServers })
  const named = sellers.flatMap(({ agentUrl, jwksUrl, publishers = [] }) => [
    agentUrl,
    jwksUrl ?? agentUrl,
    ...publishers,
  ])
  const { registry } = config
  const direct = allowNamed(registry ? [...named, registry.url] : named, usual())
  const egress = registry ? throughRegistry(direct, registry) : direct
  const forwarding = allowNamed(config.forward === undefined ? [] : [config.forward], usual())
  const metrics = createReceiveMetrics(storage.inbox.stats)
  const own = routesByName(config.routes)
  const ports = { config, out, egress: forwarding }
  const receiver = createReceiver({
    ...storage,
    egress,
    sellers,
    // A route without a configuration accepts every trusted sender.
    routes: async (name) => (await own(name)) ?? { name, mode: 'rfc9421' },
    protocolName: config.protocolName,
    duplicates: config.webhookDuplicates,
    retentionHours: config.retentionHours,
    maxKeysPerSender: config.maxKeysPerSender,
    maxBytesPerSender: config.maxBytesPerSender,
    leaseMs: LEASE_MS,
    concurrency: CONCURRENCY,
    worker: out?.worker,
    // In parallel with reading and storing other messages.
    checkSignature: checkSignatureOnThreadPool,
    log,
    handle: (message, context) => handOn(ports, message, { ...context, applied: true }),
    handleStale: (message, context) => handOn(ports, message, { ...context, applied: false }),
    onReceived: (event) => {
      metrics.received(event)
      say(receivedLine(event, Date.now()))
      if (event.error !== undefined) log.error({ err: event.error }, 'a webhook was not stored')
      // At a terminal the line above has already reported it.
      else if (event.code !== undefined && !isPretty(config)) {
        log.info(event, 'a webhook was refused')
      }
    },
    onApplied: (report) => {
      metrics.applied(report)
      say(appliedLine(report, Date.now()))
    },
    onFault: (error, message) => {
      // At a terminal the line of the attempt reports it.
      if (message && isPretty(config) && !(error instanceof StorageUnavailable)) return
      const about = message && { sender: message.sender, message: message.idempotency_key }
      log.error({ err: error, ...about }, 'a webhook could not be applied')
    },
  })
  const closeEgress = () => Promise.all([egress.close(), forwarding.close()])
  return { receiver, metricsText: metrics.text, ready: storage.ping, closeEgress }
}

function takeFolder({ databaseUrl, data }: ReceiveConfig) {
  if (databaseUrl !== undefined) return undefined
  const lock: ServeLock = takeServeLock(data)
  if (!lock.ok) throw new Error(lock.message)
  return lock
}

function storageOptions(config: ReceiveConfig, log: Log) {
  const { databaseUrl, databaseSchema: schema, databasePool: poolSize, data } = config
  if (databaseUrl === undefined) return { dataDir: data }
  const onFault = (error: Error) => log.warn({ err: error }, 'a PostgreSQL connection broke')
  return { databaseUrl, schema, poolSize, onFault }
}

async function openOut(path: string): Promise<OutFile> {
  try {
    return await openOutFile(path)
  } catch (error) {
    throw new Error(`cannot write to ${path}: ${(error as Error).message}`)
  }
}

function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    let isRequested = false
    const ask = () => {
      // A second Ctrl-C means that the user does not want to wait.
      if (isRequested) process.exit(130)
      isRequested = true
      resolve()
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
  })
}
