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

const only = process.argv.slice(2)
const world = await startFixtureServer()
const runs = []
const add = (name, results) => {
  if (results.length > 0) runs.push({ name, results })
}

for (const database of only.length > 0 ? ['sqlite'] : ['sqlite', 'postgres']) {
  for (const wire of ['mcp', 'a2a']) {
    const name = `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL, two instances'}, ${wire.toUpperCase()}`
    console.log(name)
    const servers = await startServers({ ...world, database })
    const on = { url: servers.urls[0], urls: servers.urls, keys: servers.keys, wire }
    try {
      add(name, await runStoryboards({ ...on, only, onResult: tell }))
      if (only.length === 0) add(`${name}, programs`, await programs(on))
      if (only.length === 0 && database === 'sqlite' && wire === 'mcp') await answers(on)
    } finally {
      await servers.stop()
    }
  }
}
if (only.length === 0) {
  console.log('Signed requests')
  const graded = await gradeSigning(world)
  for (const one of graded) tell(one)
  add('Signed requests', graded)
}
await world.stop()

const failures = unknownFailures(runs)
if (only.length === 0) writePage(runs, { sdk: JSON.parse(readFileSync(SDK, 'utf8')).version })
console.log(
  failures.length === 0 ? 'no failure' : `${failures.length} failed:\n${failures.join('\n')}`,
)
process.exit(failures.length === 0 ? 0 : 1)

/** Both wires are tried by it. */
async function answers(on) {
  const results = await judgeAnswers(on)
  for (const one of results) tell(one)
  add('Every answer by its schema', results)
}

async function programs(on) {
  const results = [await callWithClient(on), await fuzz(on)]
  if (on.wire === 'mcp') results.push(await verifyWebhooks(on))
  for (const one of results) tell(one)
  return results
}
