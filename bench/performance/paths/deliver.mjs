// Webhooks from commit to delivery, beside the shortest sender with the same guarantees, against the same sink.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer, stopServer } from '../../support/processes.mjs'
import { openDatabases } from '../databases.mjs'
import { inRounds } from '../rounds.mjs'
import { KEYS } from '../webhooks.mjs'

const SEND = fileURLToPath(new URL('../processes/send.mjs', import.meta.url))
const SINK = fileURLToPath(new URL('../../support/bare-sink.mjs', import.meta.url))
const IN_FLIGHT = 64

export async function measure({ isQuick }) {
  const sink = await startServer([SINK])
  const url = `http://${sink.host}:${sink.port}/hooks/bench`
  const rows = []
  for (const name of ['SQLite', 'PostgreSQL']) {
    const databases = await openDatabases(name)
    const way = (side) => () => send({ side, url, databases, count: isQuick ? 1_500 : 10_000 })
    const found = await inRounds({ own: way('own'), base: way('minimum') }, isQuick ? 1 : 3)
    rows.push({
      path: `deliver a webhook, ${name}`,
      baseline: 'minimal sender',
      aim: 0.6,
      by: 'rate',
      ...found,
    })
    await databases.close()
  }
  await stopServer(sink)
  return rows
}

async function send({ side, url, databases, count }) {
  const where = await databases.fresh()
  const { privateJwk } = KEYS
  const before = databases.cpuMs()
  const given = { side, url, count, inFlight: IN_FLIGHT, privateJwk, ...where }
  const { stdout } = await promisify(execFile)(process.execPath, [SEND, JSON.stringify(given)])
  const { rate, cpuUs } = JSON.parse(stdout)
  return { rate, cpuUs: cpuUs + ((databases.cpuMs() - before) * 1_000) / count }
}
