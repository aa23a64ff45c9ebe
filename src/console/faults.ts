// What went wrong with an attempt, as readable text: what happened, and what would help.

import { defined } from '../lib/defined.ts'
import type { AttemptRecord } from '../webhooks/sender/store.ts'
import type { Fault } from './api/deliveries.ts'

export type FailedAttempt = Pick<
  AttemptRecord,
  'status' | 'http_status_code' | 'error_message' | 'fault'
>

/** Undefined for an attempt that succeeded or is in progress. */
export function faultOf({
  status,
  http_status_code: code,
  error_message,
  fault,
}: FailedAttempt): Fault | undefined {
  if (status === 'success' || status === 'pending') return undefined
  const known = fault === undefined ? undefined : BY_WORD.get(fault)
  const described = known ?? (code === undefined ? undefined : byStatus(code, fault))
  const { kind, advice } = described ?? { kind: status === 'timeout' ? 'timeout' : 'other' }
  const message = error_message ?? 'the attempt failed'
  return { kind, message, ...defined({ advice, code: known ? undefined : fault }) }
}

type Described = Pick<Fault, 'kind'> & { advice?: string | undefined }

const of = (kind: Fault['kind'], advice?: string): Described => ({ kind, advice })
const RENEW = 'the receiver has to renew its certificate'
const REACHABLE = 'see whether the receiver runs and is reachable from here'

const BY_WORD: ReadonlyMap<string, Described> = new Map([
  ['dns_failed', of('dns', 'see whether the host name is spelled right and still has an address')],
  ['dns_timeout', of('dns', 'the name servers did not respond in time: it will be retried')],
  ['certificate_expired', of('certificate', RENEW)],
  ['certificate_not_yet_valid', of('certificate', 'compare the clocks of both machines')],
  [
    'certificate_other_name',
    of('certificate', 'the certificate must be for the host name of the URL'),
  ],
  [
    'certificate_untrusted',
    of('certificate', 'the receiver needs a certificate of a public authority, with its chain'),
  ],
  ['tls_failed', of('tls', 'the receiver must support TLS 1.2 or 1.3 on this port')],
  ['connect_failed', of('connection', REACHABLE)],
  ['connect_timeout', of('connection', REACHABLE)],
  ['reset', of('connection', 'the receiver, or a proxy before it, closed the connection')],
  ['timeout', of('timeout', 'the receiver should acknowledge first and process afterwards')],
  ['address_refused', of('refused_address', 'webhooks are sent only to public addresses')],
  ['scheme_refused', of('refused_address', 'webhooks are sent only to https URLs')],
  ['invalid_url', of('refused_address', 'the registration needs another URL')],
  ['credentials_in_url', of('refused_address', 'the registration needs a URL without a password')],
  ['too_large', of('answer', 'the receiver should answer with few headers')],
  ['decode_failed', of('answer', 'the receiver does not speak HTTP/1.1 there')],
  ['redirect_refused', of('redirect', 'register the URL that it leads to')],
  ['signing', of('signing', 'check the keys of this server: adwire keys list')],
  ['interrupted', of('interrupted', 'it is sent again: receivers know it by its key')],
])

function byStatus(code: number, fault: string | undefined): Described {
  if (code === 401 && fault !== undefined) {
    return of('signature_refused', '“Verify a webhook” shows which step fails')
  }
  if (code === 401 || code === 403) {
    return of('refused', 'the receiver rejects our credentials or signature')
  }
  if (code === 410)
    return of('gone', 'the receiver no longer accepts webhooks and has to register again')
  if (code === 429)
    return of('rate_limited', 'it is retried after the time that the receiver requested')
  if (code >= 500)
    return of('server_error', 'the receiver has an internal error: the delivery is retried')
  if (code >= 300 && code < 400) return of('redirect', 'register the URL that it leads to')
  return of('refused', 'the receiver rejects this message: see its response')
}
