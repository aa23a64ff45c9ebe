// The agent: the table of tasks, and the wires that serve it.

import { createAgent } from '../agent/call.ts'
import { getAgentCapabilities } from '../agent/capabilities.ts'
import { refusingDemo } from '../agent/principals.ts'
import { stopCalls } from '../agent/stop-calls.ts'
import { createTaskTable } from '../agent/task-table.ts'
import { createPoller } from '../lib/poller.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { AnyTask } from '../protocol/task.ts'
import { createPushRegistrations } from '../transports/a2a/push-registrations.ts'
import { a2aRoutes } from '../transports/a2a/server.ts'
import { schemaRoutes } from '../transports/http/schema-routes.ts'
import { taskLifeRoutes } from '../transports/http/task-life-routes.ts'
import { taskRoutes } from '../transports/http/task-routes.ts'
import { mcpRoutes } from '../transports/mcp/server.ts'
import { simulateTask } from './demo/simulate-task.ts'
import type { Area, Parts } from './parts.ts'
import { VERSION } from './version.ts'
import type { CreativeArea } from './wire-creative.ts'
import type { TaskArea } from './wire-tasks.ts'
import type { WebhookArea } from './wire-webhooks.ts'

const SWEEP_MS = 10 * 60 * 1_000

interface AgentTasks {
  tasks: readonly AnyTask[]
  /** What the creative agent says of itself. */
  features: CreativeArea['features']
}

export async function wireAgent(
  parts: Parts,
  { sender, checkPush }: WebhookArea,
  { engine }: TaskArea,
  { tasks: areaTasks, features }: AgentTasks,
): Promise<Area> {
  const { config, log, clock, storage, metrics, publicUrl, lastCall, onFault } = parts
  const timeoutMs = config.callTimeoutSeconds * 1_000
  const identifiers = identifiersFor(config.protocolName)
  const tasks: AnyTask[] = [
    ...areaTasks,
    ...engine.tasks,
    ...(config.demo
      ? [simulateTask(engine, { inlineWaitMs: Math.min(config.inlineWaitMs, timeoutMs / 2) })]
      : []),
    ...(typeof parts.moreTasks === 'function' ? parts.moreTasks(engine) : parts.moreTasks),
  ]
  const makesVideos = async () => (await parts.encoder()) !== undefined
  const { impairmentWindowSeconds } = config
  const about = { identifiers, tasks: () => tasks, buildVersion: VERSION, makesVideos }
  tasks.push(getAgentCapabilities({ ...about, creative: features, impairmentWindowSeconds }))
  // One server serves a data folder at a time: whoever was called there before has no call under way.
  if (storage.database.dialect === 'sqlite') await storage.transact(storage.idempotency.releaseAll)
  const known = { byKeyHash: parts.keyUse.watched(storage.principals.byKeyHash) }
  const principals = config.demo ? known : refusingDemo(known)
  const callable = createAgent({
    tasks: createTaskTable(tasks, identifiers),
    identifiers,
    transact: storage.transact,
    principals,
    idempotency: storage.idempotency,
    idempotencyLeaseMs: config.taskLeaseSeconds * 1_000,
    rateLimit: createRateLimit({ clock, perMinute: config.tasksPerMinute }),
    timeoutMs,
    checkPush,
    onCall: (record) => {
      metrics.called(record)
      log.info(record, 'task')
    },
    onFault: (error, { task, wire }) => log.error({ err: error, task, wire }, 'a task failed'),
  })
  await tellOfDemo(parts)
  const agent = stopCalls(callable, { lastCall, identifiers })
  const sweep = createPoller({
    intervalMs: SWEEP_MS,
    onFault,
    round: async () => {
      let swept = 0
      for (const store of [storage.idempotency, storage.a2aTasks]) {
        swept += await storage.transact((tx) => store.sweep(tx))
      }
      return swept > 0
    },
  })
  return {
    routes: [
      taskRoutes(agent, identifiers),
      taskLifeRoutes(agent, identifiers),
      schemaRoutes(agent.tasks, publicUrl),
      mcpRoutes(agent, { name: 'adwire', version: VERSION }),
      a2aRoutes(agent, {
        identity: { name: 'Adwire', version: VERSION },
        identifiers,
        publicUrl,
        transact: storage.transact,
        tasks: storage.a2aTasks,
        push: createPushRegistrations({
          transact: storage.transact,
          channels: storage.channels,
          check: sender.check,
        }),
        cancelWork: async (key) => {
          await engine.cancel(key, { evenUntold: true }).catch(ignoreRefusal)
        },
        clock,
        timeoutMs,
        onFault,
      }),
    ],
    workers: [sweep],
  }
}

/** Says that a key which was good before is not, to whoever wonders. */
async function tellOfDemo({ config, log, storage }: Parts): Promise<void> {
  if (config.demo) return
  for (const { principal_id, revoked_at } of await storage.principals.list({ onlyDemo: true })) {
    if (revoked_at !== null) continue
    const how = `adwire principals revoke ${principal_id} ends it for good`
    log.warn({ principal_id }, `the key of the demo is refused without --demo: ${how}`)
  }
}

/** There may be no work behind it, or it has ended: then there is nothing to cancel. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProtocolError)) throw error
}
