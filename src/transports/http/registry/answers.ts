// How a refusal of the registry becomes a response, and which callers are refused before a rule runs.

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import type { RegistryAccess } from '../../../registry/access.ts'
import type { RegistryCaller } from '../../../registry/caller.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { countAs } from '../count-as.ts'

export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  resourceMetadataUrl?: () => string,
): FastifyReply {
  if (refusal.status === 401) {
    const metadata = resourceMetadataUrl ? ` resource_metadata="${resourceMetadataUrl()}"` : ''
    reply.header('www-authenticate', `Bearer${metadata}`)
  }
  const retryAfter = refusal.details?.retryAfter
  if (typeof retryAfter === 'number') reply.header('retry-after', String(retryAfter))
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: refusal.error, ...refusal.details }))
}

export interface GatePorts {
  access: RegistryAccess
  writes: RateLimit
}

/** The caller, for a route that requires a credential. */
export async function authenticated(
  { access }: Pick<GatePorts, 'access'>,
  request: FastifyRequest,
): Promise<{ ok: true; caller: RegistryCaller } | Refusal> {
  const who = await access.authenticate(request.headers.authorization)
  if (who.ok) countAs(request, callerName(who.caller))
  return who
}

type MayWrite = { ok: true; caller: RegistryCaller } | Refusal

/** The results of authentication, from before the body was read. */
const checked = new WeakMap<FastifyRequest, MayWrite>()

/** For the hook `onRequest` of a route that changes something: no body is read without authentication. */
export function writersOnly(
  ports: GatePorts & { resourceMetadataUrl: () => string },
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const who = await mayWrite(ports, request)
    if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
    checked.set(request, who)
  }
}

/** The authenticated caller, counted against its share of changes once per request. */
export async function mayWrite(ports: GatePorts, request: FastifyRequest): Promise<MayWrite> {
  const known = checked.get(request)
  if (known) return known
  const who = await authenticated(ports, request)
  if (!who.ok) return who
  const taken = ports.writes.take(callerName(who.caller))
  if (taken.ok) return who
  return refuse(429, 'Too many requests', {
    message: 'too many changes: retry after Retry-After seconds',
    retryAfter: taken.retryAfterSeconds,
  })
}

/** The account that changes and streams are counted against. */
export function callerName(caller: RegistryCaller): string {
  return caller.kind === 'organization' ? `org:${caller.organizationId}` : caller.userId
}
