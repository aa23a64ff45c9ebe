// get_signals and activate_signal on a database of their own, with a catalogue in memory, a fake clock and
// connectors that the test decides.

import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { checkAnswer } from '../../src/protocol/schemas/envelope.ts'
import type { AnyTask, CallContext } from '../../src/protocol/task.ts'
import type { AccountRule, AgentAccess } from '../../src/signals/access.ts'
import { activateSignal } from '../../src/signals/activate-signal.ts'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { agentConnector } from '../../src/signals/connectors/agent.ts'
import { type Connector, createConnectors } from '../../src/signals/connectors/connector.ts'
import { getSignals, type SearchReport } from '../../src/signals/get-signals.ts'
import { createTakedowns } from '../../src/signals/takedowns.ts'
import { createGrantStore } from '../../src/storage/stores/principals/accounts.ts'
import { createActivationStore } from '../../src/storage/stores/signals/activations.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { createTaskEngine } from '../../src/tasks/task-engine.ts'
import { testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { memorySignals, naiveSearch } from '../support/memory-signals.ts'
import { callBy, recordingEvents } from '../tasks/task-harness.ts'

export type Json = Record<string, unknown>
const NAMES = identifiersFor('proto')
export const PUBLIC_URL = 'https://ads.example'

export interface HarnessOptions {
  signals?: readonly CatalogueSignal[]
  platforms?: Record<string, Connector>
  agentAccess?: AgentAccess
  accounts?: AccountRule
  inlineWaitMs?: number
}

export async function signalsHarness(options: HarnessOptions = {}) {
  const clock = fakeClock()
  const { database, drop } = await testDatabase('sqlite', { clock })
  const { transact, onWake } = database
  const signals = memorySignals(...(options.signals ?? []))
  const activations = createActivationStore(database)
  const grants = createGrantStore(database)
  const agentAccess = options.agentAccess ?? { access: 'open', principals: [] }
  const recorded = recordingEvents()
  const searches: SearchReport[] = []
  const settled: string[] = []
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  const connectors = createConnectors({ platforms: options.platforms ?? {}, agent: agentConnector })
  const tasks = createTaskStore(database)
  const engineOf = () =>
    createTaskEngine({
      transact,
      onWake,
      tasks,
      events: recorded.events,
      clock,
      pollMs: 10,
      onFault,
      backoff: { firstMs: 1, maxMs: 1 },
    })
  const engine = engineOf()
  const { accounts } = options
  const common = { agentAccess, accounts, signals, activations, grants, clock }
  const get = getSignals({
    ...common,
    search: naiveSearch(signals.all),
    publicUrl: () => PUBLIC_URL,
    onSearch: (report) => searches.push(report),
  })
  const activate = activateSignal(
    {
      ...common,
      connectors,
      retry: { calls: 3, firstMs: 1, maxMs: 1 },
      onSettled: (outcome) => settled.push(outcome),
    },
    engine,
    { inlineWaitMs: options.inlineWaitMs ?? 60_000 },
  )
  const takedowns = createTakedowns({ transact, activations, connectors, onFault, pollMs: 5 })
  return {
    clock,
    database,
    signals,
    activations,
    grants,
    recorded,
    engine,
    tasks,
    takedowns,
    searches,
    settled,
    faults,
    get: (request: Json, call: CallContext = callBy('alice')) => called(get, request, call),
    activate: (request: Json, call: CallContext = callBy('alice')) =>
      called(activate, request, call),
    grant: (principalId: string, platform: string, account: string) =>
      transact((tx) => grants.grant(tx, principalId, { platform, account })),
    close: async () => {
      await engine.runner.stop()
      await takedowns.stop()
      await drop()
    },
  }
}

/** The answer's body, which must be one that the task promises. */
async function called(task: AnyTask, request: Json, call: CallContext): Promise<Json> {
  const refusal = task.refusedTo?.(call.principal)
  if (refusal) throw refusal
  const parsed = task.request.parse(request)
  const response = (await task.handle(parsed, call)) as Json
  const body = { status: 'completed', ...response }
  const issues = checkAnswer(task.response, JSON.parse(JSON.stringify(body)), NAMES)
  if (issues.length > 0) throw new Error(`the answer is no answer: ${JSON.stringify(issues)}`)
  return body
}

export function nobody(): CallContext {
  return callBy('nobody', { principal: undefined })
}
