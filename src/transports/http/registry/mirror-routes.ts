// `/api/registry/mirrors` and `/translated/{platform}/adagents.json`: publishing, serving and withdrawing community
// mirrors.

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  type MirrorDocument,
  mirrorInput,
  PLATFORM,
  publisherDomains,
} from '../../../registry/mirrors/mirror.ts'
import {
  deleteMirror,
  MIRROR_NOT_FOUND,
  type MirrorPorts,
  publishMirror,
} from '../../../registry/mirrors/publish-mirror.ts'
import type { Mirror } from '../../../registry/mirrors/store.ts'
import { sendFault } from '../errors.ts'
import { sendRefusal } from './answers.ts'
import { pageOf } from './catalogue-schemas.ts'
import {
  type ContributorPorts,
  contributorsOnly,
  mayContribute,
  mayModerate,
  moderatorsOnly,
} from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export interface MirrorRoutePorts extends MirrorPorts, ContributorPorts {
  publicUrl: () => string
}

const tags = ['Community mirrors']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const platform = z.string().regex(PLATFORM).describe('Such as a_social_network')
const params = z.object({ platform })
const text = z.string().nullable()
export const mirrorDocument = z.looseObject({
  authorized_agents: z.array(z.unknown()).max(0).describe('A mirror grants no authorization'),
})

export const publishedMirror = z.object({
  success: z.literal(true),
  platform: z.string(),
  catalog_etag: text,
  superseded_by: text,
  publisher_domains: z.array(z.string()),
  updated_at: z.string(),
})
const submitted = z.object({
  success: z.literal(true),
  status: z.literal('pending'),
  proposal_id: z.string(),
  proposal_digest: z.string(),
  platform: z.string(),
  status_url: z.string(),
  submitted_at: z.string(),
})

export function mirrorRoutes(ports: MirrorRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    listMirrors(app, ports)
    getMirror(app, ports)
    putMirror(app, ports)
    deleteMirrorRoute(app, ports)
    serveMirror(app, ports)
  }
}

function listMirrors(app: TypedApp, { mirrors }: MirrorRoutePorts): void {
  app.get(
    '/api/registry/mirrors',
    {
      schema: {
        operationId: 'listCommunityMirrors',
        summary: 'Community mirrors, by platform',
        tags,
        querystring: z.object(pageOf({ max: 100, standard: 50 })),
        response: {
          200: z.object({
            mirrors: z.array(
              z.object({
                platform: z.string(),
                catalog_etag: text,
                superseded_by: text,
                updated_at: z.string(),
              }),
            ),
            total: z.number().int(),
          }),
          ...refusals(400, 429),
        },
      },
    },
    async (request) => mirrors.list(request.query),
  )
}

function getMirror(app: TypedApp, { mirrors }: MirrorRoutePorts): void {
  app.get(
    '/api/registry/mirrors/:platform',
    {
      schema: {
        operationId: 'getCommunityMirror',
        summary: 'What the community contributed about a platform',
        tags,
        params,
        response: {
          200: z.object({
            platform: z.string(),
            catalog_etag: text,
            superseded_by: text,
            adagents_json: mirrorDocument,
            created_at: z.string(),
            updated_at: z.string(),
          }),
          ...refusals(400, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const mirror = await mirrors.get(request.params.platform)
      if (!mirror) return sendRefusal(reply, MIRROR_NOT_FOUND)
      return { ...mirror, adagents_json: servedDocument(mirror) }
    },
  )
}

function putMirror(app: TypedApp, ports: MirrorRoutePorts): void {
  app.put(
    '/api/registry/mirrors/:platform',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'publishCommunityMirror',
        summary: 'Publish a mirror as a moderator, or propose one',
        description:
          'A mirror has at least one format, property, placement, collection or signal. It grants no authorization: ' +
          'authorized_agents may be sent and is always empty.',
        tags,
        security,
        params,
        body: mirrorInput,
        response: {
          200: publishedMirror,
          202: submitted,
          ...refusals(400, 401, 403, 413, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayContribute(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const wanted = { platform: request.params.platform, input: request.body }
      const done = await publishMirror(ports, who.contributor, wanted)
      if (!done.ok) return sendRefusal(reply, done)
      if ('mirror' in done) return publishedAnswer(done.mirror)
      const { id, digest, proposed_at } = done.proposal
      const status_url = `${ports.publicUrl()}/api/registry/mirror-proposals/${id}`
      reply.code(202).header('location', status_url)
      return {
        success: true as const,
        status: 'pending' as const,
        proposal_id: id,
        proposal_digest: digest,
        platform: done.proposal.platform,
        status_url,
        submitted_at: proposed_at,
      }
    },
  )
}

function deleteMirrorRoute(app: TypedApp, ports: MirrorRoutePorts): void {
  app.delete(
    '/api/registry/mirrors/:platform',
    {
      onRequest: moderatorsOnly(ports),
      schema: {
        operationId: 'deleteCommunityMirror',
        summary: 'Withdraw a mirror that has a successor',
        tags,
        security,
        params,
        querystring: z.object({
          force: z.enum(['true', 'false']).optional().describe('Also one that has none'),
        }),
        response: {
          200: z.object({ success: z.literal(true), platform: z.string() }),
          ...refusals(400, 401, 403, 404, 409, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayModerate(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { platform } = request.params
      const isForced = request.query.force === 'true'
      const done = await deleteMirror(ports, who.moderator, { platform, isForced })
      return done.ok ? { success: true as const, platform } : sendRefusal(reply, done)
    },
  )
}

function serveMirror(app: TypedApp, { mirrors }: MirrorRoutePorts): void {
  app.get(
    '/translated/:platform/adagents.json',
    {
      schema: {
        operationId: 'getTranslatedAdagents',
        summary: 'A community mirror as the adagents.json of its platform',
        tags,
        params,
        response: {
          200: mirrorDocument,
          304: z.null().describe('It is the one that the caller holds'),
          ...refusals(400, 404, 429),
        },
      },
    },
    async ({ headers, params: { platform } }, reply) => {
      const mirror = await mirrors.get(platform)
      if (!mirror) return sendFault(reply, { status: 404, error: MIRROR_NOT_FOUND.error })
      const etag = etagOf(mirror)
      reply
        .header('etag', etag)
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .header('x-content-type-options', 'nosniff')
      if (mirror.superseded_by !== null) {
        const successor = new URL(mirror.superseded_by).href
        reply.header('link', `<${successor}>; rel="successor-version"`)
      }
      if (matches(headers['if-none-match'], etag)) return reply.code(304).send(null)
      reply.type('application/json; charset=utf-8')
      return servedDocument(mirror)
    },
  )
}

export function publishedAnswer(mirror: Mirror) {
  const { platform, catalog_etag, superseded_by, updated_at } = mirror
  return {
    success: true as const,
    platform,
    catalog_etag,
    superseded_by,
    publisher_domains: publisherDomains(JSON.parse(mirror.document) as MirrorDocument),
    updated_at,
  }
}

function servedDocument({ document, updated_at }: Mirror): MirrorDocument {
  return { ...(JSON.parse(document) as MirrorDocument), last_updated: updated_at }
}

/** RFC 9110 §8.8.3: an etag that contains other characters is not sent. */
const ETAG_CHARS = /^[\x21\x23-\x7e]+$/

function etagOf({ catalog_etag, digest, updated_at }: Mirror): string {
  if (catalog_etag !== null && ETAG_CHARS.test(catalog_etag)) return `"${catalog_etag}"`
  return `"${createHash('sha256').update(`${digest} ${updated_at}`).digest('base64url')}"`
}

/** RFC 9110 §13.1.2: a list, or `*`; compared weakly. */
function matches(header: string | undefined, etag: string): boolean {
  const held = header?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held?.some((one) => one === etag || one === '*') ?? false
}
