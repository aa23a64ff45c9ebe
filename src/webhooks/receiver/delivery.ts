// What an adapter passes to the receiver and what it must respond (spec 4.4): independent of any framework, and
// with nothing parsed before the signature is verified.

import type { HttpMessage } from '../../signing/ports.ts'

/** Largest body that is accepted unless an option says otherwise (spec 8). */
export const MAX_BODY_BYTES = 1_048_576

export interface Delivery {
  /**
   * Names the registration that the request is for; an adapter takes it from the path. An error thrown by a function
   * is an error of this server, answered with 500.
   */
  route: string | (() => string)
  method: string
  /** The absolute URL as the sender called it, in its own spelling: it was signed. */
  url: string
  /** By name, or alternating names and values like node's `rawHeaders`. */
  headers: HttpMessage['headers'] | readonly string[]
  /** The raw bytes, neither decoded nor decompressed; `too-large` when reading stopped at the limit. */
  body: Uint8Array | 'too-large'
}

export interface Reply {
  status: number
  headers: Record<string, string>
  /** JSON. */
  body: string
}

/** Never rejects. */
export type Receive = (delivery: Delivery) => Promise<Reply>

/** Headers by lower-case name. Headers that were sent twice keep both values. */
export function headersOf({ headers }: Pick<Delivery, 'headers'>): HttpMessage['headers'] {
  if (!isPairs(headers)) return headers
  const lines = new Map<string, string[]>()
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase()
    const value = headers[at + 1]!
    const known = lines.get(name)
    if (known) known.push(value)
    else lines.set(name, [value])
  }
  return Object.fromEntries(lines)
}

function isPairs(headers: Delivery['headers']): headers is readonly string[] {
  return Array.isArray(headers)
}
