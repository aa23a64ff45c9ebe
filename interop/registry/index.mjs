// The SDK's clients of the registry, method by method, on a demo: not that they return, but that what they return is right.
import { startDemo } from '../servers.mjs'
import { agentChecks, inventoryChecks } from './agents.mjs'
import { brandChecks } from './brands.mjs'
import { contributionChecks } from './contributions.mjs'
import { publisherChecks } from './publishers.mjs'
import { crawlWorld, startWorld } from './world.mjs'

const GROUPS = { agents: agentChecks, brands: brandChecks }
/** On a server that has crawled the world. */
const CRAWLED = {
  publishers: publisherChecks,
  inventory: inventoryChecks,
  contributions: contributionChecks,
}

export async function checkRegistry() {
  const world = await startWorld()
  try {
    const crawling = { settings: { ADWIRE_EGRESS_HOSTS: world.egressHosts }, prepare: crawlWorld }
    return [...(await checked(GROUPS)), ...(await checked(CRAWLED, crawling))]
  } finally {
    await world.stop()
  }
}

async function checked(groups, { settings = {}, prepare = async () => {} } = {}) {
  const demo = await startDemo({ settings })
  const results = []
  try {
    await prepare(demo)
    for (const [name, check] of Object.entries(groups)) {
      const steps = []
      const step = async (id, run) => {
        const reason = await run().then(
          () => undefined,
          (error) => String(error),
        )
        steps.push(reason ? { id, outcome: 'failed', reason } : { id, outcome: 'passed' })
      }
      await check({ ...demo, step })
      results.push({ id: `registry ${name}`, title: `registry ${name}`, steps })
    }
  } finally {
    await demo.stop()
  }
  return results
}

// `node interop/registry/index.mjs` runs these alone, on what was built.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  const steps = (await checkRegistry()).flatMap((group) => group.steps)
  for (const { id, outcome, reason = '' } of steps) console.log(outcome, id, reason)
  process.exit(steps.every(({ outcome }) => outcome === 'passed') ? 0 : 1)
}
