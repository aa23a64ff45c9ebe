// `/api/registry/feed`: a page of changes, and the same as a live stream of server-sent events. The cursor is part of
// the data, so a broken stream resumes where it ended.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { type Deadline, startDeadline } from '../../../lib/deadline.ts'
import { stringifyPaced } from '../../../lib/paced-json.ts'
import type { OnWake } from '../../../lib/transaction.ts'
import { knownOrganization, type RegistryCaller } from '../../../registry/caller.ts'
import { FEED_LIMITS, FEED_TOPIC } from '../../../registry/feed.ts'
import { parseFeedQuery, type RawQuery, readFeed } from '../../../registry/read-feed.ts'
import { refuse } from '../../../registry/refusal.ts'
import type { FeedStore, OrganizationStore } from '../../../registry/store.ts'
import { unchecked } from '../unchecked.ts'
import { authenticated, callerName, type GatePorts, sendRefusal } from './answers.ts'
import { followFeed } from './feed-stream.ts'
import { countStreams } from './feed-streams.ts'
import { feedPage, refusals } from './schemas.ts'

export interface FeedRoutePorts extends Pick<GatePorts, 'access'> {
  organizations: OrganizationStore
  feed: FeedStore
  clock: Clock
  onWake: OnWake
  resourceMetadataUrl: () => string
  /** Ends the streams when the server stops. */
  stopping: AbortSignal
}

const tags = ['Change feed']
const security = [{ bearerAuth: [] }]
const querystring = z.object({
  cursor: z.uuid().optional().describe('The last event seen; what follows it is answered'),
  types: z.string().optional().describe('Types between commas; a trailing * is a prefix'),
  limit: z.coerce.number().int().min(1).max(FEED_LIMITS.feedPageLength.value).default(100),
})
const streamQuery = querystring.extend({
  poll_interval_seconds: z.coerce.number().int().min(5).max(60).default(15),
})

export function feedRoutes(ports: FeedRoutePorts) {
  const streams = countStreams()
  return (app: FastifyInstance): void => {
    getRegistryFeed(app, ports)
    streamRegistryFeed(app, ports, streams)
  }
}

function getRegistryFeed(app: FastifyInstance, ports: FeedRoutePorts): void {
  const { resourceMetadataUrl } = ports
  app.get(
    '/api/registry/feed',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'getRegistryFeed',
        summary: 'Changes after a cursor',
        tags,
        security,
        querystring,
        response: { 200: feedPage, ...refusals(400, 401, 410) },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const query = parseFeedQuery(request.query as RawQuery)
      if (!query.ok) return sendRefusal(reply, query)
      const full = request.hold?.resize(request, query.limit * EVENT_BYTES)
      if (full) throw full
      const answer = await readFeed(ports, query, await readerOf(ports, who.caller))
      if (!answer.ok) return sendRefusal(reply, answer)
      const text = await stringifyPaced(answer.body, Number.POSITIVE_INFINITY)
      return reply.type('application/json; charset=utf-8').send(text)
    },
  )
}

function streamRegistryFeed(
  app: FastifyInstance,
  ports: FeedRoutePorts,
  streams: ReturnType<typeof countStreams>,
): void {
  const { resourceMetadataUrl } = ports
  app.get(
    '/api/registry/feed/stream',
    {
      validatorCompiler: unchecked,
      schema: {
        operationId: 'streamRegistryFeed',
        summary: 'Changes as they happen, as server-sent events',
        tags,
        security,
        querystring: streamQuery,
        response: {
          200: z.string().describe('text/event-stream of feed, heartbeat and error events'),
          ...refusals(400, 401, 410, 429),
        },
      },
    },
    async (request, reply) => {
      const who = await authenticated(ports, request)
      if (!who.ok) return sendRefusal(reply, who, resourceMetadataUrl)
      const raw = request.query as RawQuery
      const query = parseFeedQuery(raw)
      if (!query.ok) return sendRefusal(reply, query)
      const interval = Number(raw.poll_interval_seconds ?? 15)
      if (!Number.isInteger(interval) || interval < 5 || interval > 60) {
        return sendRefusal(
          reply,
          refuse(400, 'poll_interval_seconds must be a whole number from 5 to 60'),
        )
      }
      // Existing changes are split into several events.
      const pages = { ...query, limit: Math.min(query.limit, STREAM_EVENTS) }
      // Counted before the first await, so that concurrent requests cannot exceed the limit together.
      const opened = streams.open(callerName(who.caller))
      if (!opened.ok) return sendRefusal(reply, opened)
      try {
        const organizationId = await readerOf(ports, who.caller)
        // The first page is read before the stream begins, so that an expired cursor is a plain 410.
        const first = await readFeed(ports, pages, organizationId)
        if (!first.ok) {
          opened.close()
          return sendRefusal(reply, first)
        }
        const closed = closedSignal(reply, ports.stopping)
        void followFeed({
          write: openStream(request, reply),
          closed: closed.signal,
          first: first.body,
          read: async (cursor) => {
            // Reading stops if the key was revoked meanwhile.
            const isKey = who.caller.kind === 'organization'
            const still = isKey ? await authenticated(ports, request) : who
            return still.ok ? readFeed(ports, { ...pages, cursor }, organizationId) : still
          },
          onChange: (listener) => ports.onWake(FEED_TOPIC, listener),
          intervalMs: interval * 1_000,
        }).finally(() => {
          opened.close()
          closed.end()
          reply.raw.end()
        })
        return reply
      } catch (error) {
        opened.close()
        throw error
      }
    },
  )
}

/** The organisation with the private events that the reader may see; the empty name matches none. */
async function readerOf(
  ports: Pick<FeedRoutePorts, 'organizations'>,
  caller: RegistryCaller,
): Promise<string> {
  return (await knownOrganization(ports, caller))?.organizationId ?? ''
}

/** Assumed size of an event that was not read yet. */
const EVENT_BYTES = 600
/** Maximum events sent as one event of a stream: all streams may have something to send at once. */
const STREAM_EVENTS = 500

/** Takes over the socket from the framework; resolves when the reader has read what was written. */
function openStream(request: FastifyRequest, reply: FastifyReply): (text: string) => Promise<void> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  return async (text) => {
    const bytes = Buffer.from(text)
    const full = request.hold?.resize(request, bytes.length)
    // The reader reconnects with its cursor and misses nothing.
    if (full) raw.destroy()
    if (raw.destroyed || raw.write(bytes)) return
    request.hold?.awaitReader(true)
    await new Promise<void>((resolve) => {
      raw.once('drain', resolve)
      raw.once('close', resolve)
    })
    request.hold?.awaitReader(false)
  }
}

function closedSignal(reply: FastifyReply, stopping: AbortSignal): Deadline {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return startDeadline({ signals: [gone.signal, stopping] })
}
