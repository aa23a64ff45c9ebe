// The sender of webhooks: how its secrets are encrypted, what it signs with, and its metrics.

import type { KeyRing } from '../keys/key-ring.ts'
import type { Issue } from '../protocol/errors.ts'
import { createRecoveryWorker } from '../webhooks/sender/recovery-worker.ts'
import { checkChannel } from '../webhooks/sender/register-channel.ts'
import { createSender, type Sender } from '../webhooks/sender/sender.ts'
import { channelBox } from './channel-box.ts'
import { outboxMetrics } from './outbox-metrics.ts'
import type { Area, Parts } from './parts.ts'

export interface WebhookArea extends Area {
  sender: Sender
  /** What is wrong with a registration; it is neither stored nor logged. */
  checkPush: (config: unknown) => Issue[]
}

const SWEEP_MS = 10 * 60 * 1_000
const DAY_MS = 24 * 60 * 60 * 1_000

export async function wireWebhooks(parts: Parts, ring: KeyRing): Promise<WebhookArea> {
  const { config, log, storage, egress, metrics, onFault } = parts
  const { allowBearerWebhooks: allowBearer } = config
  const box = await channelBox(config, storage)
  // Only one server uses a data folder at a time: any process that held a lease there is dead.
  if (storage.database.dialect === 'sqlite') await storage.transact(storage.outbox.releaseAll)
  const sender = createSender({
    transact: storage.transact,
    onWake: storage.onWake,
    channels: storage.channels,
    outbox: storage.outbox,
    isRemote: storage.database.dialect === 'postgres',
    box,
    signer: () => ring.signer(),
    egress,
    guard: parts.clockGuard,
    protocolName: config.protocolName,
    allowBearer,
    concurrency: config.webhookConcurrency,
    perEndpoint: config.webhookEndpointConcurrency,
    attemptTimeoutMs: config.webhookTimeoutSeconds * 1_000,
    leaseMs: config.leaseSeconds * 1_000,
    onLegacy: (choice) => log.warn(choice, 'a webhook was registered with a legacy scheme'),
    onAttempt: (attempt) => {
      metrics.attempted(attempt)
      log.debug(attempt, 'webhook attempt')
    },
    onFault,
  })
  outboxMetrics(metrics.registry, storage.outbox)
  const sends = config.webhookConcurrency > 0
  const recoverer = createRecoveryWorker({
    transact: storage.transact,
    onWake: storage.onWake,
    onFault,
    recoveries: storage.recoveries,
  })
  // Ends before the process is reported as late.
  const drainMs = Math.max(config.stopTimeoutSeconds * 1_000 - 1_000, 0)
  return {
    sender,
    checkPush: (wanted) => {
      const { requireOperationId: needsOperationId } = config
      const registered = { owner: '', subject: '', name: '', form: 'mcp', config: wanted } as const
      const key = { ...registered, needsOperationId }
      const checked = checkChannel(key, { box, allowBearer, checkUrl: egress.checkUrl })
      return checked.ok ? [] : checked.issues
    },
    routes: [],
    workers: [
      ...(sends ? [{ start: sender.start, stop: () => sender.stop(drainMs) }, recoverer] : []),
      sweeper(parts),
    ],
  }
}

function sweeper({ config, storage: { transact, outbox, channels, recoveries }, sweep }: Parts) {
  return sweep({
    name: 'worker: delete old deliveries and registrations of webhooks',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const before = now - config.historyDays * DAY_MS
      const trimmed = await transact(
        async (tx) => (await outbox.trim(tx, before)) + (await recoveries.trim(tx, before)),
      )
      const swept = await transact(channels.sweep)
      return trimmed + swept > 0
    },
  })
}
