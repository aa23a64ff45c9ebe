// The agent: the table of tasks, and the wires that serve it.

import { createAgent } from '../agent/call.ts'
import { getAgentCapabilities } from '../agent/capabilities.ts'
import { createTaskTable } from '../agent/task-table.ts'
import { loadCatalogue } from '../creative/format-catalogue.ts'
import { listCreativeFormats } from '../creative/list-creative-formats.ts'
import { createPoller } from '../lib/poller.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { AnyTask } from '../protocol/task.ts'
import { createPushRegistrations } from '../transports/a2a/push-registrations.ts'
import { a2aRoutes } from '../transports/a2a/server.ts'
import { schemaRoutes } from '../transports/http/schema-routes.ts'
import { taskRoutes } from '../transports/http/task-routes.ts'
import { mcpRoutes } from '../transports/mcp/server.ts'
import type { Area, Parts } from './parts.ts'
import { VERSION } from './version.ts'

const SWEEP_MS = 10 * 60 * 1_000

export function wireAgent(parts: Parts): Area {
  const { config, log, clock, storage, metrics, publicUrl, onFault } = parts
  const timeoutMs = config.callTimeoutSeconds * 1_000
  const identifiers = identifiersFor(config.protocolName)
  const tasks: AnyTask[] = [...creativeTasks(parts), ...parts.moreTasks]
  tasks.push(getAgentCapabilities({ identifiers, tasks: () => tasks, buildVersion: VERSION }))
  const agent = createAgent({
    tasks: createTaskTable(tasks, identifiers),
    identifiers,
    transact: storage.transact,
    principals: storage.principals,
    idempotency: storage.idempotency,
    rateLimit: createRateLimit({ clock, perMinute: config.tasksPerMinute }),
    timeoutMs,
    onCall: (record) => {
      metrics.called(record)
      log.info(record, 'task')
    },
    onFault: (error, { task, wire }) => log.error({ err: error, task, wire }, 'a task failed'),
  })
  const sweep = createPoller({
    intervalMs: SWEEP_MS,
    onFault,
    round: async () => {
      for (const store of [storage.idempotency, storage.a2aTasks, storage.pushRegistrations]) {
        await storage.transact((tx) => store.sweep(tx))
      }
      return false
    },
  })
  return {
    routes: [
      taskRoutes(agent, identifiers),
      schemaRoutes(agent.tasks, publicUrl),
      mcpRoutes(agent, { name: 'adwire', version: VERSION }),
      a2aRoutes(agent, {
        identity: { name: 'Adwire', version: VERSION },
        identifiers,
        publicUrl,
        principals: storage.principals,
        transact: storage.transact,
        tasks: storage.a2aTasks,
        push: pushRegistrations(parts),
        clock,
        timeoutMs,
        onFault,
      }),
    ],
    workers: [sweep],
  }
}

function pushRegistrations({ config, storage, egress }: Parts) {
  const { keySecret } = config
  return createPushRegistrations({
    transact: storage.transact,
    registrations: storage.pushRegistrations,
    checkUrl: egress.checkUrl,
    ...(keySecret === undefined ? {} : { box: createSecretBox(keySecret) }),
  })
}

function creativeTasks({ config, publicUrl }: Parts): AnyTask[] {
  const loaded = loadCatalogue({ extraDirs: config.formatsDir })
  if (!loaded.ok)
    throw new Error(`the format catalogue cannot be used: ${loaded.faults.join('; ')}`)
  return [
    listCreativeFormats({
      catalogue: loaded.catalogue,
      publicUrl,
      ownAgentUrls: config.formatAgentUrls,
      creativeAgents: config.creativeAgents,
    }),
  ]
}
