// A seller that signs webhooks for the receiver under test, and publishes its key on this machine.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import type { KeyPair } from '../../../src/signing/keys.ts'
import { localSigner } from '../../../src/signing/local-signer.ts'
import type { Signer } from '../../../src/signing/ports.ts'
import { webhookProfile } from '../../../src/signing/profile.ts'
import { signMessage } from '../../../src/signing/sign.ts'
import { keyPair, type SellerSite, sellerSite } from '../seller-site.ts'
import { PUBLIC_URL } from './receiver-process.ts'

export interface Sender {
  agentUrl: string
  site: SellerSite
  pair: KeyPair
  /** Signs the bytes of a body, or JSON; each time with a fresh nonce. */
  sign(body: unknown, options?: SignChanges): Promise<Signed>
}

export interface SignChanges {
  /** Default: the key that is published from the start. */
  signer?: Signer
  /** Milliseconds. Default now. */
  now?: number
  /** Default `any`. */
  route?: string
}

export interface Signed {
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface Answer {
  status: number
  /** Of the error. */
  code: string | undefined
  /** Of what was acknowledged. */
  outcome: string | undefined
  retryAfter: string | undefined
}

const { webhookTag: tag, keyUse } = identifiersFor('proto')
const profile = webhookProfile({ tag, keyUse })
let made = 0

/** Until the test ends. */
export async function startSender(): Promise<Sender> {
  const site = await sellerSite()
  made += 1
  const pair = keyPair(`key-${made}`)
  site.publish([pair.publicJwk])
  const own = localSigner(pair.privateJwk)
  return {
    agentUrl: site.agentUrl,
    site,
    pair,
    sign: async (content, { signer = own, now = Date.now(), route = 'any' } = {}) => {
      const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
      const path = `/hooks/${route}`
      const headers = { 'content-type': 'application/json' }
      const message = { method: 'POST', url: `${PUBLIC_URL}${path}`, headers, body }
      const signed = await signMessage(message, { signer, profile, now: Math.floor(now / 1_000) })
      if (!signed.ok) throw new Error(signed.detail)
      return { path, headers: { ...headers, ...signed.headers }, body }
    },
  }
}

/** Cheaper than fetch, where a thousand are sent at once. */
const agent = new Agent({ connections: 100 })

/** `origin` is where an instance listens. Rejects when it does not live to answer. */
export async function post(origin: string, { path, headers, body }: Signed): Promise<Answer> {
  const options = { dispatcher: agent, method: 'POST', headers, body } as const
  const response = await request(`${origin}${path}`, options)
  const read = (await response.body.json()) as { status?: string; error?: { code: string } }
  return {
    status: response.statusCode,
    code: read.error?.code,
    outcome: read.status,
    retryAfter: response.headers['retry-after'] as string | undefined,
  }
}

export function envelope(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    idempotency_key: randomUUID(),
    task_id: randomUUID(),
    task_type: 'activate_signal',
    status: 'working',
    timestamp: new Date().toISOString(),
    ...changes,
  }
}

/** What an answer says, for tests that look at many. */
export const verdict = ({ status, code, outcome }: Answer): string => `${status} ${code ?? outcome}`
