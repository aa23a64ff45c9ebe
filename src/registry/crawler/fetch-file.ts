// One file of a crawl: fetched through the egress guard at its host's rate, only if it has changed, and parsed where
// that does not block other work.

import { defined } from '../../lib/defined.ts'
import { fetchHops } from '../../lib/fetch-hops.ts'
import { siteOf } from '../../lib/host-name.ts'
import type { HostPace } from '../../lib/host-pace.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import type { PackedReading } from '../../protocol/adagents/pack-reading.ts'
import type { AdagentsQuestion } from '../../protocol/adagents/read-adagents.ts'
import { CRAWL_MS } from './limits.ts'

export type ReadAdagentsFile = (
  bytes: Uint8Array,
  question: AdagentsQuestion,
) => Promise<PackedReading>

export interface FetchFilePorts {
  fetch: Egress['fetch']
  readFile: ReadAdagentsFile
  pace: HostPace
  userAgent: string
  maxBytes: number
  maxProperties: number
  allowHttp: boolean
  signal: AbortSignal
}

export interface Known {
  etag: string | null
  last_modified: string | null
}

/** What a host answered. */
export type Fetched =
  | { kind: 'same'; status: 304 }
  | {
      kind: 'body'
      status: number
      body: Buffer
      etag: string | null
      last_modified: string | null
    }
  /** A definite response that the file does not exist. */
  | { kind: 'absent'; status: number }
  | { kind: 'failed'; status: number | null; code: string; message: string }

const MAX_VALIDATOR_CHARS = 512

export async function fetchFile(
  url: string,
  { known, redirects }: { known: Known | undefined; redirects: 'none' | 'same-site' },
  ports: FetchFilePorts,
): Promise<Fetched> {
  const turn = await ports.pace.enter(siteOf(new URL(url).hostname), ports.signal)
  try {
    const request = {
      url,
      headers: {
        accept: 'application/json, text/plain;q=0.5',
        'user-agent': ports.userAgent,
        ...defined({
          'if-none-match': known?.etag ?? undefined,
          'if-modified-since': known?.last_modified ?? undefined,
        }),
      },
      maxBytes: ports.maxBytes,
      totalTimeoutMs: CRAWL_MS,
      signal: ports.signal,
    }
    const result =
      redirects === 'none'
        ? await ports.fetch({ ...request, redirects })
        : await fetchHops(ports.fetch, request)
    if (!result.ok)
      return { kind: 'failed', status: null, code: result.code, message: result.message }
    return answered(result, known !== undefined)
  } finally {
    turn.leave()
  }
}

/** Requests of the crawler's other readers, at the same rate and under the same name. */
export function atPace({
  fetch,
  pace,
  userAgent,
}: Pick<FetchFilePorts, 'fetch' | 'pace' | 'userAgent'>): Egress['fetch'] {
  return async (request) => {
    const turn = await pace.enter(siteOf(new URL(request.url).hostname), request.signal)
    try {
      return await fetch({ ...request, headers: { ...request.headers, 'user-agent': userAgent } })
    } finally {
      turn.leave()
    }
  }
}

function answered(
  { status, headers, body }: { status: number; headers: Record<string, string>; body: Buffer },
  isConditional: boolean,
): Fetched {
  if (status === 304 && isConditional) return { kind: 'same', status }
  if (status === 404 || status === 410) return { kind: 'absent', status }
  // Object stores return this for a file that does not exist.
  if (status === 403 && isAccessDenied(headers, body)) return { kind: 'absent', status }
  if (status === 200) {
    return {
      kind: 'body',
      status,
      body,
      etag: validator(headers.etag),
      last_modified: validator(headers['last-modified']),
    }
  }
  const message = `the server answered ${status}`
  return { kind: 'failed', status, code: `http_${status}`, message }
}

function isAccessDenied(headers: Record<string, string>, body: Buffer): boolean {
  const isXml = (headers['content-type'] ?? '').includes('xml')
  return isXml && body.subarray(0, 2_048).includes('<Code>AccessDenied</Code>')
}

function validator(value: string | undefined): string | null {
  if (value === undefined || value.length > MAX_VALIDATOR_CHARS) return null
  return /^[\x20-\x7e]+$/.test(value) ? value : null
}
