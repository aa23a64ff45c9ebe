// `npm run interop`: see docs/interop.md. With words after it only the storyboards of these ids are run, on SQLite.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const HERE = new URL('./', import.meta.url).pathname
const SDK = new URL('./node_modules/@adcp/sdk/package.json', import.meta.url)
if (!existsSync(SDK)) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' })
}
// Not before they can be found.
const { startFixtureServer } = await import('./fixture-server.mjs')
const { startServers } = await import('./servers.mjs')
const { runStoryboards } = await import('./storyboards.mjs')
const { callWithClient } = await import('./client.mjs')
const { verifyWebhooks } = await import('./webhooks.mjs')
const { fuzz } = await import('./fuzz.mjs')
const { judgeAnswers } = await import('./answers.mjs')
const { gradeSigning } = await import('./signing.mjs')
const { tell, unknownFailures, writePage } = await import('./report.mjs')

const ANSWERS = 'Every answer by its schema'
const only = process.argv.slice(2)
const world = await startFixtureServer()
const isWhole = only.length === 0
const databases = isWhole ? ['sqlite', 'postgres'] : ['sqlite']
const jobs = databases.flatMap((database) => ['mcp', 'a2a'].map((wire) => run(database, wire)))
if (isWhole) jobs.push(signedRequests)
// Most of a run is waiting for webhooks that shall not come.
const AT_ONCE = 3
const done = new Array(jobs.length)
const queue = jobs.map((job, index) => async () => {
  done[index] = await job()
})
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next()
  }),
)
await world.stop()
const runs = done.flat().filter(({ results }) => results.length > 0)

const failures = unknownFailures(runs)
if (isWhole) writePage(runs, { sdk: JSON.parse(readFileSync(SDK, 'utf8')).version })
console.log(
  failures.length === 0 ? 'no failure' : `${failures.length} failed:\n${failures.join('\n')}`,
)
process.exit(failures.length === 0 ? 0 : 1)

function run(database, wire) {
  const name = `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL, two instances'}, ${wire.toUpperCase()}`
  const onResult = (result) => tell(result, name)
  return async () => {
    const servers = await startServers({ ...world, database })
    const on = { url: servers.urls[0], urls: servers.urls, keys: servers.keys, wire }
    try {
      const results = await runStoryboards({ ...on, only, onResult })
      const others = isWhole ? await programs(on, onResult) : []
      const judged = isWhole && database === 'sqlite' && wire === 'mcp' ? await answers(on) : []
      return [
        { name, results },
        { name: `${name}, programs`, results: others },
        { name: ANSWERS, results: judged },
      ]
    } finally {
      await servers.stop()
    }
  }
}

/** Both wires are tried by it. */
async function answers(on) {
  const results = await judgeAnswers(on)
  for (const one of results) tell(one, ANSWERS)
  return results
}

async function signedRequests() {
  const name = 'Signed requests'
  const results = await gradeSigning(world)
  for (const one of results) tell(one, name)
  return [{ name, results }]
}

async function programs(on, onResult) {
  const results = [await callWithClient(on), await fuzz(on)]
  if (on.wire === 'mcp') results.push(await verifyWebhooks(on))
  for (const one of results) onResult(one)
  return results
}
