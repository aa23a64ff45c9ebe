// `/api/brands/save` and `/api/properties/save`: entries that people save for domains that publish no file of their
// own, and the history of these entries.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { NAME_RULE, parseName } from '../../../lib/display-name.ts'
import { isStorable } from '../../../lib/storable-text.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import { type Refusal, refuse } from '../../../registry/refusal.ts'
import type { SavedKind } from '../../../registry/saved/entry.ts'
import { entryHistory } from '../../../registry/saved/read-entry.ts'
import { type SavedPorts, type SavedResult, saveEntry } from '../../../registry/saved/save-entry.ts'
import { sendRefusal } from './answers.ts'
import { historyPage, revision } from './catalogue-schemas.ts'
import {
  type ContributorPorts,
  contributorsOnly,
  mayContribute,
  readerOf,
} from './contributor-gate.ts'
import { refusals } from './schemas.ts'

export interface SavedRoutePorts extends ContributorPorts, SavedPorts {
  /** Whether anything is known about a domain. */
  isKnown(kind: SavedKind, domain: string): Promise<boolean>
}

const security = [{ bearerAuth: [] }]
const typed = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()
type TypedApp = ReturnType<typeof typed>

const domain = z.string().min(1).max(2_048)
const document = z.record(z.string(), z.unknown())
const saved = z.object({
  success: z.literal(true),
  message: z.string(),
  domain: z.string(),
  id: z.string(),
  revision_number: z.number().int().optional().describe('Of an edit'),
})
const short = z.string().min(1).max(500).refine(isStorable)
const property = z.looseObject({
  type: short,
  name: short,
  id: short.optional(),
  identifiers: z
    .array(z.object({ type: short, value: short }))
    .max(100)
    .optional(),
  tags: z.array(short).max(100).optional(),
})

export function savedRoutes(ports: SavedRoutePorts) {
  return (plain: FastifyInstance): void => {
    const app = typed(plain)
    saveBrandRoute(app, ports)
    savePropertyRoute(app, ports)
    historyRoute(app, ports, 'brand')
    historyRoute(app, ports, 'property')
  }
}

function saveBrandRoute(app: TypedApp, ports: SavedRoutePorts): void {
  app.post(
    '/api/brands/save',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'saveBrand',
        summary: 'Save a brand for a domain that has no brand.json',
        description: 'A new one waits for a review. A domain with a brand.json of its own is 409.',
        tags: ['Brands'],
        security,
        body: z.object({ domain, brand_name: z.string(), brand_manifest: document.optional() }),
        response: { 200: saved, ...refusals(400, 401, 403, 409, 413, 429) },
      },
    },
    async (request, reply) => {
      const { brand_name, brand_manifest } = request.body
      const name = parseName(brand_name)
      if (name === undefined)
        return sendRefusal(reply, refuse(400, `brand_name must be ${NAME_RULE}`))
      const body = brand_manifest === undefined ? {} : { brand_manifest }
      const done = await save(ports, request, {
        kind: 'brand',
        domain: request.body.domain,
        name,
        body,
      })
      return done.ok ? toWire(done) : sendRefusal(reply, done, ports.resourceMetadataUrl)
    },
  )
}

function savePropertyRoute(app: TypedApp, ports: SavedRoutePorts): void {
  app.post(
    '/api/properties/save',
    {
      onRequest: contributorsOnly(ports),
      schema: {
        operationId: 'saveProperty',
        summary: 'Save the properties of a domain that has no adagents.json',
        description:
          'It says which properties there are, and authorizes no agent: authorized_agents may be sent and is not ' +
          'kept. A new one waits for a review. A domain with an adagents.json is 409.',
        tags: ['Properties'],
        security,
        body: z.object({
          publisher_domain: domain,
          authorized_agents: z.array(z.unknown()).max(10_000).optional(),
          properties: z.array(property).max(1_000).optional(),
          contact: z
            .object({ name: short.optional(), email: z.string().max(320).optional() })
            .optional(),
        }),
        response: { 200: saved, ...refusals(400, 401, 403, 409, 413, 429) },
      },
    },
    async (request, reply) => {
      const { publisher_domain, properties = [], contact } = request.body
      const done = await save(ports, request, {
        kind: 'property',
        domain: publisher_domain,
        name: contact?.name ?? publisher_domain,
        body: { authorized_agents: [], properties, ...(contact ? { contact } : {}) },
      })
      return done.ok ? toWire(done) : sendRefusal(reply, done, ports.resourceMetadataUrl)
    },
  )
}

async function save(
  ports: SavedRoutePorts,
  request: FastifyRequest,
  entry: Parameters<typeof saveEntry>[2],
): Promise<SavedResult> {
  const who = await mayContribute(ports, request)
  if (!who.ok) return who
  const text = JSON.stringify(entry.body)
  const most = CATALOGUE_LIMITS.savedBytes.value
  if (Buffer.byteLength(text) > most) return refuse(413, `what is saved is at most ${most} bytes`)
  if (!isStorable(text)) return NOT_STORABLE
  return saveEntry(ports, who.contributor, entry)
}

const NOT_STORABLE: Refusal = refuse(400, 'a text holds a character that cannot be stored')

function toWire({ domain: of, id, message, revision_number }: Extract<SavedResult, { ok: true }>) {
  return {
    success: true as const,
    message,
    domain: of,
    id,
    ...(revision_number === null ? {} : { revision_number }),
  }
}

function historyRoute(app: TypedApp, ports: SavedRoutePorts, kind: SavedKind): void {
  const isBrand = kind === 'brand'
  app.get(
    isBrand ? '/api/brands/history' : '/api/properties/history',
    {
      schema: {
        operationId: isBrand ? 'getBrandHistory' : 'getPropertyHistory',
        summary: `The edits of what was saved for a domain as a ${kind}, the newest first`,
        tags: [isBrand ? 'Brands' : 'Properties'],
        querystring: z.object({ domain, ...historyPage }),
        response: {
          200: z.object({
            domain: z.string(),
            total: z.number().int(),
            revisions: z.array(revision),
          }),
          ...refusals(400, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const found = await entryHistory(ports, { kind, ...request.query }, readerOf(ports, request))
      if (!found.ok) return sendRefusal(reply, found)
      return { domain: found.domain, total: found.total, revisions: found.revisions }
    },
  )
}
