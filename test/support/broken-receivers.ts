// Our receiver behind a proxy that plants one fault at a time in what it answers, and a doctor's keys that it trusts.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type DoctorPairs, makePairs } from '../../src/doctor/receiver/key-site.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { openReceiverStorage } from '../../src/receiver/open-receiver-storage.ts'
import { nodeHandler } from '../../src/webhooks/receiver/adapters/node.ts'
import type { DuplicatePolicy } from '../../src/webhooks/receiver/outcomes.ts'
import { createReceiver } from '../../src/webhooks/receiver/receiver.ts'
import { type Answered, closed, NAMES, objectIn, passOn, type Requested } from './broken-agents.ts'
import { migratedPostgres, type StoreName } from './databases.ts'

export const SECRET = 'a secret of at least thirty-two bytes'
export const BEARER = 'a-token-of-at-least-thirty-two-characters'
export const TOKEN = 'the token of one registration'

export interface ReceiverFault {
  /** In place of what the receiver would answer. */
  ask?(requested: Requested): Answered | undefined
  /** Changes an answer; `code` is what the receiver gave as its reason. */
  answer?(answered: Answered, requested: Requested, code: string | undefined): void
}

export interface BrokenReceiver {
  /** Where the proxy listens. */
  url: string
  /** For the doctor: its keys, and where the receiver looks for them. */
  pairs: DoctorPairs
  keysPort: number
  applied: string[]
  plant(fault: ReceiverFault): void
  stop(): Promise<void>
}

export async function startBrokenReceiver(
  store: StoreName = 'sqlite',
  duplicates: DuplicatePolicy = 'first-wins',
): Promise<BrokenReceiver> {
  const proxy = createServer()
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const keysPort = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'adwire-test-'))
  const postgres = store === 'postgres' ? await migratedPostgres() : undefined
  const storage = await openReceiverStorage(
    postgres ? { databaseUrl: postgres.url } : { dataDir: data },
  )
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const applied: string[] = []
  const receiver = createReceiver({
    ...storage,
    egress,
    sellers: [{ agentUrl: `http://127.0.0.1:${keysPort}/agent` }],
    routes: [
      { name: 'signed', mode: 'rfc9421' },
      { name: 'with-token', mode: 'rfc9421', token: TOKEN },
      { name: 'hmac', mode: 'HMAC-SHA256', secret: SECRET },
      { name: 'bearer', mode: 'Bearer', credentials: BEARER },
    ],
    duplicates,
    handle: async ({ idempotency_key }) => void applied.push(idempotency_key),
    onFault: () => {},
  })
  receiver.start()
  const handler = nodeHandler(receiver, { baseUrl: url })
  const server = createServer((request, response) => void handler(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  let fault: ReceiverFault = {}
  const answer = async (requested: Requested): Promise<Answered> => {
    const planted = fault.ask?.(requested)
    if (planted) return planted
    const answered = await passOn(own, requested)
    const code = (objectIn(answered.body)?.error as { code?: string } | undefined)?.code
    fault.answer?.(answered, requested, code)
    return answered
  }
  proxy.on('request', async (request, response) => {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const {
      status,
      headers: given,
      body: said,
    } = await answer({ method, path, headers, body, json: objectIn(body) })
    const { 'content-length': _, 'transfer-encoding': _t, connection: _c, ...kept } = given
    response.writeHead(status, kept as Record<string, string>).end(said)
  })
  return {
    url,
    keysPort,
    applied,
    pairs: makePairs(NAMES),
    plant: (one) => {
      fault = one
    },
    stop: async () => {
      await closed(proxy)
      await closed(server)
      await receiver.stop()
      await storage.close()
      await egress.close()
      await postgres?.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await closed(server)
  return port
}
