// A receiver that verifies, stores, answers and applies once, beside the shortest one with the same guarantees.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createMinimalSigner } from '../../minima/signing.mjs'
import { load } from '../../support/load.mjs'
import { CLI, cpuMs, startServer, stopServer } from '../../support/processes.mjs'
import { flagsOf, openDatabases } from '../databases.mjs'
import { inRounds } from '../rounds.mjs'
import { AGENT, KEYS, webhookBody } from '../webhooks.mjs'

const MINIMUM = fileURLToPath(new URL('../../minima/receiver.mjs', import.meta.url))
const CONNECTIONS = 64

export async function measure({ isQuick }) {
  const keys = await serveKeys()
  const rows = []
  for (const name of ['SQLite', 'PostgreSQL']) {
    const databases = await openDatabases(name)
    const own = await startOwn(await databases.fresh(), keys.url)
    const minimum = await startMinimum(await databases.fresh())
    const count = isQuick ? 1_500 : 10_000
    const way = (server) => () => receive({ server, databases, count })
    const found = await inRounds({ own: way(own), base: way(minimum) }, isQuick ? 1 : 3)
    rows.push({
      path: `receive a webhook, ${name}`,
      baseline: 'minimal receiver',
      aim: 0.6,
      by: 'rate',
      ...found,
    })
    await stopServer(own)
    await stopServer(minimum)
    await databases.close()
  }
  keys.close()
  return rows
}

function startOwn(where, jwksUrl) {
  const flags = ['--port', '0', '--trust', `${AGENT}=${jwksUrl}`, ...flagsOf(where)]
  return startServer([CLI, 'receive', ...flags])
}

function startMinimum(where) {
  return startServer([MINIMUM, JSON.stringify({ publicJwk: KEYS.publicJwk, ...where })])
}

async function receive({ server, databases, count }) {
  const requests = signedRequests(server, count)
  let sent = 0
  const before = cpuMs(server.child.pid) + databases.cpuMs()
  const done = await load({
    ...server,
    connections: CONNECTIONS,
    seconds: Number.POSITIVE_INFINITY,
    count: count - CONNECTIONS,
    next: () => requests[sent++],
  })
  if (done.errors > 0) throw new Error(`${done.errors} webhooks were refused`)
  const cpu = cpuMs(server.child.pid) + databases.cpuMs() - before
  return { rate: done.rate, cpuUs: (cpu * 1_000) / done.count }
}

/** Signed before, because a nonce counts once. */
function signedRequests({ host, port }, count) {
  const sign = createMinimalSigner(KEYS.privateJwk)
  return Array.from({ length: count }, () => {
    const body = webhookBody()
    const headers = sign(`http://${host}:${port}/hooks/bench`, body)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST /hooks/bench HTTP/1.1\r\nhost: ${host}:${port}\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), body])
  })
}

async function serveKeys() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [KEYS.publicJwk] }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/jwks.json`
  return { url, close: () => server.close() }
}
