// `/links`: a principal makes links to a read-only page of its own deliveries and reports, lists them and revokes
// them; an operator does so for any principal. The pages are the console's.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Agent } from '../../agent/agent.ts'
import type { Failed } from '../../agent/answer.ts'
import type { Principal } from '../../agent/principals.ts'
import { ownId } from '../../console/api/common.ts'
import {
  LINK_PARTS,
  LONGEST_LINK_SECONDS,
  linkItem,
  madeLink,
  SHORTEST_LINK_SECONDS,
} from '../../console/api/links.ts'
import type { Links } from '../../console/links.ts'
import { Refused } from '../../console/refusal.ts'
import { defined } from '../../lib/defined.ts'
import { admittedBy, authenticatorOf, BodyRefused } from '../authenticate.ts'
import { challengeOf } from '../challenge.ts'
import type { SignedUrls } from '../signed-head.ts'
import { faultOf, logFault, sendFault } from './errors.ts'
import { STATUS } from './task-errors.ts'

export interface BuyerLinkPorts {
  agent: Agent
  urls: SignedUrls | undefined
  links: Links
}

const BODY_BYTES = 4_096
const tags = ['Links']
const security = [{ bearerAuth: [] }]
const refusal = z.object({ error: z.string() })
const refusals = {
  400: refusal,
  401: refusal,
  403: refusal,
  404: refusal,
  409: refusal,
  429: refusal,
}

const principal_id = ownId
  .optional()
  .describe(
    'Principal whose data the link shows. Default: the caller. Another principal requires the scope operator.',
  )

const wantedLink = z.strictObject({
  principal_id,
  seconds: z
    .number()
    .int()
    .min(SHORTEST_LINK_SECONDS)
    .max(LONGEST_LINK_SECONDS)
    .default(86_400)
    .describe('How long it is good.'),
  shows: z
    .array(z.enum(LINK_PARTS))
    .min(1)
    .max(LINK_PARTS.length)
    .default([...LINK_PARTS])
    .describe('Parts that the link shows. Default: all.'),
})
const whose = z.strictObject({ principal_id })
const linkParams = z.strictObject({ link_id: ownId })

export function buyerLinkRoutes(ports: BuyerLinkPorts) {
  const { agent, urls, links } = ports
  const limits = { keyed: BODY_BYTES, keyless: BODY_BYTES }
  const shared = {
    config: { counts: 'itself' as const },
    ...authenticatorOf(agent, { refuse: sendFailed, limits, urls }),
    errorHandler: sendLinkFault,
  }
  return (app: FastifyInstance): void => {
    app.post(
      '/links',
      {
        ...shared,
        schema: {
          operationId: 'makeLink',
          tags,
          security,
          summary: 'Make a link to a page of a principal’s own deliveries and reports',
          body: wantedLink,
          response: { 201: madeLink, ...refusals },
        },
      },
      async (request, reply) => {
        const {
          principal_id: requested,
          seconds,
          shows,
        } = request.body as z.output<typeof wantedLink>
        const { caller, owner } = callerOf(request, requested)
        const wanted = { principal_id: owner, seconds, shows, made_by: 'api' as const }
        const made = await links.make(caller, wanted)
        return reply.code(201).header('cache-control', 'no-store').send(made)
      },
    )
    app.get(
      '/links',
      {
        ...shared,
        schema: {
          operationId: 'listLinks',
          tags,
          security,
          summary: 'The links of a principal, the newest first',
          querystring: whose,
          response: { 200: z.strictObject({ links: z.array(linkItem) }), ...refusals },
        },
      },
      async (request) => {
        const { principal_id: requested } = request.query as z.output<typeof whose>
        const { caller, owner } = callerOf(request, requested)
        const found = await links.list(owner)
        if (caller.scopes.includes('operator')) return { links: found }
        // Only the operator may see who works here.
        return { links: found.map((link) => ({ ...link, made_by: madeBy(link, caller) })) }
      },
    )
    app.delete(
      '/links/:link_id',
      {
        ...shared,
        schema: {
          operationId: 'revokeLink',
          tags,
          security,
          summary: 'Revoke a link. It stops working immediately',
          params: linkParams,
          querystring: whose,
          response: { 204: z.null().describe('Revoked'), ...refusals },
        },
      },
      async (request, reply) => {
        const { link_id } = request.params as z.output<typeof linkParams>
        const { principal_id: requested } = request.query as z.output<typeof whose>
        const { caller, owner } = callerOf(request, requested)
        await links.revoke(caller, { principal_id: owner, link_id })
        return reply.code(204).send()
      },
    )
  }
}

function madeBy(link: z.output<typeof linkItem>, { name }: Principal): string {
  return link.made_by === name ? name : 'the operator'
}

/** The caller, and whose links it means. Throws a Refused. */
function callerOf(
  request: FastifyRequest,
  requested: string | undefined,
): { caller: Principal; owner: string } {
  const { principal: caller } = admittedBy(request)
  if (!caller) throw new Refused(401, 'no_key', 'links need the key of a principal')
  const isOperator = caller.scopes.includes('operator')
  if (!isOperator && !caller.scopes.includes('tasks')) {
    throw new Refused(403, 'no_scope', 'links need the scope tasks or operator')
  }
  const owner = requested ?? caller.principal_id
  if (owner !== caller.principal_id && !isOperator) {
    throw new Refused(403, 'no_scope', 'links of another principal need the scope operator')
  }
  return { caller, owner }
}

/** Authentication errors, in the error format of this route. */
function sendFailed(reply: FastifyReply, answer: Failed): FastifyReply {
  const { code, body, retryAfterSeconds } = answer
  const status = STATUS[code]
  if (status === 401) reply.header('www-authenticate', challengeOf(answer))
  const [first] = body.errors as readonly { message: string }[]
  const error = first?.message ?? code
  return sendFault(reply, { status, error, ...defined({ retryAfterSeconds }) })
}

function sendLinkFault(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refused) {
    const { status, message } = error.refusal
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    return sendFault(reply, { status, error: message })
  }
  if (error instanceof BodyRefused) {
    return sendFault(reply, { status: 401, error: error.error.message })
  }
  const fault = faultOf(error)
  logFault(request, error, fault)
  return sendFault(reply, fault)
}
