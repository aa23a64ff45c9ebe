// A connector that calls an operator's own service (spec 3.3), through the egress guard:
//
//   POST   {url}/activations                  starts: the run and its details as JSON
//   GET    {url}/activations/{activation_id}  returns its status
//   DELETE {url}/activations/{activation_id}  removes it again
//
// The first two respond with 2xx and one of
//   {"status": "live", "activation_key": {"type": "segment_id", "segment_id": "…"}}
//   {"status": "pending", "eta_minutes": 60, "poll_after_seconds": 30, "handle": …}
//   {"status": "failed", "reason": "…", "retryable": false}
// A service that already has the activation_id repeats its response. 408, 425, 429 and 5xx, and calls that fail or
// return something unreadable, are retried; any other 4xx is a permanent refusal, with `reason` if it has one.

import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import type { Egress, EgressResult } from '../../lib/safe-fetch/safe-fetch.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { tryJsonObject } from '../../lib/try-json.ts'
import { activationKey } from '../../protocol/schemas/deployment.ts'
import type {
  ActivationRun,
  Connector,
  ConnectorAnswer,
  ConnectorFailure,
  Deactivated,
} from './connector.ts'

export interface HttpConnectorOptions {
  /** With or without a trailing slash. */
  url: string
  /** Sent with every call. Default none. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Timeout of one call, in milliseconds. Default 15 000. */
  timeoutMs?: number | undefined
  egress: Pick<Egress, 'fetch'>
}

const MAX_ANSWER_BYTES = 65_536
const DAY_SECONDS = 86_400

const answerSchema = z.discriminatedUnion('status', [
  z.looseObject({ status: z.literal('live'), activation_key: activationKey }),
  z.looseObject({
    status: z.literal('pending'),
    eta_minutes: z.number().min(0).max(525_600).optional(),
    poll_after_seconds: z.number().min(0).max(DAY_SECONDS).optional(),
    handle: z.unknown().optional(),
  }),
  z.looseObject({
    status: z.literal('failed'),
    reason: z.string().max(1_000).optional(),
    retryable: z.boolean().optional(),
  }),
])

interface Call {
  abort: AbortSignal
  body?: object
}

export function createHttpConnector(options: HttpConnectorOptions): Connector {
  const { egress, headers = {}, timeoutMs = 15_000 } = options
  const base = `${trimEnd(options.url, '/')}/activations`
  const send = (method: string, url: string, { abort, body }: Call) =>
    egress.fetch({
      url,
      method,
      headers: {
        ...headers,
        accept: 'application/json',
        ...defined({ 'content-type': body ? 'application/json' : undefined }),
      },
      ...defined({ body: body ? JSON.stringify(body) : undefined }),
      totalTimeoutMs: timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      signal: abort,
    })
  const own = ({ activation_id }: ActivationRun) => `${base}/${encodeURIComponent(activation_id)}`
  return {
    activate: async (run, abort) => readAnswer(await send('POST', base, { abort, body: run })),
    poll: async (run, abort) => readAnswer(await send('GET', own(run), { abort })),
    deactivate: async (run, abort) => readTakenOff(await send('DELETE', own(run), { abort })),
  }
}

function readAnswer(result: EgressResult): ConnectorAnswer {
  if (!result.ok) return mayPass(`the platform could not be reached (${result.code})`)
  const body = tryJsonObject(result.body.toString())
  if (result.status < 200 || result.status > 299) return refusal(result.status, body)
  const read = answerSchema.safeParse(body)
  if (!read.success) return mayPass('the platform sent a response that cannot be read')
  const answer = read.data
  if (answer.status === 'live') return { status: 'live', key: answer.activation_key }
  if (answer.status === 'failed') {
    const { reason = 'the platform gave no reason', retryable = false } = answer
    return { status: 'failed', reason, retryable }
  }
  const { handle, eta_minutes, poll_after_seconds } = answer
  return {
    status: 'pending',
    handle,
    etaMinutes: eta_minutes,
    pollAfterMs: poll_after_seconds === undefined ? undefined : poll_after_seconds * 1_000,
  }
}

/** A signal that the platform does not have, or no longer has, counts as removed. */
function readTakenOff(result: EgressResult): Deactivated {
  if (!result.ok) return mayPass(`the platform could not be reached (${result.code})`)
  const { status } = result
  if ((status >= 200 && status <= 299) || status === 404 || status === 410) return { status: 'off' }
  return refusal(status, tryJsonObject(result.body.toString()))
}

const PASSING: readonly number[] = [408, 425, 429]

function refusal(status: number, body: unknown): ConnectorFailure {
  const given = (body as { reason?: unknown } | undefined)?.reason
  const said = typeof given === 'string' ? `: ${given.slice(0, 1_000)}` : ''
  const isPassing = PASSING.includes(status) || status >= 500 || status < 400
  return {
    status: 'failed',
    reason: `the platform answered ${status}${said}`,
    retryable: isPassing,
  }
}

function mayPass(reason: string): ConnectorFailure {
  return { status: 'failed', reason, retryable: true }
}
