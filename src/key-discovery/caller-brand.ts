// The agents and operators that a brand.json lists, indexed once when it is fetched (spec 5): any caller can trigger
// a lookup, and it may list a thousand of each.

import { registrableDomain } from '../lib/host-name.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import { canonicalTargetUri } from '../signing/target-uri.ts'
import { agentsOf, type BrandAgent, malformed, noEntry, severalEntries } from './brand-agents.ts'
import type { Loaded } from './document-cache.ts'
import { KEY_DISCOVERY_LIMITS } from './limits.ts'

export interface CallerBrand {
  /** The only entry of this agent, compared by the canonical form of both URLs; a trailing slash is significant. */
  entryOf(agentUrl: string): Loaded<BrandAgent>
  /** Whether the brand authorizes the owner of this host to act for it. */
  isOperator(host: string): boolean
}

export function readCallerBrand(document: Record<string, unknown>): Loaded<CallerBrand> {
  const { authorized_operators: operators } = document
  const listed = Array.isArray(operators) ? operators : []
  const most = KEY_DISCOVERY_LIMITS.brandEntries.value
  if (listed.length > most) return malformed(`it has more than ${most} authorized_operators`)

  const agents = agentsOf(document)
  const entries = entriesByUrl(agents)
  const sites = new Set(
    listed.flatMap((one) =>
      isObject(one) && typeof one.domain === 'string' ? sitesOf(one.domain) : [],
    ),
  )
  const value: CallerBrand = {
    entryOf: (agentUrl) => {
      const entry = entries.get(canonical(agentUrl))
      if (entry === undefined) return noEntry(agents)
      return entry === 'several' ? severalEntries() : { ok: true, value: entry }
    },
    isOperator: (host) => sitesOf(host).some((site) => sites.has(site)),
  }
  return { ok: true, value }
}

function entriesByUrl(agents: readonly BrandAgent[]): Map<string, BrandAgent | 'several'> {
  const entries = new Map<string, BrandAgent | 'several'>()
  for (const agent of agents) {
    const url = canonical(agent.url)
    entries.set(url, entries.has(url) ? 'several' : agent)
  }
  return entries
}

/** Two hosts have the same owner if they are equal or have the same registrable domain. */
function sitesOf(host: string): string[] {
  const site = registrableDomain(host)
  const itself = `host ${host.toLowerCase()}`
  return site === null ? [itself] : [itself, `site ${site}`]
}

function canonical(url: string): string {
  const target = canonicalTargetUri(url, { allowUnicodeHost: true })
  return target.ok ? target.targetUri : `as it is: ${url}`
}
