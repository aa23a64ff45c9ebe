// The console: its sessions, its views, what notifies open screens of changes, and the files of its app.

import { fileURLToPath } from 'node:url'
import { goodPrincipals } from '../agent/principals.ts'
import { createChanges } from '../console/changes.ts'
import { type ConsolePorts, consoleHandlers } from '../console/console.ts'
import { CONSOLE_LIMITS } from '../console/limits.ts'
import { createRefusedAttempts } from '../console/refused-attempts.ts'
import { createSessions, type KeyOwner } from '../console/sessions.ts'
import { sameAgentUrl } from '../key-discovery/agent-url.ts'
import { keysById } from '../key-discovery/key-set.ts'
import { createSenderKeys } from '../key-discovery/sender-keys.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { apiRoutes } from '../transports/http/console/api-routes.ts'
import { readAppFiles } from '../transports/http/console/app-files.ts'
import { appRoutes } from '../transports/http/console/app-routes.ts'
import { eventRoutes } from '../transports/http/console/event-routes.ts'
import { importRoutes } from '../transports/http/console/import-routes.ts'
import { addTestEvent } from '../webhooks/sender/test-event.ts'
import { channelBox } from './channel-box.ts'
import { consoleAgents } from './console-agents.ts'
import { consoleBuys } from './console-buys.ts'
import { consoleDoctor } from './console-doctor.ts'
import { consoleLinks, keyViewPorts, linkAreaRoutes } from './console-keys.ts'
import { consoleOperations } from './console-operations.ts'
import { consoleRegistry } from './console-registry.ts'
import { consoleSignIn } from './console-sign-in.ts'
import { type ConsoleSignalAreas, consoleImports, consoleSignals } from './console-signals.ts'
import { type StudioAreas, studioPorts } from './console-studio.ts'
import { offersDemo } from './demo/offers-demo.ts'
import type { Area, Parts } from './parts.ts'
import type { AgentArea } from './wire-agent.ts'
import type { TaskArea } from './wire-tasks.ts'

const SWEEP_MS = 10 * 60 * 1_000
const LOOKUPS_PER_MINUTE = 30

/** What the views need of other areas. */
interface ConsoleAreas extends Pick<TaskArea, 'engine'>, ConsoleSignalAreas {
  studio: StudioAreas
  ring: KeyRing
  agent: AgentArea['agent']
  urls: AgentArea['urls']
}

export async function wireConsole(
  parts: Parts,
  areas: ConsoleAreas,
  demoKey: () => string | undefined,
): Promise<Area> {
  const { config, clock, storage, publicUrl, stopping, onFault } = parts
  if (!config.console) return { routes: [], workers: [] }
  const known = { byKeyHash: parts.keyUse.watched(storage.principals.byKeyHash) }
  const people = await consoleSignIn(parts)
  const { consoleSessions, consoleAudit: audit, consoleQueries: queries } = storage
  const keyOwner = keyOwnerOf(storage)
  const sessions = createSessions({
    transact: storage.transact,
    sessions: consoleSessions,
    audit,
    clock,
    demoKey,
    principals: { ...goodPrincipals(known, config), get: storage.principals.get },
    keyOwner,
    keys: config.consoleKeys,
    ...people?.sessionPorts,
  })
  const refusedAttempts = createRefusedAttempts({
    transact: storage.transact,
    audit,
    clock,
    onFault,
  })
  const refused = refusedAttempts.record
  const gate = {
    sessions,
    publicUrl,
    offersDemo: offersDemo(config, publicUrl),
    hasProvider: people !== undefined,
    refused,
    keyOwner,
  }
  const links = consoleLinks(parts)
  const changes = createChanges({ fingerprints: queries.fingerprints, later, onFault })
  const others = consoleAgents(parts, demoKey)
  const examining = consoleDoctor(parts, { ...others, ring: areas.ring })
  return {
    routes: [
      eventRoutes({ ...gate, changes, stopping, onFault }),
      importRoutes({ ...gate, imports: consoleImports(parts), stopping, onFault }),
      apiRoutes({
        ...gate,
        isDemo: config.demo,
        onUnreadable: onFault,
        signIns: createRateLimit({ clock, perMinute: CONSOLE_LIMITS.signInsPerMinute.value }),
        handlers: await handlersOf(parts, areas, {
          agents: others.agents,
          ...examining,
          ...keyViewPorts(parts, links),
        }),
      }),
      ...(people?.routes({ sessions, refused }) ?? []),
      ...linkAreaRoutes(parts, areas, { links, refused }),
      appRoutes(readAppFiles(APP_FOLDERS), publicUrl),
    ],
    workers: [sweeper(parts), refusedAttempts, { start: () => {}, stop: others.close }],
  }
}

/** Next to this file once built; when run from source, the folder of the last build. */
const APP_FOLDERS = ['../console/', '../../dist/console/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)

async function handlersOf(
  parts: Parts,
  areas: ConsoleAreas,
  others: Pick<ConsolePorts, 'agents' | 'doctor' | 'hasSigningKey'> &
    ReturnType<typeof keyViewPorts>,
) {
  const { engine, studio } = areas
  const { config, clock, storage, egress, onFault } = parts
  const box = await channelBox(config, storage)
  const { consoleQueries: queries, outbox } = storage
  return consoleHandlers({
    ...others,
    onFault,
    agentCalls: createRateLimit({ clock, perMinute: CONSOLE_LIMITS.agentCallsPerMinute.value }),
    clock,
    queries,
    outbox,
    audit: storage.consoleAudit,
    transact: storage.transact,
    ...(await consoleBuys(parts)),
    ...consoleRegistry(parts),
    outboxOperations: storage.outboxOperations,
    tasks: storage.tasks,
    approvals: storage.approvals,
    reports: storage.reports,
    names: storage.principalQueries.names,
    cancelTask: engine.cancelIn,
    ...consoleOperations(parts),
    addTestEvent: async (tx, of) => {
      const channel = await queries.liveChannel(of, await tx.now())
      return channel && addTestEvent({ outbox, box, onFault }, tx, channel)
    },
    ...consoleSignals(parts, areas),
    studio: studioPorts(parts, studio),
    principals: storage.principals,
    sessions: storage.consoleSessions,
    identifiers: identifiersFor(config.protocolName),
    lookups: createRateLimit({ clock, perMinute: LOOKUPS_PER_MINUTE }),
    sellerKeys: async (url, report) => {
      const agentUrl = sameAgentUrl(url)
      const log = { warn: (_fields: object, message: string) => report(message) }
      try {
        const keys = createSenderKeys({ sellers: [{ agentUrl }], egress, clock, log })
        const loaded = await keys.keySet(agentUrl)
        if (loaded.ok) return loaded.value
        report(loaded.reason)
      } catch (error) {
        // An address that is none.
        if (!(error instanceof TypeError)) throw error
        report('This is no URL of a seller’s agent.')
      }
      return keysById([])
    },
  })
}

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Whose key it is or was. */
function keyOwnerOf({ apiKeys, principals }: Parts['storage']) {
  return async (keyHash: string): Promise<KeyOwner | undefined> => {
    const found = await apiKeys.find('principal', keyHash)
    if (!found) return undefined
    const { key_id, owner_id: principal_id } = found
    const name = (await principals.get(principal_id))?.name ?? principal_id
    return { key_id, principal_id, name }
  }
}

function sweeper({ storage, sweep }: Parts) {
  const { transact, consoleSessions, consoleSignIns, consoleAudit, buyerLinks } = storage
  return sweep({
    name: 'worker: delete ended sessions and links of the console, and old audit entries',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const swept = await transact(async (tx) => {
        const unseenSince = now - CONSOLE_LIMITS.idleSeconds.value * 1_000
        const sessions = await consoleSessions.sweep(tx, { expired: now, unseenSince })
        const before = now - CONSOLE_LIMITS.auditSeconds.value * 1_000
        const ended = now - CONSOLE_LIMITS.endedLinkSeconds.value * 1_000
        const links = await buyerLinks.sweep(tx, { ended })
        const begun = await consoleSignIns.sweep(tx, now)
        const unknown = await consoleAudit.sweepUnknown(tx, CONSOLE_LIMITS.unknownAudit.value)
        return sessions + links + begun + unknown + (await consoleAudit.sweep(tx, before))
      })
      return swept > 0
    },
  })
}
