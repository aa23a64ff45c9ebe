// `npm run interop`: see docs/interop.md. With words after it only the storyboards of these ids are run, on SQLite.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const HERE = new URL('./', import.meta.url).pathname
const SDK = new URL('./node_modules/@adcp/sdk/package.json', import.meta.url)
if (!existsSync(SDK)) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HERE, stdio: 'inherit' })
}
// Not before they can be found.
const { startFixtureServer } = await import('./fixture-server.mjs')
const { unknownFailures, writePage } = await import('./report.mjs')

const only = process.argv.slice(2)
const { stop, ...world } = await startFixtureServer()
const isWhole = only.length === 0
const databases = isWhole ? ['sqlite', 'postgres'] : ['sqlite']
const jobs = databases.flatMap((database) =>
  ['mcp', 'a2a'].map((transport) => ({ database, transport })),
)
if (isWhole) jobs.push({})
// Most of a run is waiting for webhooks that shall not come.
const AT_ONCE = 3
const done = new Array(jobs.length)
const queue = [...jobs.entries()]
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, job] = next
      done[index] = await run({ world, only, ...job })
    }
  }),
)
await stop()
const runs = done.flat().filter(({ results }) => results.length > 0)

const failures = unknownFailures(runs)
if (isWhole) writePage(runs, { sdk: JSON.parse(readFileSync(SDK, 'utf8')).version })
console.log(
  failures.length === 0 ? 'no failure' : `${failures.length} failed:\n${failures.join('\n')}`,
)
process.exit(failures.length === 0 ? 0 : 1)

function run(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./job.mjs', import.meta.url), { workerData })
    worker.once('message', (results) => {
      resolve(results)
      worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a job ended without a result')))
  })
}
