// A task over each transport beside a bare Fastify route that answers the same bytes; a signed request beside one with a
// key; and a call of our client beside a bare POST of the same bytes.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { callAgent } from '../../../dist/client/index.js'
import { createRequestSigner } from '../../../dist/client/sign-request.js'
import { generateKeyPair } from '../../../dist/signing/index.js'
import { CLI, startServer, stopServer, untilReady } from '../../support/processes.mjs'
import { answerOf, loaded, postRequest } from '../http.mjs'
import { inRounds, repeated } from '../rounds.mjs'

const CONNECTIONS = 16
const IN_FLIGHT = 8
const BARE = new URL('../../support/bare-fastify.mjs', import.meta.url).pathname
const ENV = {
  ADWIRE_LOG_LEVEL: 'error',
  ADWIRE_TASKS_PER_MINUTE: '10000000',
  ADWIRE_SIGNALS_MODEL: 'false',
  ADWIRE_WARM_UP: 'false',
}

const TASK = 'list_creative_formats'
const CALLS = {
  HTTP: { path: `/v3/${TASK}`, aim: 1, body: {} },
  MCP: {
    path: '/mcp',
    aim: 0.9,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: TASK, arguments: {} } },
  },
  A2A: {
    path: '/a2a',
    aim: 0.8,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: {
        message: {
          kind: 'message',
          role: 'user',
          messageId: 'bench',
          parts: [{ kind: 'data', data: { skill: TASK, parameters: {} } }],
        },
      },
    },
  },
}

export async function measure({ isQuick }) {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  const caller = await makeCaller(folder)
  const server = await startServer([CLI, 'serve', '--port', '0', '--data', folder], ENV)
  const rounds = isQuick ? 1 : 5
  try {
    await untilReady(server)
    const rows = []
    for (const transport of Object.keys(CALLS)) {
      rows.push(await beside({ server, folder, transport, isQuick, rounds }))
    }
    rows.push(await signedBesideKey({ server, caller, isQuick, rounds }))
    rows.push(...(await clientBesidePost({ server, isQuick, rounds })))
    return rows
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function beside({ server, folder, transport, isQuick, rounds }) {
  const { path, body, aim } = CALLS[transport]
  const file = join(folder, `${transport}.json`)
  writeFileSync(file, JSON.stringify({ path, ...(await answerOf(server, path, body)) }))
  const bare = await startServer([BARE, file])
  const request = postRequest(path, body)
  const some = { connections: CONNECTIONS, count: isQuick ? 400 : 4_000, next: () => request }
  const found = await inRounds({ own: loaded(server, some), base: loaded(bare, some) }, rounds)
  await stopServer(bare)
  return { path: `${TASK} over ${transport}`, baseline: 'bare Fastify', aim, by: 'rate', ...found }
}

async function signedBesideKey({ server, caller, isQuick, rounds }) {
  const path = '/v3/list_tasks'
  const count = isQuick ? 300 : 2_000
  const url = `http://${server.host}:${server.port}${path}`
  const sign = createRequestSigner({ key: caller.privateJwk })
  const message = {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
  }
  const one = { connections: IN_FLIGHT, count }
  const withKey = { authorization: `Bearer ${caller.key}` }
  const bearer = postRequest(path, {}, withKey)
  const own = async () => {
    // A nonce counts once, so they are signed before; the server counts only what it does itself.
    const signed = []
    for (let n = 0; n < count + IN_FLIGHT; n++) {
      const host = `${server.host}:${server.port}`
      const headers = await sign(message)
      signed.push(postRequest(path, {}, headers).replace('Host: 127.0.0.1', `Host: ${host}`))
    }
    let sent = 0
    return loaded(server, { ...one, next: () => signed[sent++] })()
  }
  const base = loaded(server, { ...one, next: () => bearer })
  const found = await inRounds({ own, base }, rounds)
  return { path: 'a signed request', baseline: 'one with a key', aim: 0.8, by: 'cpu', ...found }
}

async function clientBesidePost({ server, isQuick, rounds }) {
  const origin = `http://${server.host}:${server.port}`
  const pool = new Pool(origin, { connections: IN_FLIGHT })
  const body = '{}'
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const post = async () => {
    const path = '/v3/get_agent_capabilities'
    const answer = await pool.request({ path, method: 'POST', headers, body })
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
    JSON.parse(await answer.body.text())
  }
  const call = async () => {
    const agentUrl = `${origin}/v3`
    const task = 'get_agent_capabilities'
    const outcome = await callAgent({ agentUrl, transport: 'http', task, allowPrivate: true })
    if (!outcome.ok) throw new Error(outcome.error.message)
  }
  const pace = { ms: isQuick ? 300 : 1_000, inFlight: IN_FLIGHT }
  const ways = { own: () => repeated(call, pace), base: () => repeated(post, pace) }
  const found = await inRounds(ways, rounds)
  await pool.close()
  return [{ path: 'callAgent', baseline: 'a POST with undici', aim: 0.6, by: 'rate', ...found }]
}

/** A principal with a bearer key, and a key with which it signs requests. */
async function makeCaller(folder) {
  const adwire = async (...args) => {
    const given = [CLI, ...args, '--data', folder, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, given)
    return JSON.parse(stdout)
  }
  const { principal_id, key } = await adwire('principals', 'create', 'Bench', '--create')
  const { privateJwk, publicJwk } = generateKeyPair('ed25519', {
    keyUse: 'proto_use',
    purpose: 'request-signing',
  })
  const file = join(folder, 'public.jwk')
  writeFileSync(file, JSON.stringify(publicJwk))
  await adwire('principals', 'keys', 'add', principal_id, '--jwk', file)
  return { key, privateJwk }
}
