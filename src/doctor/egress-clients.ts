// How the doctor connects to other hosts: through the egress guard, which lets it reach this machine only if the URL
// it was given is on this machine, or if a setting allows it. Responses are remembered for checks that examine
// everything.

import { isIP } from 'node:net'
import { createEgress, type Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { ClientRequest, ClientResponse } from '../transports/client.ts'

export interface EgressClientOptions {
  /** The address that was given. */
  url: string
  /** CIDRs that may be reached in addition to public addresses. Default none. */
  allow?: readonly string[]
  /** Whether http: is permitted for those. */
  allowHttp?: boolean
  dns?: 'direct' | 'system'
  dnsServers?: readonly string[]
  /** Certificates (PEM) trusted in addition. Default none. */
  ca?: string
  /** Uses this guard, whatever the other options, and leaves it open. Default: its own. */
  egress?: Egress
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export function openEgressClient(options: EgressClientOptions): Egress {
  const { url, allow = [], allowHttp = false, egress, ...more } = options
  if (egress) return { ...egress, close: async () => {} }
  const isNear = isLoopback(url)
  return createEgress({
    ...more,
    allow: isNear ? [...allow, ...LOOPBACK] : allow,
    allowHttp: allowHttp || isNear,
    userAgent: 'adwire-doctor',
  })
}

export function isLoopback(url: string): boolean {
  const host = hostOf(url)
  if (host === undefined) return false
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1'
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return undefined
  }
}

/** A response as received, with the request it belongs to. */
export interface Received {
  request: Pick<ClientRequest, 'url' | 'method'>
  status: number
  headers: Record<string, string>
  /** The first of it. */
  text: string
  bytes: number
}

/** As a client sends it, or with a body of bytes. */
type SentRequest = Omit<ClientRequest, 'body'> & { body?: string | Uint8Array }

export interface Recorder {
  /** Rejects as a client's fetch does. */
  fetch(request: SentRequest): Promise<ClientResponse>
  received: readonly Received[]
}

const MAX_HEARD = 1_000
const MAX_TEXT_CHARS = 65_536
const MAX_ANSWER_BYTES = 8 * 1_024 * 1_024

export function createRecorder(egress: Pick<Egress, 'fetch'>, timeoutMs: number): Recorder {
  const received: Received[] = []
  return {
    received,
    fetch: async (request): Promise<ClientResponse> => {
      const limits = { totalTimeoutMs: timeoutMs, maxBytes: MAX_ANSWER_BYTES }
      const result = await egress.fetch({ ...request, ...limits })
      if (!result.ok) throw new Error(result.message)
      const { status, headers, body } = result
      const { url, method } = request
      if (received.length < MAX_HEARD) {
        const text = body.subarray(0, MAX_TEXT_CHARS).toString('utf8')
        received.push({
          request: { url, method },
          status,
          headers,
          text,
          bytes: body.byteLength,
        })
      }
      return { status, headers, body }
    },
  }
}
