// The adagents.json of a domain, checked where it is served: every error in the domain's own file, and the result
// after following its pointer or, for a domain without a file, its MANAGERDOMAIN.

import type { Clock } from '../../../lib/clock.ts'
import { fetchHops } from '../../../lib/fetch-hops.ts'
import type { Egress } from '../../../lib/safe-fetch/safe-fetch.ts'
import type { RateLimit } from '../../../lib/token-bucket.ts'
import type { FileReport, FileToCheck } from '../../../protocol/adagents/check-file.ts'
import type { FileFault } from '../../../protocol/adagents/faults.ts'
import { wellKnownUrl } from '../../../registry/crawler/find-file.ts'
import { CRAWL_MS } from '../../../registry/crawler/limits.ts'
import type { Inspection } from '../../../registry/publishers/inspect-publisher.ts'

export interface SiteCheckPorts {
  check(file: FileToCheck, owner: string): Promise<FileReport>
  /** Looks for the file that applies to the domain, as the crawler does. */
  inspect(domain: string, owner: string): Promise<Inspection>
  fetch: Egress['fetch']
  clock: Clock
  /** Files of third parties that one caller may have fetched. */
  fetches: RateLimit
  maxBytes: number
  maxProperties: number
  allowHttp: boolean
}

interface SiteCheck {
  found: boolean
  validation: { valid: boolean; errors: ListedFault[]; warnings: ListedFault[] } & Record<
    string,
    unknown
  >
}

type ListedFault = Pick<FileFault, 'message' | 'severity' | 'line'> & { field: string }

export async function checkSite(
  ports: SiteCheckPorts,
  owner: string,
  domain: string,
): Promise<SiteCheck> {
  const url = wellKnownUrl(domain)
  const { maxProperties, allowHttp, maxBytes } = ports
  const fetched = await fetchHops(ports.fetch, {
    url,
    headers: { accept: 'application/json' },
    maxBytes,
    totalTimeoutMs: CRAWL_MS,
    owner,
  })
  if (!fetched.ok) return notFound({ domain, url }, fetched.message)
  if (fetched.status !== 200) {
    const managed = await ports.inspect(domain, owner)
    if (managed.valid) {
      const base = { valid: true, domain, url, errors: [], warnings: [] }
      return { found: true, validation: { ...base, ...speaker(managed) } }
    }
    const { status } = fetched
    return notFound({ domain, url }, `the server answered ${status}, not 200`, status)
  }
  const file = {
    type: 'adagents.json' as const,
    bytes: fetched.body,
    domain,
    maxProperties,
    allowHttp,
  }
  const { valid, faults, summary } = await ports.check(file, owner)
  const own = {
    valid,
    domain,
    url,
    ...listedFaults(faults),
    status_code: fetched.status,
    response_bytes: fetched.body.byteLength,
    summary: { ...summary },
  }
  if (!valid || summary.variant !== 'pointer') return { found: true, validation: own }
  const target = await ports.inspect(domain, owner)
  const errors = target.errors.map((message) => ({
    field: '/authoritative_location',
    message,
    severity: 'error' as const,
  }))
  const validation = { ...own, valid: target.valid, errors: [...own.errors, ...errors] }
  return { found: true, validation: { ...validation, ...speaker(target) } }
}

/** Stored data about the file that applies to the domain, wherever the file is. */
function speaker(found: Inspection) {
  const { discovery_method, manager_domain, agent_count, property_count, tag_count } = found
  return {
    discovery_method,
    resolved_url: found.url,
    manager_domain,
    agent_count,
    property_count,
    property_type_counts: found.property_type_counts,
    tag_count,
  }
}

function notFound(
  { domain, url }: { domain: string; url: string },
  message: string,
  status_code?: number,
): SiteCheck {
  return {
    found: false,
    validation: {
      valid: false,
      domain,
      url,
      errors: [{ field: '', message, severity: 'error' }],
      warnings: [],
      ...(status_code === undefined ? {} : { status_code }),
    },
  }
}

/** Errors in the form of the public description. */
export function listedFaults(faults: readonly FileFault[]) {
  const of = (severity: FileFault['severity']): ListedFault[] =>
    faults
      .filter((one) => one.severity === severity)
      .map(({ pointer, ...rest }) => ({ field: pointer, ...rest }))
  return { errors: of('error'), warnings: of('warning') }
}
