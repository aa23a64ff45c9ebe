// `/api/manifest-refs`: create, list, show, verify now, delete, statistics (spec 4.5).

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import { MANIFEST_TYPES, VERIFICATION_STATUSES } from '../../../protocol/manifest-reference.ts'
import { knownOrganization } from '../../../registry/caller.ts'
import { LIST_LIMITS, listReferences } from '../../../registry/list-references.ts'
import {
  createReference,
  REFERENCE_NOT_FOUND,
  type ReferencePorts,
  removeReference,
  verifyReferenceNow,
} from '../../../registry/references.ts'
import { refuse } from '../../../registry/refusal.ts'
import type { ReferenceStats } from '../../../registry/store.ts'
import { unchecked } from '../unchecked.ts'
import { authenticated, type GatePorts, mayWrite, sendRefusal, writersOnly } from './answers.ts'
import {
  historyEntry,
  referenceInput,
  referencePage,
  referenceRecord,
  refusals,
  statsBody,
} from './schemas.ts'

export interface ReferenceRoutePorts extends ReferencePorts, GatePorts {
  /** Counted at most every few seconds: a count reads every row. */
  stats: () => Promise<ReferenceStats>
  resourceMetadataUrl: () => string
}

const tags = ['Manifest references']
const security = [{ bearerAuth: [] }]
const idParams = z.object({ id: z.string().max(100) })
const one = z.object({ success: z.literal(true), reference: referenceRecord })
const HISTORY_SHOWN = 50

const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

export function referenceRoutes(ports: ReferenceRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    createManifestRef(app, ports)
    listManifestRefs(app, ports)
    getManifestRefStats(app, ports)
    getManifestRef(app, ports)
    verifyManifestRef(app, ports)
    deleteManifestRef(app, ports)
  }
}

function createManifestRef(app: TypedApp, ports: ReferenceRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.post(
    '/api/manifest-refs',
    {
      onRequest: writersOnly(ports),
      validatorCompiler: unchecked,
      schema: {
        operationId: 'createManifestRef',
        summary: 'Contribute a reference',
        tags,
        security,
        body: referenceInput,
        response: { 200: one, 201: one, ...refusals(400, 401, 413, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const created = await createReference(ports, who.caller, request.body)
      if (!created.ok) return sendRefusal(reply, created)
      reply.code(created.created ? 201 : 200)
      return { success: true as const, reference: created.reference }
    },
  )
}

function listManifestRefs(app: TypedApp, ports: ReferenceRoutePorts): void {
  const { references, resourceMetadataUrl } = ports
  app.get(
    '/api/manifest-refs',
    {
      schema: {
        operationId: 'listManifestRefs',
        summary: 'References, by domain and rank',
        tags,
        querystring: z.object({
          domain: z.string().max(2_048).optional(),
          manifest_type: z.enum(MANIFEST_TYPES).optional(),
          verification_status: z.enum(VERIFICATION_STATUSES).optional(),
          mine: z.enum(['true', 'false']).optional().describe('Only those of the caller'),
          limit: z.coerce.number().int().min(1).max(LIST_LIMITS.pageLength.value).default(50),
          cursor: z.string().max(2_048).optional().describe('Of the page before'),
          offset: z.coerce
            .number()
            .int()
            .min(0)
            .default(0)
            .describe(`At most ${LIST_LIMITS.offset.value}: use the cursor`),
        }),
        response: { 200: referencePage, ...refusals(400, 401, 429) },
      },
    },
    async (request, reply) => {
      const { mine, domain, ...filter } = request.query
      let organizationId: string | undefined
      if (mine === 'true') {
        const who = await authenticated(ports, request)
        if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
        // A caller without an organisation has contributed nothing.
        organizationId = (await knownOrganization(ports, who.caller))?.organizationId ?? ''
      }
      const named = domain === undefined ? undefined : normaliseDomain(domain)
      if (named && !named.ok) return sendRefusal(reply, refuse(400, named.reason))
      const listed = await listReferences(references, {
        ...filter,
        domain: named?.domain,
        contributed_by_org_id: organizationId,
      })
      return listed.ok ? listed.page : sendRefusal(reply, listed)
    },
  )
}

function getManifestRefStats(app: TypedApp, ports: ReferenceRoutePorts): void {
  app.get(
    '/api/manifest-refs/stats',
    {
      schema: {
        operationId: 'getManifestRefStats',
        summary: 'How many references there are',
        tags,
        response: { 200: statsBody },
      },
    },
    async () => ({ success: true as const, stats: await ports.stats() }),
  )
}

function getManifestRef(app: TypedApp, ports: ReferenceRoutePorts): void {
  const { references } = ports
  app.get(
    '/api/manifest-refs/:id',
    {
      schema: {
        operationId: 'getManifestRef',
        summary: 'A reference and the history of its verification',
        tags,
        params: idParams,
        response: {
          200: one.extend({ history: z.array(historyEntry) }),
          ...refusals(404),
        },
      },
    },
    async (request, reply) => {
      const reference = await references.get(request.params.id)
      if (!reference) return sendRefusal(reply, REFERENCE_NOT_FOUND)
      const history = await references.history(reference.id, HISTORY_SHOWN)
      return { success: true as const, reference, history }
    },
  )
}

function verifyManifestRef(app: TypedApp, ports: ReferenceRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.post(
    '/api/manifest-refs/:id/verify',
    {
      onRequest: writersOnly(ports),
      schema: {
        operationId: 'verifyManifestRef',
        summary: 'Verify a reference now',
        tags,
        security,
        params: idParams,
        response: { 202: one, ...refusals(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const requested = await verifyReferenceNow(ports, who.caller, request.params.id)
      if (!requested.ok) return sendRefusal(reply, requested)
      reply.code(202)
      return { success: true as const, reference: requested.reference }
    },
  )
}

function deleteManifestRef(app: TypedApp, ports: ReferenceRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.delete(
    '/api/manifest-refs/:id',
    {
      onRequest: writersOnly(ports),
      schema: {
        operationId: 'deleteManifestRef',
        summary: 'Remove a reference',
        tags,
        security,
        params: idParams,
        response: {
          200: z.object({ success: z.literal(true) }),
          ...refusals(401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await mayWrite(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const removed = await removeReference(ports, who.caller, request.params.id)
      return removed.ok ? { success: true as const } : sendRefusal(reply, removed)
    },
  )
}
