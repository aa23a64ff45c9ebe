// One attempt to deliver (spec 4.4, 6.4): signed, posted once through the egress guard, and returned as a result.
// Bounded in time and memory whatever the receiver does, and it never rejects. A delivery that waits too long in
// our own queue is not an attempt, and says nothing about the receiver.

import type { CertificateFault, EgressFailure } from '../../lib/safe-fetch/outcome.ts'
import type { Egress, EgressResult } from '../../lib/safe-fetch/safe-fetch.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { inAttemptSpan } from './attempt-span.ts'
import { responseHead } from './response-head.ts'
import { type AttemptOutcome, checkAttempt } from './retry-policy.ts'
import { type SignedDelivery, type SigningPorts, signDelivery } from './sign-delivery.ts'
import type { AttemptResult, ClaimedDelivery, SentHeaders, Unsent } from './store.ts'

export interface DeliverPorts extends SigningPorts {
  egress: Pick<Egress, 'fetch'>
  /** From the DNS query to the last byte of the answer, in milliseconds. Default 15000. */
  timeoutMs?: number | undefined
  /** From 0 to 1. Default Math.random. */
  random?: (() => number) | undefined
  /** Receives the reason when a delivery could not be signed, or when a key does not sign in time. */
  onFault: (error: unknown) => void
}

/** Undefined if the signal aborted it: that says nothing about the receiver. */
export type Deliver = (
  delivery: ClaimedDelivery,
  signal: AbortSignal,
) => Promise<AttemptResult | Unsent | undefined>

export const ATTEMPT_TIMEOUT_MS = 15_000
/**
 * How long a delivery may wait on our side before its attempt, in milliseconds: for a remote key to sign, and for its
 * turn in name resolution.
 */
export const PREPARE_TIMEOUT_MS = 5_000

export function createDeliver(ports: DeliverPorts): Deliver {
  return (delivery, signal) =>
    inAttemptSpan(delivery, async () => {
      const startedMs = performance.now()
      const attempted = await attempt(delivery, ports, signal)
      if (attempted === undefined) return undefined
      const { random = Math.random } = ports
      if (attempted === 'late') {
        return { status: 'unsent', inMs: Math.round(UNSENT_PAUSE_MS * (1 + random())) }
      }
      // The database's time, extrapolated: this machine's clock may be wrong.
      const now = delivery.claimed_at + Math.round(performance.now() - startedMs)
      return toResult(delivery, attempted, { now, random: random() })
    })
}

/** Delay for a delivery that got no turn, up to doubled. */
const UNSENT_PAUSE_MS = 1_000

interface Attempted extends AttemptOutcome, Pick<AttemptResult, 'fault' | 'request_headers'> {
  error_message: string | undefined
  response_head: string | undefined
  response_time_ms: number
}

async function attempt(
  delivery: ClaimedDelivery,
  ports: DeliverPorts,
  signal: AbortSignal,
): Promise<Attempted | 'late' | undefined> {
  const { egress, timeoutMs = ATTEMPT_TIMEOUT_MS, onFault } = ports
  const startedMs = performance.now()
  try {
    const signed = await signInTime(delivery, ports)
    if (signal.aborted) return undefined
    if (signed === 'late') return 'late'
    if (!signed.ok) return unsent(`the delivery could not be signed: ${signed.reason}`)
    const preparedMs = Math.ceil(performance.now() - startedMs)
    const answer = await egress.fetch({
      url: delivery.channel.url,
      method: 'POST',
      headers: signed.headers,
      body: signed.body,
      owner: delivery.channel.owner,
      queueTimeoutMs: Math.max(0, PREPARE_TIMEOUT_MS - preparedMs),
      totalTimeoutMs: timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      overflow: 'truncate',
      redirects: 'none',
      signal,
    })
    const request_headers = sentHeaders(signed)
    if (answer.ok) return { ...answered(answer, signed.secrets), request_headers }
    if (answer.code === 'aborted') return undefined
    return answer.code === 'busy'
      ? 'late'
      : { ...unanswered({ ...answer, code: answer.code }), request_headers }
  } catch (error) {
    onFault(error)
    return unsent('the request could not be made')
  }
}

const MAX_ANSWER_BYTES = 65_536

async function signInTime(
  delivery: ClaimedDelivery,
  ports: DeliverPorts,
): Promise<SignedDelivery | 'late'> {
  try {
    const signed = await withTimeout(PREPARE_TIMEOUT_MS, signDelivery(delivery, ports))
    if (signed === 'late') {
      ports.onFault(new Error('the key of the webhooks did not sign in time'))
    }
    return signed
  } catch (error) {
    ports.onFault(error)
    return { ok: false, reason: 'no key could be used' }
  }
}

/** Nothing was sent, because of an error on our side. */
function unsent(error_message: string): Attempted {
  return { status: 'failed', ...NO_ANSWER, error_message, fault: 'signing', response_time_ms: 0 }
}

/** For people who debug; secrets are not stored. */
function sentHeaders({ headers, secrets }: SignedDelivery & { ok: true }): SentHeaders {
  const isSecret = (value: string) => secrets.some((secret) => secret && value.includes(secret))
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(value) ? null : value]),
  )
}

const NO_ANSWER = { http_status_code: undefined, response_head: undefined }

/** Contains no host and no address: the reader may not be allowed to know our network. */
const FAULTS: Record<Exclude<EgressFailure, 'aborted' | 'busy'>, string> = {
  invalid_url: 'the URL cannot be requested',
  scheme_refused: 'the URL is not https',
  credentials_in_url: 'the URL holds a user name or password',
  address_refused: 'the host has an address that is not public',
  dns_failed: 'the host name has no address',
  dns_timeout: 'the host name was not resolved in time',
  connect_failed: 'no connection was accepted',
  connect_timeout: 'no connection was accepted in time',
  tls_failed: 'the TLS handshake failed',
  timeout: 'the response was not complete in time',
  reset: 'the connection was closed before the response was complete',
  too_large: 'the headers of the response are too large',
  decode_failed: 'the response is not valid HTTP',
  redirect_refused: 'the response is a redirect',
}

const TIMEOUTS: ReadonlySet<EgressFailure> = new Set(['timeout', 'dns_timeout', 'connect_timeout'])

const CERTIFICATES: Record<CertificateFault, string> = {
  expired: 'the certificate has expired',
  not_yet_valid: 'the certificate is not valid yet',
  other_name: 'the certificate is for another host name',
  untrusted: 'the certificate is not from a trusted authority',
}

function unanswered({
  code,
  certificate,
  durationMs,
}: Pick<EgressResult & { ok: false }, 'certificate' | 'durationMs'> & {
  code: keyof typeof FAULTS
}): Attempted {
  const status = TIMEOUTS.has(code) ? 'timeout' : 'connection_error'
  const detail = certificate ? `: ${CERTIFICATES[certificate]}` : ''
  return {
    status,
    ...NO_ANSWER,
    error_message: `${FAULTS[code]}${detail}`,
    fault: certificate ? `certificate_${certificate}` : code,
    response_time_ms: Math.round(durationMs),
  }
}

function answered(
  { status: code, headers, body, durationMs }: EgressResult & { ok: true },
  secrets: readonly (string | undefined)[],
): Attempted {
  const isSuccess = code >= 200 && code < 300
  return {
    status: isSuccess ? 'success' : 'failed',
    http_status_code: code,
    ...(isSuccess ? { error_message: undefined } : describe(code, headers)),
    response_head: responseHead(body, secrets),
    response_time_ms: Math.round(durationMs),
    retryAfter: headers['retry-after'],
  }
}

/** A receiver that rejected the signature reports which check failed (spec 5): one word of a known form. */
function describe(
  code: number,
  headers: Record<string, string>,
): Pick<AttemptResult, 'error_message' | 'fault'> {
  const fault = code === 401 ? CHALLENGE.exec(headers['www-authenticate'] ?? '')?.[1] : undefined
  const said = fault === undefined ? '' : `: ${fault}`
  return { error_message: `the receiver answered ${code}${said}`, fault }
}

const CHALLENGE = /^Signature\b.*\berror="?(webhook_[a-z0-9_]{1,64})\b/i

function toResult(
  { delivery_id, attempt, channel, scheduledAttempt, expires_at }: ClaimedDelivery,
  { retryAfter, http_status_code: code, ...attempted }: Attempted,
  times: { now: number; random: number },
): AttemptResult {
  const checked = checkAttempt(
    { status: attempted.status, http_status_code: code, retryAfter },
    { scheduledAttempt, expires_at, ...times },
  )
  const { owner, endpoint } = channel
  return {
    delivery_id,
    attempt,
    owner,
    endpoint,
    ...attempted,
    // Only a code that HTTP defines as a status is returned as one (spec 2.12).
    http_status_code: code !== undefined && code < 600 ? code : undefined,
    ...checked,
  }
}
