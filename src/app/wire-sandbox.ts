// The sandbox: its test controller, the tasks whose answers it can force, and the key that is printed.

import { createPrincipal } from '../agent/principals.ts'
import { capabilitiesOf } from '../creative/canonical/capabilities.ts'
import { listCreativeFormats } from '../creative/list-creative-formats.ts'
import { describeApiKey, hashApiKey } from '../lib/api-key.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { checkAnswer } from '../protocol/schemas/envelope.ts'
import type { AnyTask } from '../protocol/task.ts'
import { armScenarios, withArms } from '../sandbox/arms.ts'
import { complyTestController } from '../sandbox/comply-test-controller.ts'
import { forceAccountStatus } from '../sandbox/force-account-status.ts'
import { forceCreativeScenarios } from '../sandbox/force-creative-status.ts'
import { forceMediaBuyStatus } from '../sandbox/force-media-buy-status.ts'
import { type CompletionPorts, forceTaskCompletion } from '../sandbox/force-task-completion.ts'
import type { AnyScenario } from '../sandbox/scenario.ts'
import { accountSeed } from '../sandbox/seed-accounts.ts'
import { creativeSeed } from '../sandbox/seed-creatives.ts'
import { mediaBuySeed } from '../sandbox/seed-media-buys.ts'
import { productSeeds } from '../sandbox/seed-products.ts'
import { seedScenario } from '../sandbox/seeds.ts'
import { simulationScenarios } from '../sandbox/simulated-delivery.ts'
import { withTestAccounts } from '../sandbox/test-accounts.ts'
import type { Config } from './config.ts'
import { catalogueOf } from './load-formats.ts'
import type { Parts } from './parts.ts'
import type { Sandbox } from './sandbox/open-sandbox.ts'
import { platformRoutes } from './sandbox/platform-routes.ts'
import type { CreativeArea } from './wire-creative.ts'
import type { MediaBuyArea } from './wire-media-buys.ts'
import type { TaskArea } from './wire-tasks.ts'

export interface SandboxArea {
  /** All tasks of the server, as a sandbox serves them. */
  tasks: readonly AnyTask[]
  routes: readonly (typeof platformRoutes)[]
  /** The names of its scenarios. */
  scenarios: readonly string[]
}

interface SandboxOf {
  /** With the stores that are watched. */
  parts: Parts
  tasks: TaskArea
  creative: CreativeArea
  buys: MediaBuyArea
  /** What the other areas serve. */
  served: readonly AnyTask[]
}

/** Without --sandbox none of this exists. */
export function wireSandbox({ parts, served, ...areas }: SandboxOf): SandboxArea {
  const { sandbox } = parts
  if (!sandbox) return { tasks: served, routes: [], scenarios: [] }
  const { storage, publicUrl, config, onFault } = parts
  const { transact, sandboxNotes: notes, buyerAccounts: accounts } = storage
  const arms = { ...areas.tasks.changes, transact, notes }
  const forced = withTestAccounts(withArms(served, arms), {
    transact,
    notes,
    accounts,
    formatsOf: sandbox.formats.of,
    listFormats: (catalogue) =>
      listCreativeFormats({
        catalogue,
        publicUrl,
        ownAgentUrls: config.formatAgentUrls,
        creativeAgents: [],
      }),
  })
  const scenarios = scenariosOf(sandbox, { parts, served, ...areas })
  return {
    tasks: [...forced, complyTestController({ scenarios, onFault })].map(sandbox.formats.calledBy),
    routes: [platformRoutes],
    scenarios: scenarios.map(({ name }) => name),
  }
}

function scenariosOf(
  sandbox: Sandbox,
  { parts, tasks, creative, buys, served }: SandboxOf,
): AnyScenario[] {
  const { storage, publicUrl } = parts
  const { transact, sandboxNotes: notes, buyerAccounts: accounts, creatives: library } = storage
  const { findFormat, kindFormat } = creative
  const changes = { ...tasks.changes, transact }
  const seeds = [
    accountSeed({ accounts, notes }),
    ...productSeeds({ ...storage, capabilities: capabilitiesOf(catalogueOf(parts)).all }),
    creativeSeed({
      library,
      findFormat,
      kindFormat,
      publicUrl,
      seedUnknown: sandbox.formats.seedUnknown(findFormat),
    }),
    mediaBuySeed({ ...buys.changes, accounts }),
    sandbox.formats.seed,
  ]
  return [
    ...forceCreativeScenarios({ transact, library, onAssigned: buys.onAssigned }),
    forceAccountStatus({ ...storage, accounts }),
    forceMediaBuyStatus({ ...buys.changes, transact }),
    ...armScenarios({ ...changes, notes }),
    forceTaskCompletion({ ...changes, faultsOf: faultsIn(served, parts.config) }),
    ...simulationScenarios({ transact, notes, buys: storage.mediaBuys }),
    ...seeds.map((seed) => seedScenario(seed, { transact, notes })),
    sandbox.traffic.scenario,
  ]
}

/** How answers of tasks are validated, by the name of the task. */
function faultsIn(
  served: readonly AnyTask[],
  { protocolName }: Pick<Config, 'protocolName'>,
): CompletionPorts['faultsOf'] {
  const names = identifiersFor(protocolName)
  return (name, answer) => {
    const task = served.find((one) => one.name === name)
    return task ? checkAnswer(task.response, answer, names) : []
  }
}

/** The scenarios that 3.0 has a name for. */
export const FIRST_SCENARIOS = [
  'force_creative_status',
  'force_account_status',
  'force_media_buy_status',
  'simulate_delivery',
  'simulate_budget_spend',
]

/** A principal whose key is printed: the one of the settings, or else a new one. */
export async function sandboxKeyOf({ config, storage }: Pick<Parts, 'config' | 'storage'>) {
  const { sandboxKey } = config
  if (sandboxKey !== undefined) {
    const known = await storage.principals.byKeyHash(hashApiKey(sandboxKey))
    if (known?.is_sandbox) return sandboxKey
  }
  const key = sandboxKey === undefined ? {} : { key: describeApiKey(sandboxKey).key }
  const created = await createPrincipal(storage, { name: 'Sandbox', isSandbox: true, ...key })
  if (created.ok) return created.key
  // Another instance may have made it at the same moment.
  if (sandboxKey !== undefined) return sandboxKey
  throw new Error(`the sandbox: ${created.message}`)
}
