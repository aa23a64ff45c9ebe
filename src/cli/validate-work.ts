// The work of `adwire validate`: reads or fetches the file and prints its errors as `name:line: …`, which editors
// understand.

import { basename } from 'node:path'
import pc from 'picocolors'
import { fetchHops } from '../lib/fetch-hops.ts'
import { normaliseDomain } from '../lib/host-name.ts'
import { isUrl } from '../lib/is-url.ts'
import type { AuthorizationPreview } from '../protocol/adagents/authorized-by.ts'
import { checkFile, type FileReport } from '../protocol/adagents/check-file.ts'
import { FILE_TYPES, type FileType } from '../protocol/adagents/file-types.ts'
import { ADAGENTS_LIMITS } from '../protocol/adagents/limits.ts'
import { CRAWL_MS } from '../registry/crawler/limits.ts'
import { CommandError } from './exit-codes.ts'
import { readText } from './input-text.ts'
import { openEgress } from './own-egress.ts'
import { printableText } from './printable-text.ts'
import { configFrom } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

interface Flags {
  type?: FileType
  domain?: string
  allowPrivate?: boolean
  json?: boolean
}

interface Source {
  /** The name that is printed before each error. */
  name: string
  type: FileType
  text: string
  domain: string | null
}

const AUTHORIZATIONS_SHOWN = 20

export async function validate(place: string, flags: Flags): Promise<void> {
  const config = configFrom({ ...flags })
  const isRemote = /^https?:\/\//i.test(place)
  const source = await (isRemote ? fetched(place, flags) : read(place, flags))
  const report = checkFile({
    type: source.type,
    bytes: Buffer.from(source.text),
    domain: source.domain,
    maxProperties: ADAGENTS_LIMITS.adagentsProperties.value,
    allowHttp: config.egressAllowHttp || flags.allowPrivate === true,
  })
  if (!report.valid) process.exitCode = 1
  if (flags.json) return printJson({ source: source.name, domain: source.domain, ...report })
  show(source, report)
}

async function read(place: string, flags: Flags): Promise<Source> {
  const name = place === '-' ? 'standard input' : place
  const type = flags.type ?? typeOf(basename(place))
  if (type === undefined) {
    throw new UsageError(`${name}: give --type, one of ${FILE_TYPES.join(', ')}`)
  }
  const text = await readText(name, place === '-' ? place : `@${place}`)
  return { name, type, text, domain: domainOf(flags.domain) }
}

function typeOf(name: string): FileType | undefined {
  return FILE_TYPES.find((type) => name.toLowerCase().endsWith(type))
}

function domainOf(given: string | undefined): string | null {
  if (given === undefined) return null
  const named = normaliseDomain(given)
  if (!named.ok) throw new UsageError(`--domain: ${named.reason}`)
  return named.domain
}

async function fetched(place: string, flags: Flags): Promise<Source> {
  if (!isUrl(place)) throw new UsageError(`${place} is not a URL`)
  const requested = new URL(place)
  const type = flags.type ?? typeOf(requested.pathname) ?? 'adagents.json'
  if (requested.pathname === '/') {
    requested.pathname = type === 'ads.txt' ? '/ads.txt' : `/.well-known/${type}`
  }
  const egress = openEgress(configFrom({ ...flags }), { allowPrivate: flags.allowPrivate })
  try {
    const result = await fetchHops(egress.fetch, {
      url: requested.href,
      headers: { accept: 'application/json, text/plain;q=0.5' },
      maxBytes: ADAGENTS_LIMITS.adagentsBytes.value,
      totalTimeoutMs: CRAWL_MS,
    })
    if (!result.ok) throw new CommandError('unreachable', `${requested.href}: ${result.message}`)
    if (result.status !== 200) {
      const { status } = result
      throw new CommandError('unreachable', `${requested.href}: the response is ${status}, not 200`)
    }
    const named = normaliseDomain(requested.hostname)
    const domain = flags.domain === undefined && named.ok ? named.domain : domainOf(flags.domain)
    return { name: requested.href, type, text: result.body.toString('utf8'), domain }
  } finally {
    await egress.close()
  }
}

function show(
  { name, domain }: Source,
  { type, valid, faults, total_faults, summary }: FileReport,
) {
  for (const { pointer, message, severity, line } of faults) {
    const at = line === undefined ? name : `${name}:${line}`
    const word = severity === 'error' ? pc.red('error') : pc.yellow('warning')
    const where = pointer === '' ? '' : `${pointer} `
    print(`${printableText(at)}: ${word}: ${printableText(`${where}${message}`)}`)
  }
  if (total_faults > faults.length) print(`… and ${total_faults - faults.length} more errors`)
  const { authoritative_location, manager_domain, would_authorize } = summary
  if (would_authorize) showAuthorized(would_authorize, domain)
  if (authoritative_location !== undefined) {
    print(`points to ${printableText(authoritative_location)}: that file was not checked`)
  }
  if (type === 'ads.txt') print(`MANAGERDOMAIN: ${manager_domain ?? 'none'}`)
  print(valid ? `${type}: valid` : `${type}: not valid`)
}

function showAuthorized(
  { authorizations, authorization_count, idle_agents }: AuthorizationPreview,
  domain: string | null,
): void {
  if (authorization_count === 0) print('It would authorize no agent for any property.')
  else {
    print('It would authorize:')
    printTable(
      ['AGENT', 'PUBLISHER', 'PROPERTIES', 'COUNTRIES', 'UNTIL', ''],
      authorizations
        .slice(0, AUTHORIZATIONS_SHOWN)
        .map((one) => [
          one.agent_url,
          one.publisher_domain,
          `${one.properties_authorized} of ${one.properties_total}`,
          one.countries?.join(' ') ?? 'all',
          one.effective_until ?? '',
          domain === null || one.is_own ? '' : `after ${one.publisher_domain} points to this file`,
        ]),
    )
    const more = authorization_count - Math.min(authorizations.length, AUTHORIZATIONS_SHOWN)
    if (more > 0) print(`… and ${more} more`)
  }
  for (const { agent_url, reason } of idle_agents) {
    print(`${printableText(agent_url)} would not be authorized: ${reason}`)
  }
}
