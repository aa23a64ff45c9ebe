// The agent: the table of tasks, and the transports that serve it.

import type { Agent, AgentPorts } from '../agent/agent.ts'
import { createAgent } from '../agent/call.ts'
import { getAgentCapabilities } from '../agent/capabilities.ts'
import { goodPrincipals } from '../agent/principals.ts'
import type { DeclaredSigning } from '../agent/signing-blocks.ts'
import type { SigningPolicy } from '../agent/signing-policy.ts'
import { stopCalls } from '../agent/stop-calls.ts'
import { createTaskTable, type TaskTable } from '../agent/task-table.ts'
import type { CallTask } from '../console/call-task.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { AnyTask } from '../protocol/task.ts'
import { SANDBOX_LIMITS } from '../sandbox/limits.ts'
import { tenantOf } from '../sandbox/tenants.ts'
import { createPushRegistrations } from '../transports/a2a/push-registrations.ts'
import { a2aRoutes } from '../transports/a2a/server.ts'
import { schemaRoutes } from '../transports/http/schema-routes.ts'
import { taskLifeRoutes } from '../transports/http/task-life-routes.ts'
import { taskRoutes } from '../transports/http/task-routes.ts'
import { mcpChallenge, mcpResourceMetadataRoutes } from '../transports/mcp/resource-metadata.ts'
import { mcpRoutes } from '../transports/mcp/server.ts'
import type { SignedUrls } from '../transports/signed-head.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import { callAs } from './call-as.ts'
import { simulateTask } from './demo/simulate-task.ts'
import type { Area, Parts } from './parts.ts'
import { VERSION } from './version.ts'
import type { CreativeArea } from './wire-creative.ts'
import type { MediaBuyArea } from './wire-media-buys.ts'
import { FIRST_SCENARIOS } from './wire-sandbox.ts'
import type { SignalArea } from './wire-signals.ts'
import { declaredSigning, signingPolicy, wireSigning } from './wire-signing.ts'
import type { TaskArea } from './wire-tasks.ts'
import type { WebhookArea } from './wire-webhooks.ts'

const SWEEP_MS = 10 * 60 * 1_000

interface AgentTasks {
  tasks: readonly AnyTask[]
  /** What the creative agent declares about itself. */
  features: CreativeArea['features']
  formats: CreativeArea['formats']
  /** Whose inventory is sold. */
  portfolio: MediaBuyArea['portfolio']
  signals: Pick<SignalArea, 'isAnonymous' | 'dataProviderDomains'>
  /** The scenarios of a sandbox. */
  scenarios: readonly string[]
}

export interface AgentArea extends Area {
  agent: Agent
  /** Calls a task as a principal, without a transport. */
  callTask: CallTask
  /** The URLs that callers may have used when they signed. */
  urls: SignedUrls | undefined
}

/** What its transports need besides its tasks. */
interface AgentServices {
  webhooks: Pick<WebhookArea, 'sender' | 'checkPush'>
  engine: TaskArea['engine']
}

export async function wireAgent(
  parts: Parts,
  { webhooks, engine }: AgentServices,
  area: AgentTasks,
): Promise<AgentArea> {
  const { config, storage, publicUrl, lastCall } = parts
  const identifiers = identifiersFor(config.protocolName)
  const { table, policy } = tableOf(parts, engine, area)
  const { signing, urls, workers } = wireSigning(parts, policy)
  // Only one server uses a data folder at a time: callers of a previous server have no call in progress.
  if (storage.database.dialect === 'sqlite') await storage.transact(storage.idempotency.releaseAll)
  const callable = callableAgent(parts, { tasks: table, signing, checkPush: webhooks.checkPush })
  await describeDemo(parts)
  const authorization = { publicUrl, authorizationServers: config.mcpAuthorizationServers }
  const agent = stopCalls(callable, { lastCall, identifiers })
  return {
    agent,
    callTask: callAs(agent, publicUrl),
    urls,
    routes: [
      taskRoutes(agent, identifiers, urls),
      taskLifeRoutes(agent, identifiers, urls),
      schemaRoutes({ tasks: agent.tasks, identifiers, releases: parts.releases, publicUrl }),
      mcpRoutes(
        agent,
        { name: 'adwire', version: VERSION, outputSchemas: config.mcpOutputSchemas },
        { urls, challenge: () => mcpChallenge(authorization) },
      ),
      mcpResourceMetadataRoutes(authorization),
      a2aRoutes(agent, {
        identity: { name: 'Adwire', version: VERSION },
        identifiers,
        publicUrl,
        urls,
        transact: storage.transact,
        tasks: storage.a2aTasks,
        push: createPushRegistrations({
          transact: storage.transact,
          channels: storage.channels,
          check: webhooks.sender.check,
        }),
        cancelWork: async (key) => {
          await engine.cancel(key, { evenUntold: true }).catch(ignoreRefusal)
        },
        clock: parts.clock,
        timeoutMs: config.callTimeoutSeconds * 1_000,
        onFault: parts.onFault,
      }),
    ],
    workers: [sweeper(parts), ...workers],
  }
}

/** The agent without regard to a stop of the server. */
function callableAgent(
  { config, log, clock, storage, metrics, keyUse, releases }: Parts,
  given: Pick<AgentPorts, 'tasks' | 'signing' | 'checkPush'>,
): Agent {
  const known = { byKeyHash: keyUse.watched(storage.principals.byKeyHash) }
  const newTenants = createRateLimit({ clock, perMinute: SANDBOX_LIMITS.newTenants.value })
  return createAgent({
    ...given,
    identifiers: identifiersFor(config.protocolName),
    transact: storage.transact,
    principals: goodPrincipals(known, config),
    foreignKey: config.sandbox
      ? (key, address) =>
          tenantOf({ ...storage, notes: storage.sandboxNotes, newTenants }, key, address)
      : undefined,
    idempotency: storage.idempotency,
    idempotencyLeaseMs: config.taskLeaseSeconds * 1_000,
    rateLimit: createRateLimit({ clock, perMinute: config.tasksPerMinute }),
    timeoutMs: config.callTimeoutSeconds * 1_000,
    releases,
    onCall: (record) => {
      metrics.called(record)
      log.info(record, 'task')
    },
    onFault: (error, { task, transport }) =>
      log.error({ err: error, task, transport }, 'a task failed'),
  })
}

function sweeper({ storage, sweep }: Parts) {
  return sweep({
    name: 'worker: delete idempotency keys and A2A tasks that are over',
    intervalMs: SWEEP_MS,
    sweep: async () => {
      let swept = 0
      for (const store of [storage.idempotency, storage.a2aTasks]) {
        swept += await storage.transact((tx) => store.sweep(tx))
      }
      return swept > 0
    },
  })
}

/** Every task of this server, including the one that lists the others, and which of them must be signed. */
function tableOf(
  parts: Parts,
  engine: TaskArea['engine'],
  { tasks: areaTasks, features, formats, portfolio, signals, scenarios }: AgentTasks,
): { table: TaskTable; policy: SigningPolicy } {
  const { config } = parts
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
  // The table contains this task itself: it is complete by the time of the first call.
  let declared: DeclaredSigning | undefined
  tasks.push(
    getAgentCapabilities({
      ...about,
      creative: features,
      impairmentWindowSeconds,
      portfolio,
      creativeFormats: formats,
      anonymousSignals: signals.isAnonymous,
      dataProviderDomains: signals.dataProviderDomains,
      releases: parts.releases,
      webhookSigning: { retryHorizonSeconds: HORIZON_MS / 1_000 },
      testing: config.sandbox ? { all: scenarios, ofFirstRelease: FIRST_SCENARIOS } : undefined,
      signing: () => declared,
    }),
  )
  const table = createTaskTable(tasks, identifiers)
  const rules = signingPolicy(config, table)
  declared = declaredSigning(parts, rules)
  return { table, policy: rules.policy }
}

/** Logs a warning that a key which was valid before is now refused. */
async function describeDemo({ config, log, storage }: Parts): Promise<void> {
  if (config.demo) return
  for (const { principal_id, revoked_at } of await storage.principals.list({ onlyDemo: true })) {
    if (revoked_at !== null) continue
    const how = `adwire principals revoke ${principal_id} ends it for good`
    log.warn({ principal_id }, `the key of the demo is refused without --demo: ${how}`)
  }
}

/** There may be no work behind it, or the work has ended: then there is nothing to cancel. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ProtocolError)) throw error
}
