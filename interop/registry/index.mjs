// The SDK's clients of the registry, method by method, on a demo: not that they return, but that what they return is right.
import { RegistryClient } from '../sdk.mjs'
import { startDemo } from '../servers.mjs'
import { agentChecks, inventoryChecks } from './agents.mjs'
import { brandChecks } from './brands.mjs'
import { contributionChecks } from './contributions.mjs'
import { publisherChecks } from './publishers.mjs'
import { secondWalk } from './second-walk.mjs'
import { SECOND_SITES } from './second-world.mjs'
import { crawlWorld, startWorld } from './world.mjs'

const GROUPS = { agents: agentChecks, brands: brandChecks }
/** On a server that has crawled the world. */
const CRAWLED = {
  publishers: publisherChecks,
  inventory: inventoryChecks,
  contributions: contributionChecks,
}

/** By method: how often it was called, and how often within a step that passed. */
const counted = new Map()

export async function checkRegistry() {
  const first = await inWorld(undefined, async (crawling) => [
    ...(await checked(GROUPS)),
    ...(await checked(CRAWLED, crawling)),
  ])
  const second = await inWorld(SECOND_SITES, (crawling) =>
    checked({ 'second world': secondWalk }, crawling),
  )
  return [...first, ...second]
}

async function inWorld(sites, check) {
  const world = await startWorld(sites)
  const settings = { ADWIRE_EGRESS_HOSTS: world.egressHosts }
  try {
    return await check({ settings, prepare: (demo) => crawlWorld(demo, sites) })
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
      const calls = []
      const step = async (id, run) => {
        calls.length = 0
        const reason = await run().then(
          () => undefined,
          (error) => String(error),
        )
        count(calls, reason === undefined)
        steps.push(reason ? { id, outcome: 'failed', reason } : { id, outcome: 'passed' })
      }
      await check({ ...demo, step, client: (one) => noting(one, calls) })
      results.push({ id: `registry ${name}`, title: `registry ${name}`, steps })
    }
  } finally {
    await demo.stop()
  }
  return results
}

/** A client that notes the names of the methods that are called. */
function noting(client, calls) {
  return new Proxy(client, {
    get: (target, name) => {
      const member = target[name]
      if (typeof member !== 'function') return member
      return (...args) => {
        calls.push(name)
        return member.apply(target, args)
      }
    },
  })
}

function count(methods, isRight) {
  for (const method of methods) {
    const { calls, right } = counted.get(method) ?? { calls: 0, right: 0 }
    counted.set(method, { calls: calls + 1, right: right + (isRight ? 1 : 0) })
  }
}

/** The methods of the client that were called, and those that were not. */
export function methodTable() {
  const inherited = Object.getOwnPropertyNames(RegistryClient.prototype)
  const HELPERS = ['constructor', 'get', 'post', 'getHeaders', 'parseJson', 'buildParams']
  const all = inherited.filter((name) => !HELPERS.includes(name))
  return all.map((method) => ({ method, ...(counted.get(method) ?? { calls: 0, right: 0 }) }))
}

// `node interop/registry/index.mjs` runs these alone, on what was built.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  const steps = (await checkRegistry()).flatMap((group) => group.steps)
  for (const { id, outcome, reason = '' } of steps) console.log(outcome, id, reason)
  console.table(methodTable())
  process.exit(steps.every(({ outcome }) => outcome === 'passed') ? 0 : 1)
}
