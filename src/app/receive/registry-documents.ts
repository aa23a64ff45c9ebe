// What sellers and publishers publish about keys, read from a registry that has crawled it: one source instead of
// many sites, with references to managers' files already resolved. Whatever the registry does not have is fetched
// from the site itself, so that an unavailable or incomplete registry never removes a pin.

import { normaliseDomain } from '../../lib/host-name.ts'
import { isUrl } from '../../lib/is-url.ts'
import type { EgressRequest, EgressResult } from '../../lib/safe-fetch/safe-fetch.ts'
import { tryJson } from '../../lib/try-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { GuardedFetch } from './named-egress.ts'

export interface RegistryPlace {
  /** Without a final slash. */
  url: string
  /** A key of an organisation at the registry, used to read pins. */
  key: string | undefined
}

const BRAND = '/.well-known/brand.json'
const ADAGENTS = '/.well-known/adagents.json'
const MAX_BYTES = 4 * 1_024 * 1_024

export function throughRegistry(egress: GuardedFetch, registry: RegistryPlace): GuardedFetch {
  return {
    close: egress.close,
    fetch: async (request) => {
      const requested = isUrl(request.url) ? new URL(request.url) : undefined
      const domain = requested?.protocol === 'https:' ? domainOf(requested) : undefined
      if (requested === undefined || domain === undefined) return egress.fetch(request)
      const known =
        requested.pathname === BRAND
          ? await brandOf(egress, registry, { domain, request })
          : requested.pathname === ADAGENTS
            ? await pinsOf(egress, registry, { domain, request })
            : undefined
      return known ?? egress.fetch(request)
    },
  }
}

/** On another port it is not the site that the registry has crawled. */
function domainOf({ port, hostname, search }: URL): string | undefined {
  if (port !== '' || search !== '') return undefined
  const named = normaliseDomain(hostname)
  return named.ok && named.domain === hostname ? named.domain : undefined
}

interface Question {
  domain: string
  request: EgressRequest
}

async function brandOf(
  egress: GuardedFetch,
  registry: RegistryPlace,
  { domain, request }: Question,
): Promise<EgressResult | undefined> {
  const query = new URLSearchParams({ domain })
  const answer = await ask(egress, registry, { path: `/api/brands/brand-json?${query}`, request })
  const document = answer?.body.data
  return isObject(document) ? answer?.as(document) : undefined
}

/** In the form of an adagents.json that lists the keys each agent is pinned to. */
async function pinsOf(
  egress: GuardedFetch,
  registry: RegistryPlace,
  { domain, request }: Question,
): Promise<EgressResult | undefined> {
  if (registry.key === undefined) return undefined
  const query = new URLSearchParams({ publisher_domain: domain })
  const path = `/api/registry/authorizations?${query}`
  const answer = await ask(egress, registry, { path, request })
  const rows = answer?.body.rows
  if (!Array.isArray(rows) || rows.length === 0 || answer?.body.has_more === true) return undefined
  const authorized_agents = rows.filter(isObject).map(({ agent_url, signing_keys }) => ({
    url: agent_url,
    ...(signing_keys === null || signing_keys === undefined ? {} : { signing_keys }),
  }))
  return answer?.as({ authorized_agents })
}

async function ask(
  egress: GuardedFetch,
  { url, key }: RegistryPlace,
  { path, request }: { path: string; request: EgressRequest },
) {
  const result = await egress.fetch({
    url: `${url}${path}`,
    headers: {
      accept: 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    redirects: 'none',
    maxBytes: MAX_BYTES,
    ...(request.totalTimeoutMs === undefined ? {} : { totalTimeoutMs: request.totalTimeoutMs }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  })
  if (!result.ok || result.status !== 200) return undefined
  const body = tryJson(result.body.toString('utf8'))
  if (!isObject(body)) return undefined
  const as = (document: object): EgressResult => ({
    ...result,
    body: Buffer.from(JSON.stringify(document)),
  })
  return { body, as }
}
