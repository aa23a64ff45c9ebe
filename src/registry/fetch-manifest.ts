// Fetches a manifest and follows its pointers. Every file is fetched through the egress guard, within one site and a
// time limit, and read within size limits; a cycle of pointers is an error.

import { canonicalUrl } from '../lib/canonical-url.ts'
import { defined } from '../lib/defined.ts'
import { fetchHops } from '../lib/fetch-hops.ts'
import type { ManifestIssue } from '../protocol/manifest-issues.ts'
import type { VerificationRun } from './verification.ts'

export type FetchPorts = Pick<
  VerificationRun,
  'fetch' | 'maxManifestBytes' | 'timeoutMs' | 'signal'
>

/** How a reader parses the bytes of a file: a manifest, possibly one that points elsewhere. */
interface Readable {
  ok: true
  redirectTo?: string
}
interface Unreadable {
  ok: false
  reason: string
  issues?: ManifestIssue[]
}
type Read<T> = Extract<T, { ok: true }>

/** A manifest and the way to it. */
export interface ManifestPath<R> {
  /** The URLs of the first file, including redirects. */
  hops: readonly string[]
  /** The files that were pointed to, in order, as canonical URLs. */
  pointers: readonly string[]
  end: { ok: true; reading: R } | ManifestFault
}

interface ManifestFault {
  ok: false
  status: 'unreachable' | 'invalid'
  reason: string
  issues: ManifestIssue[]
}

/** Pointers (authoritative_location, house) followed from the first file. */
const MAX_POINTERS = 3

export async function followManifest<T extends Readable | Unreadable>(
  firstUrl: string,
  read: (bytes: Uint8Array) => T | Promise<T>,
  ports: FetchPorts,
): Promise<ManifestPath<Read<T>>> {
  const first = await readAt(firstUrl, read, ports)
  const path = { hops: first.hops, pointers: [] as string[] }
  let { end } = first
  while (end.ok && end.reading.redirectTo !== undefined) {
    const target = canonicalUrl(end.reading.redirectTo)
    if (target === undefined)
      return { ...path, end: wrongWay('the file does not point to a usable URL') }
    if (target === canonicalUrl(firstUrl) || path.pointers.includes(target)) {
      return { ...path, end: wrongWay('the files point in a circle') }
    }
    if (path.pointers.length === MAX_POINTERS) {
      return { ...path, end: wrongWay(`the file points on more than ${MAX_POINTERS} times`) }
    }
    path.pointers.push(target)
    end = (await readAt(end.reading.redirectTo, read, ports)).end
    if (!end.ok) end = { ...end, reason: `${target}: ${end.reason}` }
  }
  return { ...path, end }
}

async function readAt<T extends Readable | Unreadable>(
  url: string,
  read: (bytes: Uint8Array) => T | Promise<T>,
  { fetch, maxManifestBytes, timeoutMs, signal }: FetchPorts,
): Promise<Pick<ManifestPath<Read<T>>, 'hops' | 'end'>> {
  const totalTimeoutMs = timeoutMs()
  if (totalTimeoutMs === 0) {
    return {
      hops: [url],
      end: fault('unreachable', 'the time limit ended before the request was sent'),
    }
  }
  const result = await fetchHops(fetch, {
    url,
    headers: { accept: 'application/json' },
    maxBytes: maxManifestBytes,
    totalTimeoutMs,
    ...defined({ signal }),
  })
  const { hops } = result
  if (!result.ok && result.code === 'too_large') {
    return { hops, end: fault('invalid', `the file is larger than ${maxManifestBytes} bytes`) }
  }
  if (!result.ok) return { hops, end: fault('unreachable', result.message) }
  if (result.status < 200 || result.status > 299) {
    return { hops, end: fault('unreachable', `the server answered ${result.status}, not 200`) }
  }
  const reading = await read(result.body)
  if (!reading.ok) return { hops, end: fault('invalid', reading.reason, reading.issues) }
  return { hops, end: { ok: true, reading: reading as Read<T> } }
}

function wrongWay(reason: string): ManifestFault {
  return fault('invalid', `${reason}: point to the manifest itself`)
}

function fault(
  status: ManifestFault['status'],
  reason: string,
  issues: ManifestIssue[] = [],
): ManifestFault {
  return { ok: false, status, reason, issues }
}
