// A seller notifies a buyer of four activations while the buyer's process is killed and started again.
// In the end every activation has had its effect at the buyer exactly once.
//
//   npm run build && node examples/seller-and-buyer/run.mjs

import { strict as assert } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openReceiverStorage, sqlOf } from 'adwire/receiver'
import { startSeller } from './seller.mjs'

const place = mkdtempSync(join(tmpdir(), 'seller-and-buyer-'))
const port = await freePort()
const seller = await startSeller(join(place, 'seller'))
const tasks = ['task-1', 'task-2', 'task-3', 'task-4']
const complete = (task_id) =>
  seller.change(task_id, 'completed', { activation_key: `key of ${task_id}` })

let buyer = await startBuyer()
for (const task_id of tasks) {
  const url = `http://127.0.0.1:${port}/hooks/signals`
  await seller.activate(task_id, { url, operation_id: `activate:${task_id}` })
  await seller.change(task_id, 'working', { percentage: 50 })
}
await complete('task-1')
await until(seller.isDone)

// The buyer has acknowledged all of it, and perhaps not applied all of it.
buyer.kill('SIGKILL')
await once(buyer, 'exit')
console.log('the buyer was killed')
await complete('task-2')
await complete('task-3')

buyer = await startBuyer()
await complete('task-4')
await until(seller.isDone)
await until(async () => (await stats()).every(({ waiting }) => waiting === 0))
buyer.kill('SIGTERM')
await once(buyer, 'exit')

const effects = await ask("SELECT * FROM activations WHERE status = 'completed' ORDER BY task_id")
assert.deepEqual(
  effects.map(({ task_id, activation_key }) => [task_id, activation_key]),
  tasks.map((task_id) => [task_id, `key of ${task_id}`]),
)
const twice = 'SELECT task_id FROM activations GROUP BY task_id, status HAVING count(*) > 1'
assert.deepEqual(await ask(twice), [])
console.log(`every activation had its effect exactly once: ${tasks.join(', ')}`)

await seller.stop()
rmSync(place, { recursive: true })

async function startBuyer() {
  const program = fileURLToPath(new URL('buyer.mjs', import.meta.url))
  const args = [program, join(place, 'buyer'), String(port), seller.agentUrl]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  console.log('the buyer listens')
  return child
}

/** Looks into the buyer's database, beside its process. */
async function ask(sql) {
  const storage = await openReceiverStorage({ dataDir: join(place, 'buyer') })
  const rows = await storage.transact((tx) => sqlOf(tx).all(sql))
  await storage.close()
  return rows
}

function stats() {
  return ask("SELECT count(*) AS waiting FROM webhook_inbox WHERE state IN ('pending', 'leased')")
}

async function until(isSo) {
  for (let tries = 0; !(await isSo()); tries++) {
    assert(tries < 300, 'it took longer than 30 seconds')
    await sleep(100)
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
