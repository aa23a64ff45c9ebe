// `GET /api/registry/network`: the health of all publishers of a manager or an agent, with what to change.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import { cursorOf, readCursor } from '../../../protocol/cursor.ts'
import { FINDING_KINDS } from '../../../registry/network/findings.ts'
import { NETWORK_LIMITS } from '../../../registry/network/limits.ts'
import { networkHealth } from '../../../registry/network/network-health.ts'
import { readSubject } from '../../../registry/network/read-subject.ts'
import type { NetworkStore } from '../../../registry/network/store.ts'
import { refuse } from '../../../registry/refusal.ts'
import { unchecked } from '../unchecked.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface NetworkRoutePorts {
  network: NetworkStore
  clock: Clock
  reports: RateLimit
}

const time = z.string().nullable()

const report = z.object({
  manager_domain: z.string().nullable(),
  agent_url: z.string().nullable(),
  checked_at: z.string(),
  summary: z
    .object({
      publishers: z.number(),
      healthy: z.number(),
      stale: z.number(),
      missing: z.number(),
      contradictory: z.number(),
      expiring: z.number(),
    })
    .describe('Of the publishers that this report looked at'),
  findings: z.array(
    z.object({
      kind: z.enum(FINDING_KINDS),
      code: z.string(),
      domain: z.string(),
      agent_url: z.string().nullable(),
      since: time,
      until: time,
      message: z.string(),
      change: z.string().describe('What to change, and where'),
    }),
  ),
  next_cursor: z.string().nullable(),
})

type Query = Record<string, string | string[] | undefined>

export function networkRoutes(ports: NetworkRoutePorts) {
  return (app: FastifyInstance): void => {
    app.get(
      '/api/registry/network',
      {
        validatorCompiler: unchecked,
        schema: {
          operationId: 'getNetworkHealth',
          summary:
            'Publishers of a manager or an agent that are stale, missing, contradictory or about to expire',
          tags: ['Authorization lookups'],
          querystring: z.object({
            manager: z.string().optional().describe('Domain of a manager; or agent'),
            agent: z.string().optional().describe('URL of an agent; or manager'),
            kind: z.enum(FINDING_KINDS).optional(),
            cursor: z.string().optional(),
            limit: z.string().optional().describe('1 to 1000 findings, default 200'),
          }),
          response: { 200: report, ...refusals(400, 429) },
        },
      },
      async (request, reply) => {
        const query = parse(request.query as Query)
        if (!query.ok) return sendRefusal(reply, query)
        const taken = ports.reports.take(request.account)
        if (!taken.ok) {
          const { retryAfterSeconds: retryAfter } = taken
          return sendRefusal(reply, refuse(429, 'Too many requests', { retryAfter }))
        }
        const now = ports.clock.now()
        const { findings, summary, next_after } = await networkHealth(ports, { ...query, now })
        const { publishers, healthy, by_kind } = summary
        return {
          manager_domain: null,
          agent_url: null,
          ...query.subject,
          checked_at: new Date(now).toISOString(),
          summary: { publishers, healthy, ...by_kind },
          findings: findings.map((one) => ({
            ...one,
            since: isoOf(one.since),
            until: isoOf(one.until),
          })),
          next_cursor: next_after === null ? null : cursorOf(query.place, [next_after]),
        }
      },
    )
  }
}

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString())

function parse(query: Query) {
  const given = new Map(Object.entries(query))
  const repeated = [...given].find(([, value]) => Array.isArray(value))
  if (repeated) return refuse(400, `${repeated[0]} was given twice: give it once`)
  const text = (name: string) => given.get(name) as string | undefined
  const read = readSubject({ manager: text('manager'), agent: text('agent') })
  if (!read.ok) return read
  const kind = FINDING_KINDS.find((one) => one === text('kind'))
  if (kind === undefined && text('kind') !== undefined) {
    return refuse(400, `kind must be one of ${FINDING_KINDS.join(', ')}`)
  }
  const limit = Number(text('limit') ?? 200)
  const most = NETWORK_LIMITS.networkFindings.value
  if (!Number.isInteger(limit) || limit < 1 || limit > most) {
    return refuse(400, `limit must be a whole number from 1 to ${most}`)
  }
  const place = `network ${Object.values(read.subject)[0]}`
  const cursor = text('cursor')
  const after = cursor === undefined ? [''] : readCursor(place, cursor, ['text'] as const)
  if (!after) return refuse(400, 'cursor is not one of this report: begin without one')
  const { subject } = read
  return { ok: true as const, subject, kind, limit, place, after: after[0] ?? '' }
}
