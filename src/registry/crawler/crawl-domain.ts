// Crawls one domain: what was found is stored, the authorizations that follow from it are computed, and the
// requesters are answered. The contents of a file are written in bounded transactions; they take effect with the
// last one.

import { createHash } from 'node:crypto'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import type { FileEntry, FileProperty, Revocation } from '../../protocol/adagents/file-model.ts'
import { type ApplyPorts, applyToPublishers } from '../authorizations/apply.ts'
import { APPLY_TOPIC } from '../authorizations/apply-worker.ts'
import type { FileStore, FileVersion } from '../authorizations/store.ts'
import { markCatalog } from '../catalog/catalog-worker.ts'
import type { CatalogStore } from '../catalog/store.ts'
import { type FindFilePorts, type Found, type FoundFile, findFile } from './find-file.ts'
import { CRAWL_LIMITS, LAST_GOOD_MS, nextCrawlMs, retryRequestMs } from './limits.ts'
import { publisherEvents } from './publisher-events.ts'
import { isBrandKnown, type KeepBrandPorts, keepBrand, type ReadBrand } from './read-brand.ts'
import type { ClaimedDomain, CrawlChange, CrawlRequest, CrawlStore } from './store.ts'

export interface CrawlPorts extends ApplyPorts {
  catalog: Pick<CatalogStore, 'mark'>
  transact: Transact
  crawl: CrawlStore
  files: FileStore
  references: KeepBrandPorts['references']
  readBrand: ReadBrand
  find: Omit<FindFilePorts, 'signal' | 'files' | 'now'>
  /** Time between two crawls of a domain with a valid file, in milliseconds. */
  intervalMs: number
}

export async function crawlDomain(
  ports: CrawlPorts,
  claim: ClaimedDomain,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const { transact, crawl, files } = ports
  const now = await transact((tx) => tx.now())
  await transact((tx) => begun(ports, tx, claim.domain))
  const [found, brand] = await Promise.all([
    findFile(claim, { ...ports.find, files, signal, now: () => now }),
    ports.readBrand(claim.domain, signal),
  ])
  if (signal.aborted) return undefined
  const written = found.outcome === 'valid' ? await store(ports, found.found) : undefined
  // Read here and not in the transaction, which would hold a second connection meanwhile.
  const { file_id } = changeOf(claim, found, { now, fileId: ports.find.fileId })
  const [file, isKnown] = await Promise.all([
    file_id === null ? undefined : files.get(file_id),
    isBrandKnown(ports, claim.domain),
  ])
  await transact(async (tx) => {
    const change = changeOf(claim, found, { now: await tx.now(), fileId: ports.find.fileId })
    // A lost lease now belongs to another process: its findings count.
    if (!(await crawl.record(tx, claim, change))) return
    if (written?.isNew) await tx.wake(APPLY_TOPIC)
    const applied = await applyToPublishers(ports, tx, { publishers: [claim.domain] })
    const isNew = written?.isNew === true
    const isOther = change.file_id !== claim.file_id
    if (isNew || isOther) await markCatalog(ports, tx, [claim.domain])
    await ports.feed.append(tx, publisherEvents({ claim, change, applied, isNew, file }))
    await keepBrand(ports, tx, { domain: claim.domain, verdict: brand, isKnown })
    await endRequests(ports, tx, { domain: claim.domain, found })
    const { outcome } = found
    const nextMs = nextCrawlMs(outcome, { failures: change.failures, intervalMs: ports.intervalMs })
    await crawl.finish(tx, claim, {
      at: (await tx.now()) + (await soonest(ports, tx, { domain: claim.domain, nextMs })),
      isGivenUp: false,
    })
  })
  return found
}

/** The record after a finding. */
function changeOf(
  before: ClaimedDomain,
  found: Found,
  { now, fileId }: { now: number; fileId: (url: string) => string },
): CrawlChange {
  const isSame = before.status === found.outcome
  const change: CrawlChange = {
    status: found.outcome,
    file_id: null,
    discovery_method: null,
    manager_domain: null,
    location: null,
    held_location: null,
    held_since: null,
    last_http_status: found.last_http_status,
    last_bytes: found.last_bytes,
    error_code: null,
    error: null,
    faults: [],
    status_since: isSame ? before.status_since : now,
    verified_at: before.verified_at,
    failures: isSame ? before.failures + 1 : 1,
  }
  switch (found.outcome) {
    case 'valid':
      return {
        ...change,
        file_id: fileId(found.found.url),
        discovery_method: found.method,
        manager_domain: found.manager_domain,
        location: found.found.url,
        held_location: found.held?.location ?? null,
        held_since: found.held?.since ?? null,
        verified_at: now,
        failures: 0,
      }
    case 'failed':
      return { ...change, ...lastGood(before, now), error_code: found.code, error: found.message }
    case 'invalid':
      return {
        ...change,
        error_code: found.code,
        error: found.message,
        faults: found.faults,
        verified_at: now,
      }
    default:
      return { ...change, verified_at: now }
  }
}

/** An outage withdraws nothing, as long as the last known file may still be used. */
function lastGood(before: ClaimedDomain, now: number) {
  if (before.file_id === null || now - before.verified_at > LAST_GOOD_MS) return {}
  const { file_id, discovery_method, manager_domain, location, held_location, held_since } = before
  return { file_id, discovery_method, manager_domain, location, held_location, held_since }
}

/** Writes a new version next to the one in use, unless the file is unchanged. */
async function store(
  { transact, files, find }: CrawlPorts,
  { url, content }: FoundFile,
): Promise<{ isNew: boolean }> {
  const id = find.fileId(url)
  if (content === 'same') {
    await transact(async (tx) => files.touch(tx, id, await tx.now()))
    return { isNew: false }
  }
  const { file, head, faults, total_faults, body } = content
  const digest = createHash('sha256').update(body).digest('base64url')
  const stored = await files.get(id)
  const isSame = stored !== undefined && stored.version > 0 && stored.digest === digest
  const version: FileVersion = isSame ? stored : await transact((tx) => files.begin(tx, url))
  if (!isSame) await writeContents({ transact, files }, version, file)
  await transact(async (tx) => {
    const now = await tx.now()
    await files.finish(tx, version, {
      ...head,
      digest,
      property_count: file.property_count,
      entry_count: file.entry_count,
      last_updated: file.last_updated,
      contact: file.contact,
      counts: file.counts,
      faults,
      total_faults,
      verified_at: now,
      checked_at: now,
    })
  })
  return { isNew: !isSame }
}

async function writeContents(
  { transact, files }: Pick<CrawlPorts, 'transact' | 'files'>,
  version: FileVersion,
  { properties, entries, revoked }: { properties: string[]; entries: string[]; revoked: string[] },
): Promise<void> {
  for (const packet of properties) {
    const rows = JSON.parse(packet) as FileProperty[]
    await transact((tx) => files.addProperties(tx, version, rows))
  }
  for (const packet of entries) {
    const rows = JSON.parse(packet) as FileEntry[]
    await transact((tx) => files.addEntries(tx, version, rows))
  }
  for (const packet of revoked) {
    const rows = JSON.parse(packet) as Revocation[]
    await transact((tx) => files.addRevocations(tx, version, rows))
  }
}

async function begun({ crawl }: CrawlPorts, tx: Transaction, domain: string): Promise<void> {
  const now = await tx.now()
  for (const request of await crawl.openRequests(tx, domain)) {
    await crawl.updateRequest(tx, {
      ...request,
      status: 'running',
      attempts: request.attempts + 1,
      started_at: request.started_at ?? now,
      last_attempted_at: now,
      next_attempt_at: null,
    })
  }
}

async function endRequests(
  { crawl }: CrawlPorts,
  tx: Transaction,
  { domain, found }: { domain: string; found: Found },
): Promise<void> {
  const now = await tx.now()
  for (const request of await crawl.openRequests(tx, domain)) {
    await crawl.updateRequest(tx, { ...request, ...endOf(request, found, now) })
  }
}

/** A definite "not found" is a result; an outage is retried. */
function endOf(request: CrawlRequest, found: Found, now: number): Partial<CrawlRequest> {
  if (found.outcome === 'valid') {
    return { status: 'completed', completed_at: now, last_error_code: null }
  }
  const code = 'code' in found ? found.code : 'adagents_not_found'
  if (found.outcome !== 'failed') {
    return { status: 'invalid', completed_at: now, last_error_code: code }
  }
  const last_error_code = 'crawl_origin_temporarily_unavailable'
  if (request.attempts >= CRAWL_LIMITS.crawlRequestAttempts.value) {
    return { status: 'failed', completed_at: now, last_error_code }
  }
  const next_attempt_at = now + retryRequestMs(request.attempts)
  return { status: 'retrying', next_attempt_at, last_error_code }
}

/** A caller waiting for a result does not have to wait for the schedule. */
async function soonest(
  { crawl }: CrawlPorts,
  tx: Transaction,
  { domain, nextMs }: { domain: string; nextMs: number },
): Promise<number> {
  const now = await tx.now()
  const open = await crawl.openRequests(tx, domain)
  return open.reduce(
    (soon, request) => Math.min(soon, Math.max(0, (request.next_attempt_at ?? now) - now)),
    nextMs,
  )
}
