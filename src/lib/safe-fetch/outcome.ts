// The outcomes of the egress guard, defined once for its steps and its callers: every request that leaves the server
// ends in a response or in one of a fixed set of codes.

export type EgressFailure =
  | 'invalid_url'
  | 'scheme_refused'
  | 'credentials_in_url'
  | 'address_refused'
  | 'dns_failed'
  | 'dns_timeout'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'timeout'
  | 'reset'
  | 'too_large'
  | 'decode_failed'
  | 'redirect_refused'
  /** Nothing was sent, and it says nothing about the host: the request waited too long in one of our queues. */
  | 'busy'
  | 'aborted'

/** What is wrong with a certificate. */
export type CertificateFault = 'expired' | 'not_yet_valid' | 'other_name' | 'untrusted'

/** Why a step refused. The message contains no resolved address, no secret and no query string. */
export interface Refusal {
  ok: false
  code: EgressFailure
  message: string
  /** Details of `tls_failed`, if the certificate is invalid. */
  certificate?: CertificateFault
}

export type UrlCheck = { ok: true; url: URL } | Refusal

export type EgressResult =
  | {
      ok: true
      status: number
      /** Lower-case names; a repeated header is joined with ', '. */
      headers: Record<string, string>
      body: Buffer
      /** The final URL, after any redirects. */
      url: string
      /** True if the body was truncated: at `maxBytes`, or where it could not be decoded. */
      truncated: boolean
      durationMs: number
    }
  | (Refusal & { durationMs: number })

export function refuse(code: EgressFailure, message: string): Refusal {
  return { ok: false, code, message }
}
