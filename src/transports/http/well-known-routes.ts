// Documents that others fetch to verify this operator's signatures (spec 5): its agents, its public keys, and the
// signed list of revoked keys.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { OperatorManifest } from '../../keys/operator-manifest.ts'
import type { RevocationList } from '../../keys/revocation-list.ts'
import type { Jwk } from '../../signing/ports.ts'

export interface WellKnownPorts {
  publicJwks(): Promise<{ keys: Jwk[] }>
  operatorManifest(): OperatorManifest
  revocationList(): Promise<RevocationList>
}

/** How long others may cache a response. A key is published longer than this before it signs. */
const KEYS_MAX_AGE_SECONDS = 300
/** The list contains its own renewal time; this only saves requests from a busy verifier. */
const REVOCATIONS_MAX_AGE_SECONDS = 60

const tags = ['Operations']

export function wellKnownRoutes(ports: WellKnownPorts) {
  return (app: FastifyInstance): void => {
    app.get(
      '/.well-known/jwks.json',
      {
        schema: {
          operationId: 'getSigningKeys',
          summary: 'The public keys this operator signs with (RFC 7517)',
          tags,
          response: { 200: keySet },
        },
      },
      async (_request, reply) =>
        sendDocument(reply, await ports.publicJwks(), KEYS_MAX_AGE_SECONDS),
    )
    app.get(
      '/.well-known/brand.json',
      {
        schema: {
          operationId: 'getOperatorManifest',
          summary: "This operator's agents and where their keys are",
          tags,
          response: { 200: manifest },
        },
      },
      (_request, reply) => sendDocument(reply, ports.operatorManifest(), KEYS_MAX_AGE_SECONDS),
    )
    app.get(
      '/.well-known/governance-revocations.json',
      {
        schema: {
          operationId: 'getRevocationList',
          summary: 'The keys this operator has revoked, as a signed list (RFC 7515)',
          tags,
          response: { 200: revocationList },
        },
      },
      async (_request, reply) =>
        sendDocument(reply, await ports.revocationList(), REVOCATIONS_MAX_AGE_SECONDS),
    )
  }
}

/** With an ETag of its content, so that a client with a current copy gets a response without the body. */
function sendDocument(reply: FastifyReply, document: object, maxAgeSeconds: number): FastifyReply {
  const etag = `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url')}"`
  reply.header('cache-control', `public, max-age=${maxAgeSeconds}`).header('etag', etag)
  const known = reply.request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    return reply.code(304).send()
  }
  return reply.send(document)
}

const keySet = z.object({
  keys: z.array(
    z.looseObject({
      kid: z.string(),
      kty: z.string(),
      crv: z.string(),
      x: z.string(),
      alg: z.enum(['EdDSA', 'ES256']),
      use: z.literal('sig'),
      key_ops: z.array(z.literal('verify')),
    }),
  ),
})

const manifest = z.object({
  version: z.string(),
  agents: z.array(
    z.object({
      type: z.string(),
      id: z.string(),
      url: z.string(),
      description: z.string(),
      jwks_uri: z.string(),
    }),
  ),
})

const revocationList = z.object({
  payload: z.string(),
  signatures: z.array(z.object({ protected: z.string(), signature: z.string() })),
})
