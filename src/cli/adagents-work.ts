// The work of `adwire adagents create`: builds an adagents.json from flags or a file of parts, and checks it.

import { writeFileSync } from 'node:fs'
import { normaliseDomain } from '../lib/host-name.ts'
import { checkFile } from '../protocol/adagents/check-file.ts'
import { createAdagents } from '../protocol/adagents/create-file.ts'
import { ADAGENTS_LIMITS } from '../protocol/adagents/limits.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { readJsonObject } from './input-text.ts'
import { printableText } from './printable-text.ts'
import { configFrom } from './settings-options.ts'
import { UsageError } from './terminal.ts'

interface Flags {
  domain?: string
  agent?: string[]
  for: string
  propertyType?: string
  propertyName?: string
  countries?: string
  until?: string
  parts?: string
  out?: string
  timestamp: boolean
  schema?: boolean
}

const PROPERTY_ID = 'site'

export async function create(given: Record<string, unknown>): Promise<void> {
  const flags = given as unknown as Flags
  const config = configFrom(given)
  const domain = domainOf(flags.domain)
  const parts = flags.parts === undefined ? partsOf(flags, domain) : await readParts(flags)
  const created = createAdagents(parts, {
    timestamp: flags.timestamp ? new Date().toISOString() : undefined,
    schemaUrl: flags.schema ? identifiersFor(config.protocolName).adagentsSchema : undefined,
  })
  if (!created.ok) throw new UsageError(created.error)
  const { valid, faults } = checkFile({
    type: 'adagents.json',
    bytes: Buffer.from(created.text),
    domain,
    maxProperties: ADAGENTS_LIMITS.adagentsProperties.value,
    allowHttp: config.egressAllowHttp,
  })
  for (const { pointer, message, severity } of faults) {
    process.stderr.write(`${severity}: ${printableText(`${pointer} ${message}`.trim())}\n`)
  }
  if (!valid) {
    process.exitCode = 1
    return
  }
  if (flags.out === undefined) process.stdout.write(created.text)
  else write(flags.out, created.text)
}

async function readParts({ parts = '', agent, countries, until }: Flags) {
  if (agent !== undefined || countries !== undefined || until !== undefined) {
    throw new UsageError(
      '--parts already contains the agents and their terms: omit the flags for them',
    )
  }
  return readJsonObject('--parts', parts === '-' ? parts : `@${parts}`)
}

function partsOf(
  { agent = [], for: authorized_for, propertyType, propertyName, countries, until }: Flags,
  domain: string | null,
) {
  if (domain === null || agent.length === 0) {
    throw new UsageError('give --domain and at least one --agent, or --parts with a file of parts')
  }
  const terms = {
    ...(countries === undefined
      ? {}
      : { countries: countries.split(',').map((one) => one.trim()) }),
    ...(until === undefined ? {} : { effective_until: timeOf(until) }),
  }
  return {
    authorized_agents: agent.map((url) => ({
      url,
      authorized_for,
      authorization_type: 'property_ids',
      property_ids: [PROPERTY_ID],
      ...terms,
    })),
    properties: [
      {
        property_id: PROPERTY_ID,
        property_type: propertyType ?? 'website',
        name: propertyName ?? domain,
        identifiers: [{ type: 'domain', value: domain }],
        publisher_domain: domain,
      },
    ],
  }
}

function domainOf(given: string | undefined): string | null {
  if (given === undefined) return null
  const named = normaliseDomain(given)
  if (!named.ok) throw new UsageError(`--domain: ${named.reason}`)
  return named.domain
}

function timeOf(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError(`--until must be a date such as 2027-01-31: ${text}`)
  return new Date(time).toISOString()
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new UsageError(isThere ? `${path} already exists` : `cannot write ${path}`)
  }
}
