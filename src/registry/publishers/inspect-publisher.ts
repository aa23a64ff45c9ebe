// Inspects the file of a domain now, as the crawler would, and stores nothing: for publishers who have changed their
// file, or write their first one.

import { type FindFilePorts, type Found, findFile, wellKnownUrl } from '../crawler/find-file.ts'
import type { CrawledDomain } from '../crawler/store.ts'

type InspectPorts = Omit<FindFilePorts, 'files' | 'now'>

export interface Inspection {
  valid: boolean
  url: string
  discovery_method: 'direct' | 'authoritative_location' | 'ads_txt_managerdomain'
  manager_domain: string | null
  errors: string[]
  warnings: string[]
  status_code: number | null
  /** The file that speaks for the domain, wherever it is. */
  agent_count: number
  property_count: number
  property_type_counts: Record<string, number>
  tag_count: number
  body: Buffer | undefined
}

export async function inspectPublisher(domain: string, ports: InspectPorts): Promise<Inspection> {
  const nothing = { get: async () => undefined, publishers: async () => [] }
  const found = await findFile(unknown(domain), { ...ports, files: nothing, now: () => 0 })
  const base = {
    valid: false,
    url: wellKnownUrl(domain),
    discovery_method: 'direct' as const,
    manager_domain: null,
    errors: errorsOf(found),
    warnings: [],
    status_code: found.last_http_status,
    agent_count: 0,
    property_count: 0,
    property_type_counts: {},
    tag_count: 0,
    body: undefined,
  }
  if (found.outcome !== 'valid' || found.found.content === 'same') return base
  const { method, manager_domain } = found
  const { file, faults, body } = found.found.content
  const properties = file.properties.flatMap((packet) => JSON.parse(packet) as InFile[])
  const entries = file.entries.flatMap((packet) => JSON.parse(packet) as { agent_url: string }[])
  const types = properties.map(({ property_type }) => property_type)
  return {
    ...base,
    valid: true,
    url: found.found.url,
    // Of that URL: the domain itself may have no file.
    status_code: 200,
    discovery_method: method === 'adagents_authoritative' ? 'direct' : method,
    manager_domain,
    warnings: faults.map(sentenceOf),
    agent_count: new Set(entries.map(({ agent_url }) => agent_url)).size,
    property_count: properties.length,
    property_type_counts: countsOf(types),
    tag_count: new Set(properties.flatMap(({ tags }) => tags)).size,
    body,
  }
}

interface InFile {
  property_type: string
  tags: string[]
}

function errorsOf(found: Found): string[] {
  if (found.outcome === 'valid') return []
  if (found.outcome === 'absent') return ['the domain publishes no adagents.json']
  if (found.outcome === 'failed') return [found.message]
  const reported = found.faults.filter(({ severity }) => severity === 'error').map(sentenceOf)
  return reported.length > 0 ? reported : [found.message]
}

function sentenceOf({ pointer, message }: { pointer: string; message: string }): string {
  return `${pointer} ${message}`.trim()
}

function countsOf(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function unknown(domain: string): CrawledDomain {
  return {
    domain,
    status: 'never',
    file_id: null,
    discovery_method: null,
    manager_domain: null,
    location: null,
    held_location: null,
    held_since: null,
    last_http_status: null,
    last_bytes: null,
    error_code: null,
    error: null,
    faults: [],
    status_since: 0,
    checked_at: 0,
    verified_at: 0,
    failures: 0,
    next_crawl_at: 0,
  }
}
