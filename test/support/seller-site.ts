// A seller on this machine for tests of a receiver: its brand.json, key set and revocation list, as
// it would publish them. Documents can be replaced, left out or answered slowly.

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { generateKeyPair, type KeyPair } from '../../src/signing/keys.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { Jwk } from '../../src/signing/ports.ts'

export const JWKS = '/.well-known/jwks.json'
export const BRAND = '/.well-known/brand.json'
export const ADAGENTS = '/.well-known/adagents.json'
export const REVOCATIONS = '/.well-known/governance-revocations.json'

type Answer = (response: ServerResponse, headers: Record<string, unknown>) => void

export interface SellerSite {
  origin: string
  /** The URL of its one agent. */
  agentUrl: string
  /** Serves JSON, or a text as it is, at a path. */
  serve(path: string, body: unknown, status?: number, headers?: Record<string, string>): void
  answer(path: string, answer: Answer): void
  /** Makes a path answer 404. */
  remove(path: string): void
  publish(keys: readonly Jwk[]): void
  /** How often a path was requested. */
  requested(path: string): number
}

/** Until the test ends. At first it publishes a brand.json with its agent, and no keys. */
export async function sellerSite(): Promise<SellerSite> {
  const answers = new Map<string, Answer>()
  const requested: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requested.push(path)
    const answer = answers.get(path) ?? ((missing: ServerResponse) => missing.writeHead(404).end())
    answer(response, request.headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agentUrl = `${origin}/mcp`
  const site: SellerSite = {
    origin,
    agentUrl,
    serve: (path, body, status = 200, headers = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      answers.set(path, (response) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
      })
    },
    answer: (path, answer) => answers.set(path, answer),
    remove: (path) => answers.delete(path),
    publish: (keys) => site.serve(JWKS, { keys }),
    requested: (path) => requested.filter((one) => one === path).length,
  }
  site.serve(BRAND, { agents: [{ type: 'sales', id: 'sales', url: agentUrl }] })
  return site
}

export function keyPair(kid: string, purpose = 'webhook-signing'): KeyPair {
  return generateKeyPair('ed25519', { keyUse: identifiersFor('proto').keyUse, purpose, kid })
}

export interface RevocationFields {
  issuer: string
  /** Milliseconds. */
  updated: number
  next_update: number
  revoked_kids?: readonly string[]
  typ?: string
}

/** A signed list of revoked keys in the JSON form. */
export async function revocationList(pair: KeyPair, fields: RevocationFields) {
  const { issuer, updated, next_update, revoked_kids = [], typ } = fields
  const { keyid, sign } = localSigner(pair.privateJwk)
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = encode({
    version: 1,
    issuer,
    updated: new Date(updated).toISOString(),
    next_update: new Date(next_update).toISOString(),
    revoked_jtis: [],
    revoked_kids,
  })
  const header = encode({ typ: typ ?? 'proto-gov-revocation+jws', alg: 'EdDSA', kid: keyid })
  const signature = await sign(Buffer.from(`${header}.${payload}`))
  return {
    payload,
    signatures: [{ protected: header, signature: Buffer.from(signature).toString('base64url') }],
  }
}
