// A whole server of ours behind a proxy that injects one fault at a time: into requests, into responses, or into the
// webhooks, which also go through the proxy and are signed there again. Without a fault the proxy changes nothing that
// anyone could notice.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Craft, craftHeaders } from '../../src/doctor/receiver/craft.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { generateKeyPair, type KeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import { startApp, type TestApp } from './app.ts'
import type { StoreName } from './databases.ts'

export type Json = Record<string, unknown>

export const NAMES = identifiersFor('proto')

/** A request on its way in. */
export interface Requested {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The body, when it is an object. */
  json: Json | undefined
}

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** A webhook on its way out. */
export interface Reported {
  url: string
  json: Json
  /** From 1, for each key at each address. */
  attempt: number
}

/** What is sent for it: nothing, or these in their order. */
export interface Sending {
  json: Json
  /** Sent in place of what was signed. */
  sent?: Buffer
  craft?: Partial<Craft>
  isUnsigned?: boolean
}

export interface Fault {
  /** In place of what the server would answer; or changes the request and answers nothing. */
  ask?(
    requested: Requested,
    agent: BrokenAgent,
  ): Answered | undefined | Promise<Answered | undefined>
  /** Changes an answer. */
  answer?(answered: Answered, requested: Requested, agent: BrokenAgent): void | Promise<void>
  /** What is sent for a webhook of the server. */
  report?(reported: Reported, agent: BrokenAgent): Sending[]
  /** What is reported to the server about it. Default: what the receiver answered. */
  received?: number
}

export interface BrokenAgent {
  url: string
  app: TestApp
  key: string
  otherKey: string
  /** Signs webhooks, and is published. */
  pair: KeyPair
  /** Published for something else, and not published at all. */
  otherPurpose: KeyPair
  unpublished: KeyPair
  plant(fault: Fault): void
  /** Sends a signed webhook. */
  send(url: string, sending: Sending): Promise<number>
  stop(): Promise<void>
}

const pairFor = (purpose: string) => generateKeyPair('ed25519', { keyUse: NAMES.keyUse, purpose })

export async function startBrokenAgent(store: StoreName = 'sqlite'): Promise<BrokenAgent> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await startApp({
    store,
    config: {
      publicUrl: url,
      demo: true,
      signalsModel: false,
      workerPoolProcesses: 1,
      warmUp: false,
      tasksPerMinute: 1_000_000,
      requestsPerMinute: 1_000_000,
    },
  })
  let fault: Fault = {}
  const attempts = new Map<string, number>()
  const agent: BrokenAgent = {
    url,
    app,
    key: await app.principal(),
    otherKey: await app.principal(),
    pair: pairFor('webhook-signing'),
    otherPurpose: pairFor('response-signing'),
    unpublished: pairFor('webhook-signing'),
    plant: (one) => {
      fault = one
    },
    send: (to, sending) => sendSigned(to, sending, agent.pair),
    stop: async () => {
      await closed(server)
      await app.stop()
    },
  }
  const relay = async (requested: Requested): Promise<Answered> => {
    const to = Buffer.from(requested.path.slice(RELAY.length), 'base64url').toString()
    const json = requested.json ?? {}
    const id = `${to} ${json.idempotency_key}`
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    const sendings = fault.report?.({ url: to, json, attempt }, agent) ?? [{ json }]
    let status = 200
    for (const sending of sendings) status = await agent.send(to, sending)
    return { status: fault.received ?? status, headers: {}, body: Buffer.alloc(0) }
  }
  const answer = async (requested: Requested): Promise<Answered> => {
    if (requested.path.startsWith(RELAY)) return relay(requested)
    const planted = await fault.ask?.(requested, agent)
    if (planted) return planted
    const answered = await passOn(app.url, withRelay(requested, url))
    if (requested.path === '/.well-known/jwks.json') publishAlso(answered, agent)
    await fault.answer?.(answered, requested, agent)
    return answered
  }
  server.on('request', async (request, response) => {
    const { status, headers, body } = await answer(await readRequested(request))
    const { 'content-length': _, 'transfer-encoding': _t, connection: _c, ...kept } = headers
    response.writeHead(status, kept as Record<string, string>).end(body)
  })
  return agent
}

const RELAY = '/relay/'

async function readRequested(request: IncomingMessage): Promise<Requested> {
  const { method = 'GET', url: path = '/', headers } = request
  const body = await buffer(request)
  return { method, path, headers, body, json: objectIn(body) }
}

export function objectIn(body: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined
  } catch {
    return undefined
  }
}

/** Webhooks are sent to the proxy, which knows from the address where they were meant to go. */
function withRelay(requested: Requested, url: string): Requested {
  if (!requested.json) return requested
  everyObject(requested.json, ({ push_notification_config: config }) => {
    if (typeof config !== 'object' || config === null) return
    const own = config as Json
    own.url = `${url}${RELAY}${Buffer.from(String(own.url)).toString('base64url')}`
  })
  return { ...requested, body: Buffer.from(JSON.stringify(requested.json)) }
}

/** Calls for each object of a value, the outer ones first. */
export function everyObject(value: unknown, change: (object: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) change(value as Json)
  for (const one of Object.values(value)) everyObject(one, change)
}

/** Changes the JSON of an answer. */
export function rewrite(answered: Answered, change: (json: Json) => void): void {
  const json = objectIn(answered.body)
  if (!json) return
  change(json)
  answered.body = Buffer.from(JSON.stringify(json))
}

export function jsonAnswer(status: number, json: unknown, headers: Json = {}): Answered {
  const all = { 'content-type': 'application/json', ...headers } as Answered['headers']
  return { status, headers: all, body: Buffer.from(JSON.stringify(json)) }
}

function publishAlso(answered: Answered, { pair, otherPurpose }: BrokenAgent): void {
  rewrite(answered, (json) => {
    ;(json.keys as unknown[]).push(pair.publicJwk, otherPurpose.publicJwk)
  })
}

export function passOn(
  base: string,
  { method, path, headers, body }: Requested,
): Promise<Answered> {
  const { 'content-length': _, 'transfer-encoding': _t, connection: _c, ...kept } = headers
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {}
    const sent = sendRequest(
      `${base}${path}`,
      { method, headers: { ...kept, ...length } },
      async (response) => {
        const { statusCode: status = 0, headers: given } = response
        resolve({ status, headers: given, body: await buffer(response) })
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

async function sendSigned(url: string, sending: Sending, pair: KeyPair): Promise<number> {
  const { json, craft = {}, isUnsigned = false } = sending
  const body = Buffer.from(JSON.stringify(json))
  const signer = localSigner(pair.privateJwk)
  const made = await craftHeaders({ signer, url, tag: NAMES.webhookTag, body, ...craft })
  const headers = isUnsigned ? { 'content-type': 'application/json' } : made
  const answer = await fetch(url, { method: 'POST', headers, body: sending.sent ?? body })
  return answer.status
}

/** A status webhook that no one requested. */
export function anEnvelope(changes: Json = {}): Json {
  return {
    idempotency_key: randomUUID(),
    task_id: 'invented',
    task_type: 'list_creative_formats',
    status: 'completed',
    timestamp: new Date().toISOString(),
    ...changes,
  }
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
