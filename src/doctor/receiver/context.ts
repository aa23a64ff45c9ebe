// Shared by the checks of a receiver: builds a good delivery for the registered scheme, and sends it.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import type { ClientResponse } from '../../transports/client.ts'
import { signBearer } from '../../webhooks/schemes/bearer.ts'
import { signHmac } from '../../webhooks/schemes/hmac.ts'
import type { Received, Recorder } from '../egress-clients.ts'
import { type Craft, craftHeaders } from './craft.ts'
import type { DoctorKeys } from './key-site.ts'

/** How deliveries are secured: the keys that sign them, or the credential that was registered. */
export type Scheme =
  | { mode: 'rfc9421'; keys: DoctorKeys }
  | { mode: 'HMAC-SHA256'; secret: string }
  | { mode: 'Bearer'; token: string }

export interface ReceiverOptions {
  /** Where webhooks are sent. */
  url: string
  names: Identifiers
  scheme: Scheme
  /** The token of the registration. Default none. */
  token?: string | undefined
  recorder: Recorder
}

export type Body = Record<string, unknown>

/** How a delivery differs from a good one. */
export interface Changes {
  /** Sent in place of what was signed. */
  sentBody?: Buffer
  /** Overrides the headers that the scheme set; undefined removes a header. */
  headers?: Record<string, string | undefined>
  /** A member placed before the signature's own member in Signature-Input. */
  inputBefore?: string
  /** Changes to the signature, if deliveries are signed. */
  craft?: Partial<Craft>
  /** Unix seconds, for the legacy scheme. */
  at?: number
}

export interface ReceiverContext extends Omit<ReceiverOptions, 'recorder'> {
  received: readonly Received[]
  /** A good delivery, except for the given changes. */
  deliver(body: Body | Buffer, changes?: Changes): Promise<ClientResponse>
  /** The request that `deliver` would send, to be sent any number of times. */
  prepare(body: Body | Buffer, changes?: Changes): Promise<() => Promise<ClientResponse>>
  /** A request without any of this. */
  ask(
    method: 'GET' | 'POST',
    headers?: Record<string, string>,
    body?: Buffer,
  ): Promise<ClientResponse>
  /** A body that reports a status, in the MCP form. */
  envelope(changes?: Body): Body
}

const TYPE = 'application/json'

export function createReceiverContext({ recorder, ...options }: ReceiverOptions): ReceiverContext {
  const { url, token } = options
  const ask: ReceiverContext['ask'] = (method, headers = {}, body) =>
    recorder.fetch({ url, method, headers, ...defined({ body }) })
  const context: ReceiverContext = {
    ...options,
    received: recorder.received,
    ask,
    prepare: async (given, changes = {}) => {
      const body = Buffer.isBuffer(given) ? given : Buffer.from(JSON.stringify(given))
      const made = await headersOf(options, body, changes)
      if (changes.inputBefore !== undefined) {
        made['signature-input'] = `${changes.inputBefore}, ${made['signature-input']}`
      }
      const all = { ...made, ...tokenHeader(given, token), ...changes.headers }
      const headers = Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      )
      return () => ask('POST', headers, changes.sentBody ?? body)
    },
    deliver: async (body, changes) => (await context.prepare(body, changes))(),
    envelope: (changes = {}) => ({
      idempotency_key: randomUUID(),
      task_id: `doctor-${randomUUID()}`,
      operation_id: `doctor-${randomUUID()}`,
      task_type: 'build_creative',
      domain: 'creative',
      protocol: 'creative',
      status: 'completed',
      timestamp: new Date().toISOString(),
      ...(token === undefined ? {} : { token }),
      ...changes,
    }),
  }
  return context
}

/** An A2A body has no field for the token. */
function tokenHeader(body: Body | Buffer, token: string | undefined): Record<string, string> {
  const isA2a = !Buffer.isBuffer(body) && typeof body.status === 'object'
  return token !== undefined && isA2a ? { 'x-a2a-notification-token': token } : {}
}

async function headersOf(
  { url, names, scheme }: Omit<ReceiverOptions, 'recorder'>,
  body: Buffer,
  { craft = {}, at = Math.floor(Date.now() / 1_000) }: Changes,
): Promise<Record<string, string>> {
  if (scheme.mode === 'rfc9421') {
    return craftHeaders({ signer: scheme.keys.main, url, tag: names.webhookTag, body, ...craft })
  }
  if (scheme.mode === 'Bearer') {
    const signed = signBearer(scheme.token)
    if (!signed.ok) throw new Error(signed.detail)
    return { 'content-type': TYPE, ...signed.headers }
  }
  const signed = signHmac(craft.body ? Buffer.from(craft.body) : body, scheme.secret, {
    names,
    now: at,
  })
  if (!signed.ok) throw new Error(signed.detail)
  return { 'content-type': TYPE, ...signed.headers }
}
