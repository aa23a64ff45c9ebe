// Which file speaks for a domain, and its contents: the domain's own, the one it points to, or that of the manager
// named in its ads.txt. Only one step, so that there are no cycles; an outage is never treated as "not found".

import { normaliseDomain } from '../../lib/host-name.ts'
import { readAdsTxt } from '../../protocol/adagents/ads-txt.ts'
import type { FileFault } from '../../protocol/adagents/faults.ts'
import type { FileEntry, FileProperty } from '../../protocol/adagents/file-model.ts'
import type { PackedFile, PackedReading } from '../../protocol/adagents/pack-reading.ts'
import type { DiscoveryMethod } from '../authorizations/authorization.ts'
import type { FileStore, StoredFile } from '../authorizations/store.ts'
import { type Fetched, type FetchFilePorts, fetchFile, type Known } from './fetch-file.ts'
import { FRESH_MS, POINTER_HOLD_MS, SKEW_MS } from './limits.ts'
import type { CrawledDomain } from './store.ts'

export interface FindFilePorts extends FetchFilePorts {
  files: Pick<FileStore, 'get' | 'publishers'>
  fileId(url: string): string
  now(): number
}

/** A file as it was fetched; `same` if it equals the stored one. */
export interface FoundFile {
  url: string
  content:
    | 'same'
    | {
        file: PackedFile
        head: Known & { bytes: number }
        faults: FileFault[]
        total_faults: number
        body: Buffer
      }
}

interface Seen {
  last_http_status: number | null
  last_bytes: number | null
}

export type Found = Seen &
  (
    | {
        outcome: 'valid'
        method: DiscoveryMethod
        manager_domain: string | null
        found: FoundFile
        /** A changed pointer that is not followed yet. */
        held: { location: string; since: number } | null
      }
    | { outcome: 'absent' }
    | { outcome: 'invalid'; code: string; message: string; faults: FileFault[] }
    | { outcome: 'failed'; code: string; message: string }
  )

const WELL_KNOWN_PATH = '/.well-known/adagents.json'
export const wellKnownUrl = (domain: string) => `https://${domain}${WELL_KNOWN_PATH}`

export async function findFile(known: CrawledDomain, ports: FindFilePorts): Promise<Found> {
  const url = wellKnownUrl(known.domain)
  const isOwn = known.location === url
  const stored = isOwn ? await ports.files.get(ports.fileId(url)) : undefined
  const validators = stored && stored.version > 0 ? stored : undefined
  const own = await fetchFile(url, { known: validators, redirects: 'same-site' }, ports)
  const seen = seenIn(own)
  if (own.kind === 'failed') return { ...seen, outcome: 'failed', ...own }
  if (own.kind === 'absent') return findManaged(known, seen, ports)
  if (own.kind === 'same') return direct(url, seen, 'same')
  const packed = await read(own.body, known.domain, ports)
  const { reading } = packed
  if (reading.kind === 'broken') return broken(seen, packed)
  if (reading.kind === 'pointer') return follow(known, { location: reading.location, seen }, ports)
  if (isRollBack(reading, stored)) return { ...seen, ...ROLLED_BACK }
  return direct(url, seen, contentOf(own, packed, reading))
}

function direct(url: string, seen: Seen, content: FoundFile['content']): Found {
  return {
    ...seen,
    outcome: 'valid',
    method: 'direct',
    manager_domain: null,
    found: { url, content },
    held: null,
  }
}

/** `authoritative_location`: not through a redirect, and not to a file that itself points elsewhere. */
async function follow(
  known: CrawledDomain,
  { location, seen }: { location: string; seen: Seen },
  ports: FindFilePorts,
): Promise<Found> {
  if (location === wellKnownUrl(known.domain)) {
    return invalid(seen, 'pointer_to_itself', 'authoritative_location points to the file itself')
  }
  const wasPointer = known.discovery_method === 'authoritative_location' && known.location !== null
  const held =
    wasPointer && known.location !== location ? holdOf(known, location, ports.now()) : null
  const target = held && known.location !== null ? known.location : location
  const fetched = await fetchShared(target, 'none', ports)
  const to = {
    outcome: 'valid',
    method: 'authoritative_location',
    held,
  } as const
  const manager_domain = hostOf(target)
  switch (fetched.kind) {
    case 'file':
      return { ...seen, ...to, manager_domain, found: fetched.found }
    case 'pointer':
      return invalid(seen, 'pointer_to_pointer', `${target} points on: point to the file itself`)
    case 'rolled_back':
      return { ...seen, ...ROLLED_BACK }
    default: {
      const message = `authoritative_location ${target}: ${fetched.message}`
      return { ...seen, outcome: 'failed', code: `location_${fetched.code}`, message }
    }
  }
}

/** Undefined when a changed pointer has been stable for long enough to be followed. */
function holdOf(known: CrawledDomain, location: string, now: number) {
  const since =
    known.held_location === location && known.held_since !== null ? known.held_since : now
  return now - since >= POINTER_HOLD_MS ? null : { location, since }
}

/** `MANAGERDOMAIN` of ads.txt, looked up only if there is certainly no file. */
async function findManaged(known: CrawledDomain, seen: Seen, ports: FindFilePorts): Promise<Found> {
  const adsTxt = await fetchFile(
    `https://${known.domain}/ads.txt`,
    { known: undefined, redirects: 'same-site' },
    ports,
  )
  if (
    adsTxt.kind === 'failed' &&
    isOutage(adsTxt) &&
    known.discovery_method === 'ads_txt_managerdomain'
  ) {
    return {
      ...seen,
      outcome: 'failed',
      code: `ads_txt_${adsTxt.code}`,
      message: `ads.txt: ${adsTxt.message}`,
    }
  }
  if (adsTxt.kind !== 'body') return { ...seen, outcome: 'absent' }
  const { manager_domain } = readAdsTxt(adsTxt.body.toString('utf8'))
  if (manager_domain === null || manager_domain === known.domain)
    return { ...seen, outcome: 'absent' }
  const fetched = await fetchShared(wellKnownUrl(manager_domain), 'same-site', ports)
  if (fetched.kind === 'failed') {
    const message = `MANAGERDOMAIN ${manager_domain}: ${fetched.message}`
    if (fetched.isNo) return { ...seen, outcome: 'absent' }
    return { ...seen, outcome: 'failed', code: `manager_${fetched.code}`, message }
  }
  if (fetched.kind !== 'file') return { ...seen, outcome: 'absent' }
  if (!(await names(fetched.found, known.domain, ports))) return { ...seen, outcome: 'absent' }
  return {
    ...seen,
    outcome: 'valid',
    method: 'ads_txt_managerdomain',
    manager_domain,
    found: fetched.found,
    held: null,
  }
}

const isOutage = ({ status }: { status: number | null }) =>
  status === null || status >= 500 || status === 429

type Shared =
  | { kind: 'file'; found: FoundFile }
  | { kind: 'pointer' | 'rolled_back' }
  | { kind: 'failed'; code: string; message: string; isNo: boolean }

/** A file that many domains may share: a recently read copy is not fetched again. */
async function fetchShared(
  url: string,
  redirects: 'none' | 'same-site',
  ports: FindFilePorts,
): Promise<Shared> {
  const stored = await ports.files.get(ports.fileId(url))
  const validators = stored && stored.version > 0 ? stored : undefined
  if (validators && ports.now() - validators.verified_at < FRESH_MS) {
    return { kind: 'file', found: { url, content: 'same' } }
  }
  const isWellKnown = new URL(url).pathname === WELL_KNOWN_PATH
  const fetched = await fetchFile(url, { known: validators, redirects }, ports)
  if (fetched.kind === 'same') return { kind: 'file', found: { url, content: 'same' } }
  if (fetched.kind === 'absent') {
    return {
      kind: 'failed',
      code: `http_${fetched.status}`,
      message: `the server answered ${fetched.status}`,
      isNo: true,
    }
  }
  if (fetched.kind === 'failed') return { ...fetched, isNo: false }
  const packed = await read(fetched.body, isWellKnown ? hostOf(url) : null, ports)
  const { reading } = packed
  if (reading.kind === 'pointer') return { kind: 'pointer' }
  if (reading.kind === 'broken') {
    return { kind: 'failed', code: reading.reason, message: messageOf(packed), isNo: false }
  }
  if (isRollBack(reading, stored)) return { kind: 'rolled_back' }
  return { kind: 'file', found: { url, content: contentOf(fetched, packed, reading) } }
}

/** Whether an entry of the file can apply to the publisher: a manager's file alone does not make it one. */
async function names(
  found: FoundFile,
  domain: string,
  { files, fileId }: FindFilePorts,
): Promise<boolean> {
  if (found.content === 'same') {
    // The list begins at the first domain after this one's predecessor.
    const [next] = await files.publishers(fileId(found.url), {
      after: domain.slice(0, -1),
      limit: 1,
    })
    if (next === domain) return true
    const page = await files.publishers(fileId(found.url), { after: '', limit: MAX_SEARCHED })
    return page.includes(domain)
  }
  const { properties, entries } = found.content.file
  const own = properties.flatMap((packet) =>
    (JSON.parse(packet) as FileProperty[]).filter((one) => one.publisher_domain === domain),
  )
  const reaches = ({ selectors }: FileEntry) =>
    selectors.some(({ publisher_domains }) =>
      publisher_domains === null ? own.length > 0 : publisher_domains.includes(domain),
    )
  return entries.some((packet) => (JSON.parse(packet) as FileEntry[]).some(reaches))
}

const MAX_SEARCHED = 10_000

async function read(
  body: Buffer,
  ownDomain: string | null,
  ports: FindFilePorts,
): Promise<PackedReading> {
  const { maxProperties, allowHttp } = ports
  return ports.readFile(body, { ownDomain, maxProperties, allowHttp })
}

function contentOf(
  fetched: Extract<Fetched, { kind: 'body' }>,
  { faults, total_faults }: PackedReading,
  file: PackedFile,
): FoundFile['content'] {
  const { etag, last_modified, body } = fetched
  return { file, head: { etag, last_modified, bytes: body.byteLength }, faults, total_faults, body }
}

/** A file older than the stored one is an accident or an attack, not an update. */
function isRollBack(file: PackedFile, stored: StoredFile | undefined): boolean {
  if (file.last_updated === null || stored?.last_updated == null) return false
  return file.last_updated < stored.last_updated - SKEW_MS
}

const ROLLED_BACK = {
  outcome: 'failed',
  code: 'rolled_back',
  message: 'last_updated is earlier than in the file that was read before',
} as const

function broken(seen: Seen, packed: PackedReading): Found {
  const { reading, faults } = packed
  const message = messageOf(packed)
  // A body that is not JSON may be an error page during an outage.
  const isPage = reading.kind === 'broken' && reading.reason === 'not_json'
  if (isPage) return { ...seen, outcome: 'failed', code: 'not_json', message }
  return { ...seen, outcome: 'invalid', code: 'not_valid', message, faults }
}

function messageOf({ faults }: PackedReading): string {
  const [first] = faults
  return first ? `${first.pointer} ${first.message}`.trim() : 'the file cannot be read'
}

function invalid(seen: Seen, code: string, message: string): Found {
  const faults: FileFault[] = [{ pointer: '/authoritative_location', message, severity: 'error' }]
  return { ...seen, outcome: 'invalid', code, message, faults }
}

function seenIn(fetched: Fetched): Seen {
  return {
    last_http_status: fetched.status,
    last_bytes: fetched.kind === 'body' ? fetched.body.byteLength : null,
  }
}

function hostOf(url: string): string {
  const named = normaliseDomain(new URL(url).hostname)
  return named.ok ? named.domain : new URL(url).hostname
}
