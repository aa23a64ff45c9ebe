// `/console/api/events`: which views have changed, as server-sent events. A slow reader gets one notice for
// everything it missed; a stream ends with its session.

import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Topic } from '../../../console/api/events.ts'
import { EVENTS_PATH } from '../../../console/api/routes.ts'
import type { Changes } from '../../../console/changes.ts'
import { CONSOLE_LIMITS } from '../../../console/limits.ts'
import { Refused } from '../../../console/refusal.ts'
import type { Visitor } from '../../../console/sessions.ts'
import { createUsageQuota } from '../../../lib/usage-quota.ts'
import { type ConsoleGatePorts, gateFor } from './authorize.ts'
import { SESSION_COOKIE } from './cookie.ts'
import { consoleHeaders } from './headers.ts'
import { sendConsoleFault, sendConsoleRefusal } from './refusals.ts'

export interface EventRoutePorts extends ConsoleGatePorts {
  changes: Changes
  /** Ends the streams when the server stops. */
  stopping: AbortSignal
  onFault: (error: unknown) => void
}

const HEARTBEAT_MS = 15_000
const RETRY_MS = 2_000

export function eventRoutes(ports: EventRoutePorts) {
  const shares = createUsageQuota({
    max: CONSOLE_LIMITS.streams.value,
    maxOfOne: CONSOLE_LIMITS.streamsOfOne.value,
  })
  return (app: FastifyInstance): void => {
    app.get(
      EVENTS_PATH,
      {
        onRequest: [
          consoleHeaders,
          gateFor({ method: 'GET', path: EVENTS_PATH, role: 'viewer' }, ports),
        ],
        errorHandler: sendConsoleFault,
        schema: { hide: true },
        config: { quiet: true },
      },
      (request, reply) => {
        const { sessionHash } = request.visitor as Visitor
        if (shares.take(sessionHash) !== 'taken') return sendConsoleRefusal(reply, TOO_MANY)
        follow(reply, ports, {
          cookie: SESSION_COOKIE.of(request.headers.cookie) ?? '',
          onEnd: () => shares.give(sessionHash),
        })
        return reply
      },
    )
  }
}

const TOO_MANY = {
  status: 429,
  code: 'too_many_streams',
  message: `at most ${CONSOLE_LIMITS.streamsOfOne.value} open pages of one session receive live updates`,
  retryAfterSeconds: 30,
} as const

function follow(
  reply: FastifyReply,
  { changes, sessions, stopping, onFault }: EventRoutePorts,
  { cookie, onEnd }: { cookie: string; onEnd: () => void },
): void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  const stream = coalesced((text) => raw.write(text))
  raw.on('drain', stream.drained)
  raw.write(`retry: ${RETRY_MS}\n\n`)
  const stopListening = changes.listen(stream.changed)
  const end = () => {
    clearInterval(heart)
    stopListening()
    stopping.removeEventListener('abort', end)
    raw.off('close', end).end()
    onEnd()
  }
  const beat = async () => {
    try {
      if (await sessions.visitorOf(cookie, { isUse: false })) return stream.beat()
      raw.write('event: signed_out\ndata: {}\n\n')
      end()
    } catch (error) {
      // The identity provider does not confirm the session: it receives nothing meanwhile.
      if (error instanceof Refused) return end()
      // The database is unavailable: the session is checked again at the next heartbeat.
      onFault(error)
    }
  }
  const heart = setInterval(() => void beat(), HEARTBEAT_MS)
  raw.once('close', end)
  stopping.addEventListener('abort', end, { once: true })
}

/**
 * Writes notices while the reader keeps up; when it catches up again, one notice covers everything it missed.
 * @internal
 */
export function coalesced(write: (text: string) => boolean) {
  const missed = new Set<Topic>()
  let isBlocked = false
  const flush = () => {
    if (isBlocked || missed.size === 0) return
    const topics = [...missed]
    missed.clear()
    isBlocked = !write(`event: changed\ndata: ${JSON.stringify({ topics })}\n\n`)
  }
  return {
    changed: (topics: readonly Topic[]) => {
      for (const topic of topics) missed.add(topic)
      flush()
    },
    drained: () => {
      isBlocked = false
      flush()
    },
    beat: () => {
      if (!isBlocked) isBlocked = !write(': beat\n\n')
    },
  }
}
