// From the bytes of a webhook to the response its sender gets (spec 4.4, 6.4). The checks run in a fixed order, and
// the first that fails decides the response; 2xx means that the message is stored.

import { createHash, timingSafeEqual } from 'node:crypto'
import { createBatcher } from '../../lib/batcher.ts'
import { canonicalDigest } from '../../lib/canonical-json.ts'
import type { Clock } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { laterClock } from '../../lib/steady-clock.ts'
import { parseStrictJson } from '../../lib/strict-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { joined } from '../../signing/message-headers.ts'
import type { HttpMessage } from '../../signing/ports.ts'
import { type AuthenticateOptions, authenticate } from './authenticate.ts'
import { classify, type Subject } from './classify.ts'
import { faultOfContent } from './content.ts'
import { type Delivery, headersOf, MAX_BODY_BYTES, type Receive } from './delivery.ts'
import { detectForm } from './extract.ts'
import { familyOf } from './families.ts'
import {
  acknowledged,
  type DuplicatePolicy,
  failed,
  type Outcome,
  refused,
  replyTo,
  tokenRefused,
  tooLarge,
  unauthenticated,
} from './outcomes.ts'
import { type Route, type RouteOf, routesByName } from './routes.ts'
import type { Accepted, AcceptLimits, InboxStore, NewMessage } from './store.ts'

export interface ReceiveOptions extends AuthenticateOptions {
  /** The registrations, or a function that finds one by name. */
  routes: readonly Route[] | RouteOf
  inbox: Pick<InboxStore, 'accept'>
  limits: Omit<AcceptLimits, 'reportUnfinished'>
  /** The response for a key that is already known. Default first-wins. */
  duplicates?: DuplicatePolicy | undefined
  /** Largest body, in bytes. Default 1 MiB. */
  maxBodyBytes?: number
  /** Default: the system clock, protected against being set back. */
  clock?: Clock
  /** Receives every delivery, after its response is decided. Errors it throws are ignored. */
  onEvent?: (event: ReceiveEvent) => void
}

/** For logs and metrics; nothing in it is secret. */
export interface ReceiveEvent {
  /** Undefined when there is no such route. */
  route: string | undefined
  outcome: Outcome['kind']
  status: number
  /** Why it was refused. */
  code?: string
  detail?: string
  /** From here on only verified data. */
  sender?: string
  task_id?: string | undefined
  idempotency_key?: string
  /** What a port threw. */
  error?: unknown
}

/** Messages that share a transaction of the inbox at a busy moment. */
const MAX_BATCH = 64

/** Throws a TypeError for invalid routes. */
export function createReceive(options: ReceiveOptions): Receive {
  const { routes, inbox, limits, clock = laterClock, onEvent } = options
  const { maxBodyBytes = MAX_BODY_BYTES, duplicates = 'first-wins' } = options
  const reportUnfinished = duplicates === 'strict'
  const routeOf = typeof routes === 'function' ? routes : routesByName(routes)
  const accept = createBatcher<NewMessage, Accepted>({
    maxItems: MAX_BATCH,
    run: (messages) => inbox.accept(messages, { ...limits, reportUnfinished }),
  })
  const ports: Ports = { ...options, clock, maxBodyBytes, duplicates, accept }

  return async (delivery) => {
    const seen: Seen = {}
    let outcome: Outcome
    try {
      const { route } = delivery
      seen.route = await routeOf(typeof route === 'function' ? route() : route)
      outcome = await check(delivery, seen, ports)
    } catch (error) {
      outcome = failed(error)
    }
    const reply = replyTo(outcome)
    try {
      onEvent?.(eventOf(outcome, seen, reply.status))
    } catch {
      // The message may already be stored: a listener that throws cannot revoke the acknowledgement.
    }
    return reply
  }
}

interface Ports extends AuthenticateOptions {
  clock: Clock
  maxBodyBytes: number
  duplicates: DuplicatePolicy
  accept: (message: NewMessage) => Promise<Accepted>
}

/** The data known about a delivery so far. */
interface Seen {
  route?: Route | undefined
  sender?: string
  subject?: Subject
}

async function check(delivery: Delivery, seen: Seen, ports: Ports): Promise<Outcome> {
  const { route } = seen
  if (!route) return refused('route_unknown', 'No webhook endpoint at this path.')
  if (delivery.method !== 'POST')
    return refused('method_not_allowed', 'Webhooks must be sent by POST.')
  const { body } = delivery
  if (body === 'too-large' || body.byteLength > ports.maxBodyBytes) {
    return tooLarge(ports.maxBodyBytes)
  }
  const headers = headersOf(delivery)
  const content = faultOfContent(headers)
  if (content) return refused('unsupported_content', content)

  const message: HttpMessage = { method: delivery.method, url: delivery.url, headers, body }
  const authenticated = await authenticate(message, route, { ...ports, nowMs: ports.clock.now() })
  if (!authenticated.ok) return unauthenticated(authenticated)
  const { sender } = authenticated
  seen.sender = sender

  const read = parseStrictJson(body)
  if (!read.ok) return refused('webhook_body_malformed', BODY_FAULTS[read.reason])
  const bytesDigest = createHash('sha256').update(body).digest('base64url')
  const classified = classify(read.value, bytesDigest)
  if (!classified.ok) return refused(classified.code, classified.message)
  const { ok: _, ...subject } = classified
  seen.subject = subject
  if (!hasToken(route, read.value, headers)) return tokenRefused()

  // Key and body are stored in one step, so that a crash after this line loses nothing.
  const digests = { digest: canonicalDigest(read.value), bytesDigest }
  const accepted = await ports.accept({ ...subject, ...digests, sender, route: route.name, body })
  return acknowledged(accepted, ports.duplicates)
}

const BODY_FAULTS = {
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not JSON, or begins with a byte order mark.',
  too_deep: 'The body is nested too deeply.',
  duplicate_keys: 'An object of the body has the same key twice.',
}

const A2A_TOKEN_HEADER = 'x-a2a-notification-token'

/** The envelope contains the token itself; A2A, and bodies without a member for it, send it in a header. */
function hasToken({ token }: Route, body: unknown, headers: HttpMessage['headers']): boolean {
  if (token === undefined) return true
  const members = isObject(body) ? body : {}
  const isInHeader = detectForm(body)?.form === 'a2a' || familyOf(members) !== undefined
  const given = isInHeader ? joined(headers, A2A_TOKEN_HEADER) : members.token
  // Digests have equal length, so comparing them reveals nothing about the length of the token.
  return typeof given === 'string' && timingSafeEqual(sha256(given), sha256(token))
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function eventOf(outcome: Outcome, { route, sender, subject }: Seen, status: number): ReceiveEvent {
  const { kind, ...more } = outcome
  return {
    route: route?.name,
    outcome: kind,
    status,
    ...('code' in more ? { code: more.code, detail: more.detail ?? more.message } : {}),
    ...defined({ error: 'error' in more ? more.error : undefined, sender }),
    ...(subject ? { task_id: subject.task_id, idempotency_key: subject.idempotency_key } : {}),
  }
}
