// The check of a list of properties: which domains to remove, which spellings to change, which are known to the
// registry, and which need a manual review. The report can be read again for a week.

import { randomUUID } from 'node:crypto'
import { normaliseHost, registrableDomain } from '../../lib/host-name.ts'
import { createPacer } from '../../lib/pacer.ts'
import type { Transact, Transaction } from '../../lib/transaction.ts'
import { type Infrastructure, infrastructureOf } from './ad-infrastructure.ts'

export const REPORT_RETENTION_DAYS = 7

export interface CheckSummary {
  total: number
  remove: number
  modify: number
  assess: number
  ok: number
}

export interface PropertyCheck {
  summary: CheckSummary
  remove: (
    | { input: string; canonical: string; reason: 'duplicate' }
    | ({ input: string; canonical: string; reason: 'blocked' } & Infrastructure)
  )[]
  modify: { input: string; canonical: string; reason: 'www_stripped' | 'm_stripped' }[]
  assess: { domain: string }[]
  ok: { domain: string; source: string }[]
}

export interface PropertyCheckStore {
  /** Which of these domains have properties in the registry, and where the data comes from. */
  knownSources(domains: readonly string[]): Promise<Map<string, string>>
  addReport(tx: Transaction, reportId: string, summary: CheckSummary): Promise<void>
  /** Undefined for one that is older than `since`, in milliseconds. */
  report(reportId: string, since: number): Promise<CheckSummary | undefined>
  /** Deletes some of the older ones; returns how many. */
  trimReports(tx: Transaction, before: number): Promise<number>
}

export interface PropertyCheckPorts {
  transact: Transact
  propertyChecks: PropertyCheckStore
}

/** Domains that are looked up at once. */
const LOOKED_UP = 1_000

export async function checkPropertyList(
  { transact, propertyChecks }: PropertyCheckPorts,
  inputs: readonly string[],
): Promise<PropertyCheck & { report_id: string }> {
  const pacer = createPacer()
  const found: Omit<PropertyCheck, 'summary'> = { remove: [], modify: [], assess: [], ok: [] }
  const seen = new Set<string>()
  const open: string[] = []
  for (const input of inputs) {
    if (pacer.isDue()) await pacer.pause()
    const { canonical, stripped } = canonicalOf(input)
    if (seen.has(canonical)) {
      found.remove.push({ input, canonical, reason: 'duplicate' })
      continue
    }
    seen.add(canonical)
    if (stripped) found.modify.push({ input, canonical, reason: stripped })
    const infrastructure = infrastructureOf(canonical)
    if (infrastructure)
      found.remove.push({ input, canonical, reason: 'blocked', ...infrastructure })
    else open.push(canonical)
  }
  for (let start = 0; start < open.length; start += LOOKED_UP) {
    const domains = open.slice(start, start + LOOKED_UP)
    const sources = await propertyChecks.knownSources(domains)
    for (const domain of domains) {
      const source = sources.get(domain)
      if (source === undefined) found.assess.push({ domain })
      else found.ok.push({ domain, source })
    }
    if (pacer.isDue()) await pacer.pause()
  }
  const summary: CheckSummary = {
    total: inputs.length,
    remove: found.remove.length,
    modify: found.modify.length,
    assess: found.assess.length,
    ok: found.ok.length,
  }
  const report_id = randomUUID()
  await transact((tx) => propertyChecks.addReport(tx, report_id, summary))
  return { summary, ...found, report_id }
}

type Canonical = { canonical: string; stripped?: 'www_stripped' | 'm_stripped' }

/** An entry that is not a domain keeps its text, for a person to look at. */
function canonicalOf(input: string): Canonical {
  const host = normaliseHost(input)
  if (!host.ok) return { canonical: input.trim().toLowerCase() }
  const { domain } = host
  for (const [prefix, stripped] of PREFIXES) {
    if (!domain.startsWith(prefix)) continue
    const rest = domain.slice(prefix.length)
    // For m.co.uk, nothing would be left that somebody owns.
    if (registrableDomain(rest) !== null) return { canonical: rest, stripped }
  }
  return { canonical: domain }
}

const PREFIXES = [
  ['www.', 'www_stripped'],
  ['m.', 'm_stripped'],
] as const
