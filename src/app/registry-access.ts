// Who may change the registry, from the settings: organisation keys always; user tokens if an issuer is set, whose
// keys are fetched through the egress guard.

import { defined } from '../lib/defined.ts'
import type { FetchJwks } from '../lib/issuer-keys.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { createRegistryAccess, type RegistryAccess } from '../registry/access.ts'
import { resourceMetadata } from '../registry/resource-metadata.ts'
import type { OrganizationStore } from '../registry/store.ts'
import type { JwtSettings } from '../registry/user-token.ts'
import type { Config } from './config.ts'

export interface RegistryAccessParts {
  config: Config
  organizations: OrganizationStore
  egress: Egress
  /** Final once the server listens; read at the first call. */
  publicUrl: () => string
}

export function registryAccess(parts: RegistryAccessParts): RegistryAccess {
  let access: RegistryAccess | undefined
  return {
    authenticate: (authorization) => {
      access ??= createRegistryAccess({
        organizations: parts.organizations,
        jwt: jwtOf(parts.config, parts.publicUrl()),
        fetchJwks: fetchJwksBy(parts.egress),
      })
      return access.authenticate(authorization)
    },
  }
}

function jwtOf(config: Config, publicUrl: string): JwtSettings | undefined {
  if (config.jwtIssuer === undefined) return undefined
  const { resource } = resourceMetadata({ publicUrl, scopes: [] })
  return {
    issuer: config.jwtIssuer,
    audience: config.jwtAudience ?? [resource, publicUrl],
    jwksUrl: config.jwtJwksUrl ?? new URL('/.well-known/jwks.json', config.jwtIssuer).href,
  }
}

const MAX_JWKS_BYTES = 256 * 1024
const JWKS_TIMEOUT_MS = 5_000

function fetchJwksBy(egress: Egress): FetchJwks {
  return async (url, signal) => {
    const result = await egress.fetch({
      url,
      headers: { accept: 'application/json' },
      maxBytes: MAX_JWKS_BYTES,
      totalTimeoutMs: JWKS_TIMEOUT_MS,
      ...defined({ signal }),
    })
    if (!result.ok) throw new Error(result.message)
    return { status: result.status, body: result.body }
  }
}
