// A fleet on one PostgreSQL where the processor is idle: a TCP proxy adds a delay to every round trip to the database and
// receivers answer after a while, so what is seen is how often senders wait. Deliveries a second of 1, 2, 4 and 8
// instances beside what their receivers allow, and messages to the database for each delivery.
// Flags: --instances N,N --delay MS (of a round trip, default 2) --answer MS (default 50) --in-flight N (default 8)
//   --seconds N (of each figure) --dist FOLDER (another build)
import { fork, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startSlowWire } from './support/slow-wire.mjs'

const INSTANCE = fileURLToPath(new URL('support/fleet-instance.mjs', import.meta.url))
const POSTGRES = fileURLToPath(new URL('../test/support/postgres-process.mjs', import.meta.url))

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: {
      instances: { type: 'string', default: '1,2,4,8' },
      delay: { type: 'string', default: '2' },
      answer: { type: 'string', default: '50' },
      'in-flight': { type: 'string', default: '8' },
      seconds: { type: 'string', default: '8' },
      dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    },
  })
  const [delayMs, answerMs] = [Number(values.delay), Number(values.answer)]
  const inFlight = Number(values['in-flight'])
  console.log(
    `${delayMs} ms for each round trip to PostgreSQL, answers after ${answerMs} ms, ${inFlight} in flight per instance`,
  )
  for (const instances of values.instances.split(',').map(Number)) {
    await measure({
      instances,
      delayMs,
      answerMs,
      inFlight,
      ...values,
      seconds: Number(values.seconds),
    })
  }
}

async function measure({ instances, delayMs, answerMs, inFlight, seconds, dist }) {
  const postgres = await startPostgres()
  const wire = await startSlowWire(postgres.url, delayMs)
  const sink = await startSink(answerMs)
  const allowed = (instances * inFlight * 1_000) / answerMs
  const count = Math.ceil(allowed * seconds)
  const children = []
  try {
    const filled = await startInstance({
      url: postgres.url,
      sink: sink.url,
      inFlight,
      dist,
      fill: count,
    })
    await ended(filled)
    for (let n = 0; n < instances; n++) {
      children.push(await startInstance({ url: wire.url, sink: sink.url, inFlight, dist }))
    }
    const [before, trips] = [sink.received(), wire.messages()]
    for (const child of children) child.send('start')
    // The first second is for connections and for what is not known of the endpoints yet.
    await pause(1_000)
    const [from, fromTrips, startedMs] = [sink.received(), wire.messages(), performance.now()]
    await sink.until(before + count, seconds * 1_000)
    const took = (performance.now() - startedMs) / 1_000
    const made = sink.received() - from
    const rate = made / took
    const each = (wire.messages() - fromTrips) / made
    console.log(
      `${String(instances).padStart(2)} instances ${rate.toFixed(0).padStart(6)}/s of ${allowed.toFixed(0).padStart(5)}: ${(rate / allowed).toFixed(2)}; ${each.toFixed(1)} messages to PostgreSQL for each (${wire.messages() - trips} in all)`,
    )
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await sink.close()
    await wire.close()
    await postgres.stop()
  }
}

function startInstance(options) {
  const child = fork(INSTANCE, [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`an instance ended with ${code}`)))
    child.once('message', () => {
      child.removeAllListeners('exit')
      resolve(child)
    })
  })
}

const ended = (child) =>
  child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : undefined

async function startPostgres() {
  const child = spawn(process.execPath, [POSTGRES, '--durable'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const url = await new Promise((resolve) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  })
  const stop = async () => {
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
  }
  return { url, stop }
}

async function startSink(answerMs) {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      setTimeout(() => {
        count += 1
        response.end('{}')
      }, answerMs)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received: () => count,
    until: async (wanted, mostMs) => {
      const endMs = performance.now() + mostMs
      while (count < wanted && performance.now() < endMs) await pause(10)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
