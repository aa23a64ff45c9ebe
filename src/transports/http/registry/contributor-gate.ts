// Who may change the registry's catalogue: callers with a credential of the registry, and moderators, which are
// principals with permission to administer this server.

import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { RegistryAccess } from '../../../registry/access.ts'
import type { Contributor, Moderator } from '../../../registry/contributors.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { type GatePorts, mayWrite, sendRefusal } from './answers.ts'

export interface ReaderPorts {
  access: RegistryAccess
  /** The moderator whose key is in an Authorization header. */
  findModerator(authorization: string | undefined): Promise<Moderator | undefined>
}

export interface ContributorPorts extends GatePorts, ReaderPorts {
  access: RegistryAccess
  resourceMetadataUrl: () => string
}

type MayContribute = { ok: true; contributor: Contributor } | Refusal
type MayModerate = { ok: true; moderator: Moderator } | Refusal

const known = new WeakMap<FastifyRequest, MayContribute>()

/** For the hook `onRequest`: no body is read without authentication. */
export function contributorsOnly(ports: ContributorPorts): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const who = await mayContribute(ports, request)
    if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
  }
}

/** For the hook `onRequest` of operations reserved for moderators. */
export function moderatorsOnly(ports: ContributorPorts): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const who = await mayModerate(ports, request)
    if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
  }
}

/** Counted against the caller's share of changes, once per request. */
export async function mayContribute(
  ports: ContributorPorts,
  request: FastifyRequest,
): Promise<MayContribute> {
  const found = known.get(request)
  if (found) return found
  const who = await findOut(ports, request)
  known.set(request, who)
  return who
}

export async function mayModerate(
  ports: ContributorPorts,
  request: FastifyRequest,
): Promise<MayModerate> {
  const who = await mayContribute(ports, request)
  if (!who.ok) return who
  return who.contributor.kind === 'moderator'
    ? { ok: true, moderator: who.contributor }
    : ONLY_MODERATORS
}

/** For a public route that shows more to some readers. A bad credential reads the public data. */
export function readerOf(
  { access, findModerator }: ReaderPorts,
  { headers }: FastifyRequest,
): () => Promise<Contributor | undefined> {
  return async () => {
    if (headers.authorization === undefined) return undefined
    const moderator = await findModerator(headers.authorization)
    if (moderator) return moderator
    const who = await access.authenticate(headers.authorization)
    return who.ok ? who.caller : undefined
  }
}

async function findOut(ports: ContributorPorts, request: FastifyRequest): Promise<MayContribute> {
  const moderator = await ports.findModerator(request.headers.authorization)
  if (!moderator) {
    const who = await mayWrite(ports, request)
    return who.ok ? { ok: true, contributor: who.caller } : who
  }
  const taken = ports.writes.take(`principal:${moderator.principalId}`)
  if (taken.ok) return { ok: true, contributor: moderator }
  return refuse(429, 'Too many requests', {
    message: 'too many changes: retry after Retry-After seconds',
    retryAfter: taken.retryAfterSeconds,
  })
}

const ONLY_MODERATORS = refuse(403, 'Moderator access required', {
  message: 'send the key of a principal with the scope operator',
})
