// `list_creative_formats` over each wire, beside a bare Fastify route that answers the same bytes.
// Flags: --seconds N
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './support/load.mjs'
import { CLI, startServer, stopServer } from './support/processes.mjs'

const CONNECTIONS = 16
const ROUNDS = 3
const AIMS = { http: 0.6, mcp: 0.3 }

const CALLS = {
  http: { path: '/v3/list_creative_formats', body: {} },
  mcp: {
    path: '/mcp',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_creative_formats', arguments: {} },
    },
  },
  a2a: {
    path: '/a2a',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: {
          kind: 'message',
          role: 'user',
          messageId: 'bench',
          parts: [{ kind: 'data', data: { skill: 'list_creative_formats', parameters: {} } }],
        },
      },
    },
  },
}

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: { seconds: { type: 'string', default: '4' } },
  })
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const ours = await startServer([CLI, 'serve', '--port', '0', '--data', folder], {
    ADWIRE_LOG_LEVEL: 'warn',
    ADWIRE_TASKS_PER_MINUTE: '10000000',
  })
  try {
    for (const [transport, call] of Object.entries(CALLS)) {
      await measure({ ours, folder, transport, seconds: Number(values.seconds) }, call)
    }
  } finally {
    await stopServer(ours)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure({ ours, folder, transport, seconds }, { path, body }) {
  const request = requestBytes(path, body)
  const file = join(folder, `${transport}.json`)
  writeFileSync(file, JSON.stringify({ path, ...(await answerOf(ours, path, body)) }))
  const bare = await startServer([
    new URL('./support/bare-fastify.mjs', import.meta.url).pathname,
    file,
  ])
  const options = { connections: CONNECTIONS, seconds, next: () => request }
  const rates = { bare: [], ours: [] }
  await load({ ...ours, ...options, seconds: 1 })
  await load({ ...bare, ...options, seconds: 1 })
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push((await load({ ...bare, ...options })).rate)
    rates.ours.push((await load({ ...ours, ...options })).rate)
  }
  await stopServer(bare)
  const [base, own] = [median(rates.bare), median(rates.ours)]
  const aim = AIMS[transport] ? ` (aim ${AIMS[transport].toFixed(2)})` : ''
  console.log(
    `${transport.padEnd(5)} ${Math.round(own)} calls/s, bare Fastify with the same bytes ${Math.round(base)}/s, ratio ${(own / base).toFixed(2)}${aim}`,
  )
}

function requestBytes(path, body) {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

async function answerOf({ host, port }, path, body) {
  const answer = await fetch(`http://${host}:${port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name]
  return { headers, body: await answer.text() }
}

function median(rates) {
  return [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)]
}
