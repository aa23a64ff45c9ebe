// The outcomes of the egress guard, in one place for its steps and its callers: a request that
// leaves the server ends in a response or in one code of a closed list.

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
  /** Nothing was sent, and nothing is said of the host: it waited too long in a queue of ours. */
  | 'busy'
  | 'aborted'

/** What is wrong with a certificate. */
export type CertificateFault = 'expired' | 'not_yet_valid' | 'other_name' | 'untrusted'

/** Why a step refused. The message names no resolved address, no secret and no query string. */
export interface Refusal {
  ok: false
  code: EgressFailure
  message: string
  /** Of `tls_failed`, where it is the certificate that is not good. */
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
      /** The URL that answered: the last one when redirects were followed. */
      url: string
      /** True when the body was cut: at `maxBytes`, or where it could not be decoded. */
      truncated: boolean
      durationMs: number
    }
  | (Refusal & { durationMs: number })

export function refuse(code: EgressFailure, message: string): Refusal {
  return { ok: false, code, message }
}
