// One HTTP exchange on a checked connection, for the egress guard: the request is sent once, the response is read
// within its limits, and every failure is returned as a value.

import type { Dispatcher } from 'undici'
import { defined } from '../defined.ts'
import { ConnectError, MAX_HEADER_BYTES } from './connections.ts'
import { type CertificateFault, type EgressFailure, type Refusal, refuse } from './outcome.ts'
import { type BodyOutcome, type BodyReader, type BodyRules, readBody } from './read-body.ts'

export interface ExchangeRequest extends Pick<BodyRules, 'maxBytes' | 'overflow' | 'json'> {
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array | null
  /** Whether only the headers of this response matter; its body is then not read. */
  isHeadEnough(status: number, headers: Record<string, string>): boolean
  /** Ends the exchange and destroys its socket. */
  signal: AbortSignal
}

export type ExchangeOutcome =
  | {
      ok: true
      status: number
      headers: Record<string, string>
      body: Buffer
      truncated: boolean
    }
  /** `isUnsent`: no connection was established, so the request may be sent to another checked address. */
  | (Refusal & { isUnsent: boolean })

/** Sends the request and settles once; an abort of the signal is returned as `aborted`. */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
): Promise<ExchangeOutcome> {
  return new Promise((resolve) => {
    const { method, path, headers, body, signal } = request
    const handler = new ExchangeHandler(request, (outcome) => {
      signal.removeEventListener('abort', handler.cancel)
      resolve(outcome)
    })
    signal.addEventListener('abort', handler.cancel, { once: true })
    dispatcher.dispatch({ method, path, headers, body }, handler)
  })
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest
  readonly #settle: (outcome: ExchangeOutcome) => void
  #controller: Dispatcher.DispatchController | null = null
  #reader: BodyReader | null = null
  #isSettled = false
  #isComplete = false

  constructor(request: ExchangeRequest, settle: (outcome: ExchangeOutcome) => void) {
    this.#request = request
    this.#settle = settle
  }

  readonly cancel = (): void => {
    this.#finish(failure('aborted', 'the request was aborted'))
    this.#cut()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Cancelled while waiting for a socket: it must not be written any more.
    if (this.#isSettled) this.#cut()
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    rawHeaders: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    const headers = joinHeaders(rawHeaders)
    const head = { ok: true, status, headers } as const
    const { method, maxBytes, overflow, json } = this.#request
    const isBodiless = method === 'HEAD' || status === 204 || status === 304
    if (isBodiless || this.#request.isHeadEnough(status, headers)) {
      this.#finish({ ...head, body: Buffer.alloc(0), truncated: false })
      if (!isBodiless) this.#cut()
      return
    }

    const settle = (outcome: BodyOutcome) => {
      this.#finish(outcome.ok ? { ...head, ...outcome } : { ...outcome, isUnsent: false })
      if (!this.#isComplete) this.#cut()
    }
    this.#reader = readBody(
      { encoding: headers['content-encoding'], maxBytes, overflow, json },
      { pause: () => controller.pause(), resume: () => controller.resume(), settle },
    )
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#reader?.write(chunk)
  }

  onResponseEnd(): void {
    this.#isComplete = true
    this.#reader?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish(toFailure(error, this.#reader !== null))
  }

  #finish(outcome: ExchangeOutcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#reader?.discard()
    this.#settle(outcome)
  }

  #cut(): void {
    this.#controller?.abort(new Error('the response is no longer wanted'))
  }
}

function joinHeaders(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(raw).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const
  })
  return Object.fromEntries(pairs)
}

const CONNECT_MESSAGES: Record<ConnectError['failure'], string> = {
  connect_failed: 'the host accepts no connection on this port',
  connect_timeout: 'the host did not accept a connection in time',
  tls_failed: 'the TLS handshake failed; a valid certificate for the host name is required',
}

/** OpenSSL's words, and Node's. */
const CERTIFICATE_FAULTS: ReadonlyMap<string, CertificateFault> = new Map([
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'other_name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
])

function toFailure(error: NodeJS.ErrnoException, hasHead: boolean): ExchangeOutcome {
  if (error instanceof ConnectError) {
    const isUnsent = error.failure !== 'tls_failed'
    const { code: cause } = (error.cause ?? {}) as NodeJS.ErrnoException
    const certificate = isUnsent ? undefined : CERTIFICATE_FAULTS.get(cause ?? '')
    const refusal = refuse(error.failure, CONNECT_MESSAGES[error.failure])
    return { ...refusal, isUnsent, ...defined({ certificate }) }
  }
  const code = error.code ?? ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return failure('too_large', `the response headers are larger than ${MAX_HEADER_BYTES} bytes`)
  }
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
    return failure('aborted', 'the egress was closed')
  }
  // After the headers, a parser error mostly means that the body ended early.
  if (error.name === 'HTTPParserError' && !hasHead) {
    return failure('decode_failed', 'the response is not valid HTTP/1.1')
  }
  return failure('reset', 'the connection was closed before the response was complete')
}

function failure(code: EgressFailure, message: string): ExchangeOutcome {
  return { ...refuse(code, message), isUnsent: false }
}
