// All errors of a file that a publisher or a brand puts on its site, with line and pointer: for people who write such
// files. A pure function, so that it can run where it does not block others.

import { jsonFault, linesOfPointers } from '../../lib/json-places.ts'
import { checkBrandJson } from '../brand-json.ts'
import { parseManifest } from '../read-manifest.ts'
import { readAdsTxt } from './ads-txt.ts'
import { type AuthorizationPreview, authorizedBy } from './authorized-by.ts'
import type { FileFault } from './faults.ts'
import type { FileType } from './file-types.ts'
import { ADAGENTS_LIMITS } from './limits.ts'
import { readAdagents } from './read-adagents.ts'

export interface FileToCheck {
  type: FileType
  bytes: Uint8Array
  /** The domain whose well-known path has the file; null if unknown. */
  domain: string | null
  maxProperties: number
  allowHttp: boolean
}

export interface FileReport {
  type: FileType
  /** Whether it has no errors; it may have warnings. */
  valid: boolean
  faults: FileFault[]
  total_faults: number
  summary: FileSummary
}

interface FileSummary {
  /** The kind of file: `inline`, `pointer`, `broken`, or the variant of a brand.json. */
  variant: string
  authoritative_location?: string
  manager_domain?: string | null
  agents?: { url: string; authorization_type: string; authorized_for: string }[]
  agent_count?: number
  property_count?: number
  property_type_counts?: Record<string, number>
  tag_count?: number
  publisher_domains?: string[]
  revoked_publisher_domains?: string[]
  /** What an `inline` file would authorize. */
  would_authorize?: AuthorizationPreview
}

/** Maximum number of agents and domains in a summary. */
const LISTED = 1_000

/** Never throws. */
export function checkFile(file: FileToCheck): FileReport {
  if (file.type === 'brand.json') return checkBrand(file)
  if (file.type === 'ads.txt') {
    const { is_clean, manager_domain, ...report } = readAdsTxt(Buffer.from(file.bytes).toString())
    return {
      type: 'ads.txt',
      valid: is_clean,
      ...report,
      summary: { variant: 'ads.txt', manager_domain },
    }
  }
  const { bytes, domain, maxProperties, allowHttp } = file
  const reading = readAdagents(bytes, { ownDomain: domain, maxProperties, allowHttp })
  const { faults, total_faults, is_clean } = reading
  return {
    type: 'adagents.json',
    valid: is_clean,
    faults,
    total_faults,
    summary: summaryOf(reading, domain),
  }
}

function summaryOf(reading: ReturnType<typeof readAdagents>, domain: string | null): FileSummary {
  if (reading.kind === 'broken') return { variant: 'broken' }
  if (reading.kind === 'pointer') {
    return { variant: 'pointer', authoritative_location: reading.location }
  }
  const { entries, properties, revoked } = reading.file
  const types = new Map<string, number>()
  const domains = new Set<string>()
  const tags = new Set<string>()
  for (const { property_type, publisher_domain, tags: own } of properties) {
    types.set(property_type, (types.get(property_type) ?? 0) + 1)
    if (publisher_domain !== null) domains.add(publisher_domain)
    for (const tag of own) tags.add(tag)
  }
  return {
    variant: 'inline',
    agents: entries.slice(0, LISTED).map(({ agent_url, authorization_type, authorized_for }) => ({
      url: agent_url,
      authorization_type,
      authorized_for,
    })),
    agent_count: entries.length,
    property_count: properties.length,
    property_type_counts: Object.fromEntries(types),
    tag_count: tags.size,
    publisher_domains: [...domains].slice(0, LISTED),
    revoked_publisher_domains: revoked.slice(0, LISTED).map((one) => one.publisher_domain),
    would_authorize: authorizedBy(reading.file, domain),
  }
}

function checkBrand({ bytes, allowHttp }: FileToCheck): FileReport {
  const parsed = parseManifest(bytes)
  if (!parsed.ok) {
    const line = jsonFault(Buffer.from(bytes).toString())?.line
    const place = line === undefined ? {} : { line }
    const fault = { pointer: '', message: parsed.reason, severity: 'error', ...place } as const
    return brandReport([fault], 'broken')
  }
  const check = checkBrandJson(parsed.value, { allowHttp })
  if (check.ok) return brandReport([], check.variant)
  const text = Buffer.from(bytes).toString()
  const lines = linesOfPointers(
    text,
    check.issues.map(({ pointer }) => pointer),
  )
  const most = ADAGENTS_LIMITS.adagentsFaults.value
  const faults = check.issues.slice(0, most).map(({ pointer, message }) => ({
    pointer,
    message,
    severity: 'error' as const,
    line: lines.get(pointer) ?? 1,
  }))
  return { ...brandReport(faults, 'broken'), total_faults: check.issues.length }
}

function brandReport(faults: FileFault[], variant: string): FileReport {
  return {
    type: 'brand.json',
    valid: faults.length === 0,
    faults,
    total_faults: faults.length,
    summary: { variant },
  }
}
