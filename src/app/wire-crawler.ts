// The crawler and what follows from what it reads: its worker, the worker that computes authorizations, their routes.

import { withDeadline } from '../lib/deadline.ts'
import { createHostPace, type HostPace } from '../lib/host-pace.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { createApplyWorker } from '../registry/authorizations/apply-worker.ts'
import { createCatalogWorker } from '../registry/catalog/catalog-worker.ts'
import { createCrawlWorker } from '../registry/crawler/crawl-worker.ts'
import { atPace } from '../registry/crawler/fetch-file.ts'
import { CRAWL_LIMITS, REQUEST_KEPT_MS } from '../registry/crawler/limits.ts'
import { brandReader } from '../registry/crawler/read-brand.ts'
import { NETWORK_LIMITS } from '../registry/network/limits.ts'
import { createProfileWorker } from '../registry/profiles/refresh-profiles.ts'
import { inspectPublisher } from '../registry/publishers/inspect-publisher.ts'
import type { VerifyPorts } from '../registry/verification.ts'
import { fileId } from '../storage/stores/authorizations/files.ts'
import { adagentsRoutes } from '../transports/http/registry/adagents-routes.ts'
import type { GatePorts } from '../transports/http/registry/answers.ts'
import { authorizationRoutes } from '../transports/http/registry/authorization-routes.ts'
import { crawlRoutes } from '../transports/http/registry/crawl-routes.ts'
import { fileCheckRoutes } from '../transports/http/registry/file-check-routes.ts'
import { networkRoutes } from '../transports/http/registry/network-routes.ts'
import type { Area, Parts } from './parts.ts'
import { adagentsReader, fileChecker } from './read-manifests.ts'
import { VERSION } from './version.ts'
import { moderatorsOf } from './wire-catalogue.ts'
import { publisherCatalogue } from './wire-publishers.ts'

const HOUR_MS = 60 * 60 * 1_000

/** All files of one look together. */
const INSPECTION_MS = 30_000
const NO_PACE: HostPace = { enter: async () => ({ leave: () => {} }) }

export function wireCrawler(
  parts: Parts,
  {
    verify,
    ...gate
  }: GatePorts & { resourceMetadataUrl: () => string; verify: Omit<VerifyPorts, 'signal'> },
): Area {
  const { config, clock, storage, egress } = parts
  const { transact, feed, crawl, authorizations, publisherFiles: files, brands, saved } = storage
  const isCrawling = config.registryCrawlConcurrency > 0
  const find = findPorts(parts)
  const fetches = createRateLimit({ clock, perMinute: CRAWL_LIMITS.validations.value })
  const workers = crawlWorkers(parts, find, verify)
  const ports = {
    ...gate,
    transact,
    crawl,
    authorizations,
    files,
    feed,
    brands,
    saved,
    clock,
    isCrawling,
  }
  // Requests do not wait behind the crawler.
  const inspect = (domain: string, owner: string) =>
    withDeadline({ timeoutMs: INSPECTION_MS }, (signal) =>
      inspectPublisher(domain, {
        ...find,
        pace: NO_PACE,
        fetch: (request) => egress.fetch({ ...request, owner }),
        signal,
      }),
    )
  const check = fileChecker(parts.workerPool)
  const { maxProperties, allowHttp, maxBytes } = find
  return {
    routes: [
      authorizationRoutes(ports),
      crawlRoutes(ports),
      ...publisherCatalogue(
        parts,
        { ...gate, findModerator: moderatorsOf(parts) },
        {
          fetches,
          inspect,
        },
      ),
      networkRoutes({
        network: storage.network,
        clock,
        reports: createRateLimit({ clock, perMinute: NETWORK_LIMITS.networkReports.value }),
      }),
      fileCheckRoutes({ check, maxProperties, allowHttp }),
      adagentsRoutes({
        check,
        inspect,
        fetch: egress.fetch,
        clock,
        fetches,
        maxBytes,
        maxProperties,
        allowHttp,
        schemaUrl: identifiersFor(config.protocolName).adagentsSchema,
      }),
    ],
    workers: isCrawling ? [...workers, forgetOld(parts)] : [forgetOld(parts)],
  }
}

/** How files of publishers are found. */
function findPorts({ config, clock, egress, workerPool, publicUrl }: Parts) {
  return {
    fetch: egress.fetch,
    readFile: adagentsReader(workerPool),
    pace: createHostPace({
      clock,
      concurrency: config.registryCrawlPerSite,
      gapMs: config.registryCrawlGapMs,
    }),
    userAgent: `adwire-crawler/${VERSION} (+${publicUrl()})`,
    maxBytes: config.registryCrawlBytes,
    maxProperties: config.registryCrawlProperties,
    allowHttp: config.egressAllowHttp,
    fileId,
  }
}

/** Those that run only while this instance crawls. */
function crawlWorkers(
  { config, clock, storage, onFault }: Parts,
  find: ReturnType<typeof findPorts>,
  verify: Omit<VerifyPorts, 'signal'>,
): Area['workers'] {
  const { transact, onWake, feed, references, crawl, authorizations, profiles } = storage
  const { publisherFiles: files, catalog } = storage
  const crawler = createCrawlWorker({
    references,
    catalog,
    profiles,
    readBrand: brandReader({
      ...verify,
      fetch: atPace(find),
    }),
    transact,
    onWake,
    feed,
    crawl,
    authorizations,
    files,
    clock,
    find,
    intervalMs: config.registryCrawlHours * HOUR_MS,
    concurrency: config.registryCrawlConcurrency,
    perMinute: config.registryCrawlPerMinute,
    onFault,
  })
  const apply = createApplyWorker({
    transact,
    onWake,
    feed,
    crawl,
    authorizations,
    files,
    catalog,
    profiles,
    onFault,
  })
  const shared = { transact, onWake, feed, onFault }
  return [
    crawler,
    apply,
    createCatalogWorker({ ...shared, catalog, crawl, files }),
    createProfileWorker({ ...shared, profiles }),
  ]
}

function forgetOld({ storage: { transact, crawl }, sweep }: Parts) {
  return sweep({
    name: 'worker: delete old crawl requests',
    intervalMs: HOUR_MS,
    sweep: async (now) =>
      (await transact((tx) => crawl.forgetRequests(tx, now - REQUEST_KEPT_MS))) > 0,
  })
}
