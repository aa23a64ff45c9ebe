// Badges of agents: whether an agent passes its examinations, as data, as a picture, and as text to embed in a page.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { canonicalAgentUrl } from '../../../protocol/agent-url.ts'
import { badgeSvg } from '../../../registry/compliance/badge-svg.ts'
import {
  BADGE_ROLES,
  type BadgeRole,
  type BadgeState,
  badgeState,
  roleOf,
  whyWithheld,
} from '../../../registry/compliance/badges.ts'
import type { ComplianceStore, StoredCompliance } from '../../../registry/compliance/store.ts'
import type { AgentDirectory } from '../../../registry/directory/store.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface BadgeRoutePorts {
  directory: Pick<AgentDirectory, 'get'>
  compliance: Pick<ComplianceStore, 'get'>
  clock: Clock
  /** Reads of one address. */
  reads: RateLimit
  publicUrl: () => string
  protocolName: string
  /** The release that examinations cover. */
  protocolVersion: string
}

const tags = ['Agent compliance']
const encodedUrl = z.string().max(6_144).describe('The agent URL, percent-encoded')
const ofAgent = z.object({ encodedUrl })
const role = z.enum(BADGE_ROLES)
const ofRole = z.object({ encodedUrl, role })
const version = z
  .string()
  .regex(/^\d{1,3}\.\d{1,3}$/)
  .describe('A release, such as 3.1: the badge of another is not verified')
const ofVersion = z.object({ encodedUrl, role, version })
const embed = z.object({
  agent_url: z.string(),
  role,
  verified: z.boolean(),
  proto_version: z.string().optional(),
  badge_svg_url: z.string(),
  registry_url: z.string(),
  html: z.string(),
  markdown: z.string(),
})
const verification = z.object({
  agent_url: z.string(),
  verified: z.boolean(),
  badges: z.array(
    z.object({
      role,
      proto_version: z.string(),
      verified_at: z.string(),
      verified_specialisms: z.array(z.string()),
      verification_modes: z.array(z.literal('spec')),
      verified_protocol_version: z.string(),
      badge_url: z.string(),
    }),
  ),
  withheld: z
    .array(z.object({ role, reason: z.string() }))
    .describe('The badges that the agent could have, and why it has not'),
  registry_url: z.string(),
})

export function badgeRoutes(ports: BadgeRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.get(
      '/api/registry/agents/:encodedUrl/verification',
      {
        schema: {
          operationId: 'getAgentVerification',
          summary: 'The badges of an agent, and why it has not those that it could have',
          tags,
          params: ofAgent,
          response: { 200: verification, ...refusals(400, 429) },
        },
      },
      async (request, reply) => {
        const found = await find(ports, request, request.params.encodedUrl)
        return found.ok ? verificationOf(ports, found) : sendRefusal(reply, found)
      },
    )
    const picture = {
      operationId: 'getAgentBadge',
      summary: 'A badge of an agent as a picture',
      tags,
      response: { 200: z.string().describe('image/svg+xml'), ...refusals(400, 429) },
    }
    const embedded = {
      operationId: 'getAgentBadgeEmbed',
      summary: 'A badge of an agent, to put on a page',
      tags,
      response: { 200: embed, ...refusals(400, 429) },
    }
    const path = '/api/registry/agents/:encodedUrl/badge/:role'
    app.get(`${path}.svg`, { schema: { ...picture, params: ofRole } }, async (request, reply) => {
      const found = await find(ports, request, request.params.encodedUrl)
      if (!found.ok) return sendRefusal(reply, found)
      return sendPicture(reply, pictureOf(ports, found, request.params))
    })
    app.get(
      `${path}/:version.svg`,
      { schema: { ...picture, operationId: 'getAgentBadgeOfVersion', params: ofVersion } },
      async (request, reply) => {
        const found = await find(ports, request, request.params.encodedUrl)
        if (!found.ok) return sendRefusal(reply, found)
        return sendPicture(reply, pictureOf(ports, found, request.params))
      },
    )
    app.get(
      `${path}/embed`,
      { schema: { ...embedded, params: ofRole } },
      async (request, reply) => {
        const found = await find(ports, request, request.params.encodedUrl)
        return found.ok ? embedOf(ports, found, request.params) : sendRefusal(reply, found)
      },
    )
    app.get(
      `${path}/:version/embed`,
      { schema: { ...embedded, operationId: 'getAgentBadgeEmbedOfVersion', params: ofVersion } },
      async (request, reply) => {
        const found = await find(ports, request, request.params.encodedUrl)
        return found.ok ? embedOf(ports, found, request.params) : sendRefusal(reply, found)
      },
    )
  }
}

interface Found {
  ok: true
  agentUrl: string
  /** The role that it may have a badge for. */
  role: BadgeRole | undefined
  compliance: StoredCompliance | undefined
  state: BadgeState
}

/** An agent that is not publicly listed looks like one that was never examined. */
async function find(
  { directory, compliance, clock, reads }: BadgeRoutePorts,
  request: FastifyRequest,
  encoded: string,
): Promise<Found | Refusal> {
  const taken = reads.take(request.address)
  if (!taken.ok) {
    return refuse(429, 'Too many requests', {
      message: 'too many reads of agents: retry after Retry-After seconds',
      retryAfter: taken.retryAfterSeconds,
    })
  }
  const agentUrl = canonicalAgentUrl(encoded)
  if (agentUrl === undefined) {
    return refuse(400, 'the agent must be an http(s) URL, percent-encoded')
  }
  const listed = await directory.get({ isMember: false }, agentUrl)
  const stored = listed ? await compliance.get(agentUrl) : undefined
  return {
    ok: true,
    agentUrl,
    role: listed && roleOf(listed.type),
    compliance: stored,
    state: badgeState(stored, clock.now()),
  }
}

interface Wanted {
  role: BadgeRole
  version?: string
}

function stateOf(ports: BadgeRoutePorts, found: Found, { role: of, version: at }: Wanted) {
  if (found.role !== of) return 'not verified' as const
  return at === undefined || at === ports.protocolVersion ? found.state : ('not verified' as const)
}

function pictureOf(ports: BadgeRoutePorts, found: Found, wanted: Wanted): string {
  const { protocolName } = ports
  return badgeSvg({ protocolName, ...wanted, state: stateOf(ports, found, wanted) })
}

/** Returns the picture after setting the headers that browsers need. */
function sendPicture(reply: Pick<FastifyReply, 'type' | 'header'>, svg: string): string {
  reply.type('image/svg+xml; charset=utf-8')
  reply.header('cache-control', 'public, max-age=300')
  reply.header('content-security-policy', "default-src 'none'")
  reply.header('x-content-type-options', 'nosniff')
  return svg
}

function addressOf({ publicUrl }: BadgeRoutePorts, { agentUrl }: Found): string {
  return `${publicUrl()}/api/registry/agents/${encodeURIComponent(agentUrl)}`
}

function embedOf(ports: BadgeRoutePorts, found: Found, wanted: Wanted) {
  const address = addressOf(ports, found)
  const of = wanted.version === undefined ? wanted.role : `${wanted.role}/${wanted.version}`
  const badge_svg_url = `${address}/badge/${of}.svg`
  const registry_url = `${address}/verification`
  const title = `${ports.protocolName} ${wanted.role}`
  // encodeURIComponent leaves no character that ends an attribute or a link, but for parentheses and the single quote.
  const [image, link] = [linkSafe(badge_svg_url), linkSafe(registry_url)]
  return {
    agent_url: found.agentUrl,
    role: wanted.role,
    verified: stateOf(ports, found, wanted) !== 'not verified',
    proto_version: wanted.version ?? ports.protocolVersion,
    badge_svg_url,
    registry_url,
    html: `<a href="${link}"><img src="${image}" alt="${title}" height="20"></a>`,
    markdown: `[![${title}](${image})](${link})`,
  }
}

function linkSafe(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll("'", '%27')
}

function verificationOf(ports: BadgeRoutePorts, found: Found) {
  const { role: own, state, compliance } = found
  const address = addressOf(ports, found)
  const isVerified = own !== undefined && compliance !== undefined && state !== 'not verified'
  return {
    agent_url: found.agentUrl,
    verified: isVerified,
    badges: isVerified
      ? [
          {
            role: own,
            proto_version: ports.protocolVersion,
            verified_at: new Date(compliance.last_passed_at).toISOString(),
            verified_specialisms: [],
            verification_modes: ['spec' as const],
            verified_protocol_version: ports.protocolVersion,
            badge_url: `${address}/badge/${own}.svg`,
          },
        ]
      : [],
    withheld:
      own === undefined || isVerified ? [] : [{ role: own, reason: whyWithheld(compliance) }],
    registry_url: `${address}/verification`,
  }
}
