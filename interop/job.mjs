// One job of a run, in a thread of its own: the SDK keeps its connections for a whole process and closes all of them when a
// storyboard ends, those of other jobs as well.
import { parentPort, workerData } from 'node:worker_threads'
import { checkAnswers } from './answers.mjs'
import { callWithClient } from './client.mjs'
import { fuzz } from './fuzz.mjs'
import { checkRegistry, methodTable } from './registry/index.mjs'
import { report } from './report.mjs'
import { startServers } from './servers.mjs'
import { gradeSigning } from './signing.mjs'
import { runStockCommand } from './stock-command.mjs'
import { runStoryboards } from './storyboards.mjs'
import { verifyWebhooks } from './webhooks.mjs'

const ANSWERS = 'Every answer by its schema'
const { world, only, database, transport } = workerData
const isWhole = only.length === 0
parentPort.postMessage(database === undefined ? await alone() : await onServers())

async function onServers() {
  const name = `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL, two instances'}, ${transport.toUpperCase()}`
  const onResult = (result) => report(result, name)
  const servers = await startServers({ ...world, database })
  const on = { url: servers.urls[0], urls: servers.urls, keys: servers.keys, transport }
  try {
    const results = await runStoryboards({ ...on, only, onResult })
    const others = isWhole ? await programs(on, onResult) : []
    const checked = isWhole && database === 'sqlite' && transport === 'mcp' ? await answers(on) : []
    return [
      { name, results },
      { name: `${name}, programs`, results: others },
      { name: ANSWERS, results: checked },
    ]
  } finally {
    await servers.stop()
  }
}

/** Both transports are tried by it. */
async function answers(on) {
  const results = await checkAnswers(on)
  for (const one of results) report(one, ANSWERS)
  return results
}

/** What starts servers of its own. */
async function alone() {
  const runs = [
    { name: 'Signed requests', results: await gradeSigning(world) },
    { name: 'Registry', results: await checkRegistry() },
    { name: 'Stock command', results: await runStockCommand() },
  ]
  for (const { name, results } of runs) for (const one of results) report(one, name)
  console.log('RegistryClient, method by method:')
  console.table(methodTable())
  return runs
}

async function programs(on, onResult) {
  const results = [await callWithClient(on), await fuzz(on)]
  if (on.transport === 'mcp') results.push(await verifyWebhooks(on))
  for (const one of results) onResult(one)
  return results
}
