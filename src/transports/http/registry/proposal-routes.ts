// `/api/registry/mirror-proposals`: mirrors that wait for a moderator, or did so before.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { knownOrganization } from '../../../registry/caller.ts'
import type { Contributor } from '../../../registry/contributors.ts'
import { type MirrorDocument, storable } from '../../../registry/mirrors/mirror.ts'
import {
  approveProposal,
  readProposal,
  rejectProposal,
} from '../../../registry/mirrors/review-proposal.ts'
import { PROPOSAL_STATUSES, type Proposal } from '../../../registry/mirrors/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { pageOf } from './catalogue-schemas.ts'
import { contributorsOnly, mayContribute, mayModerate, moderatorsOnly } from './contributor-gate.ts'
import {
  type MirrorRoutePorts,
  mirrorDocument,
  publishedAnswer,
  publishedMirror,
} from './mirror-routes.ts'
import { refusals } from './schemas.ts'

const tags = ['Community mirrors']
const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const params = z.object({ id: z.string().max(100).refine(storable) })
const text = z.string().nullable()
const digest = z.string().max(200).describe('Of the proposal as it was read')
const proposalSummary = z.object({
  id: z.string(),
  platform: z.string(),
  catalog_etag: text,
  superseded_by: text,
  proposal_digest: z.string(),
  base_mirror_digest: text,
  status: z.enum(PROPOSAL_STATUSES),
  proposed_at: z.string(),
  reviewed_at: text,
  published_at: text,
  updated_at: z.string(),
})
const proposal = proposalSummary.extend({
  adagents_json: mirrorDocument,
  proposed_by_organization_id: text,
  proposed_by_email: text,
  review_notes: text,
  created_at: z.string(),
})

export function proposalRoutes(ports: MirrorRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    listProposals(app, ports)
    getProposal(app, ports)
    approve(app, ports)
    reject(app, ports)
  }
}

function listProposals(app: TypedApp, ports: MirrorRoutePorts): void {
  app.get(
    '/api/registry/mirror-proposals',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'listMirrorProposals',
        summary: 'Proposed mirrors of my organisation, or all of them for moderators',
        tags,
        security,
        querystring: z.object({
          status: z.enum(PROPOSAL_STATUSES).optional(),
          review_queue: z
            .enum(['true', 'false'])
            .optional()
            .describe('Those of all organisations; for moderators'),
          ...pageOf({ max: 50, standard: 20 }),
        }),
        response: {
          200: z.object({ proposals: z.array(proposalSummary), total: z.number().int() }),
          ...refusals(400, 401, 403, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayContribute(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { status, review_queue, limit, offset } = request.query
      const isModerator = who.contributor.kind === 'moderator'
      if (review_queue === 'true' && !isModerator) return sendRefusal(reply, ONLY_MODERATORS)
      const organizationId = await organizationOf(ports, who.contributor)
      const found = await ports.mirrors.proposals({ organizationId, status }, { limit, offset })
      return { proposals: found.proposals.map(summaryOf), total: found.total }
    },
  )
}

function getProposal(app: TypedApp, ports: MirrorRoutePorts): void {
  app.get(
    '/api/registry/mirror-proposals/:id',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'getMirrorProposal',
        summary: 'A proposed mirror',
        tags,
        security,
        params,
        response: { 200: z.object({ proposal }), ...refusals(400, 401, 404, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayContribute(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const read = await readProposal(ports, who.contributor, request.params.id)
      return read.ok ? { proposal: proposalAnswer(read.proposal) } : sendRefusal(reply, read)
    },
  )
}

function approve(app: TypedApp, ports: MirrorRoutePorts): void {
  app.post(
    '/api/registry/mirror-proposals/:id/approve',
    {
      onRequest: moderatorsOnly(ports),
      schema: {
        operationId: 'approveMirrorProposal',
        summary: 'Publish a proposed mirror',
        tags,
        security,
        params,
        body: z.object({
          proposal_digest: digest,
          review_notes: z.string().max(2_000).refine(storable).optional(),
        }),
        response: {
          200: publishedMirror.extend({ proposal_id: z.string() }),
          ...refusals(400, 401, 403, 404, 409, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayModerate(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { id } = request.params
      const done = await approveProposal(ports, who.moderator, { id, ...request.body })
      if (!done.ok) return sendRefusal(reply, done)
      return { ...publishedAnswer(done.mirror), proposal_id: id }
    },
  )
}

function reject(app: TypedApp, ports: MirrorRoutePorts): void {
  app.post(
    '/api/registry/mirror-proposals/:id/reject',
    {
      onRequest: moderatorsOnly(ports),
      schema: {
        operationId: 'rejectMirrorProposal',
        summary: 'Reject a proposed mirror, with a reason',
        tags,
        security,
        params,
        body: z.object({
          proposal_digest: digest,
          review_notes: z.string().min(1).max(2_000).refine(storable),
        }),
        response: {
          200: z.object({ success: z.literal(true), proposal }),
          ...refusals(400, 401, 403, 404, 409, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayModerate(ports, request)
      if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
      const { id } = request.params
      const done = await rejectProposal(ports, who.moderator, { id, ...request.body })
      if (!done.ok) return sendRefusal(reply, done)
      return { success: true as const, proposal: proposalAnswer(done.proposal) }
    },
  )
}

/** Undefined for a moderator, who sees everything; a caller without an organisation has no proposals. */
async function organizationOf(
  ports: MirrorRoutePorts,
  contributor: Contributor,
): Promise<string | undefined> {
  if (contributor.kind === 'moderator') return undefined
  return (await knownOrganization(ports, contributor))?.organizationId ?? ''
}

function summaryOf({ digest, status, reviewed_at, ...rest }: Omit<Proposal, 'document'>) {
  const published_at = status === 'approved' ? reviewed_at : null
  return { ...rest, proposal_digest: digest, status, reviewed_at, published_at }
}

function proposalAnswer({ document, ...rest }: Proposal) {
  return {
    ...summaryOf(rest),
    adagents_json: JSON.parse(document) as MirrorDocument,
    proposed_by_organization_id: rest.organization_id,
    proposed_by_email: null,
    review_notes: rest.review_notes,
    created_at: rest.proposed_at,
  }
}

const ONLY_MODERATORS = refuse(403, 'Moderator access required', {
  message: 'review_queue is for moderators: omit it to list the proposals of your organization',
})
