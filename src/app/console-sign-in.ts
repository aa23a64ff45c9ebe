// Signing in to the console at an OpenID provider, from the settings; every request to it goes through the egress guard.

import { CONSOLE_LIMITS } from '../console/limits.ts'
import type { AskProvider } from '../console/sign-in/provider.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import {
  OIDC_CALLBACK,
  type OidcRoutePorts,
  oidcRoutes,
} from '../transports/http/console/oidc-routes.ts'
import { channelBox } from './channel-box.ts'
import { rolesByGroup } from './console-settings.ts'
import type { Parts } from './parts.ts'

/** Undefined if no provider is configured. */
export async function consoleSignIn(parts: Parts) {
  const { config, clock, wallClock, storage, egress, publicUrl } = parts
  const { oidcIssuer: issuer, oidcClientId: clientId } = config
  if (issuer === '' || clientId === undefined) return undefined
  const { createProvider } = await import('../console/sign-in/provider.ts')
  const { createPersonSignIn } = await import('../console/sign-in/person-sign-in.ts')
  const { createRecheck } = await import('../console/sign-in/recheck.ts')
  const settings = {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    roles: rolesByGroup(config.oidcRoles),
  }
  const provider = createProvider(settings, { ask: askProvider(egress), clock: wallClock })
  const shared = {
    transact: storage.transact,
    signIns: storage.consoleSignIns,
    sessions: storage.consoleSessions,
    audit: storage.consoleAudit,
    provider,
    issuer,
    box: await channelBox(config, storage),
  }
  const signIn = createPersonSignIn({
    ...shared,
    principals: storage.principals,
    redirectUri: () => new URL(OIDC_CALLBACK, publicUrl()).href,
  })
  const rolesOfPerson = createRecheck({
    ...shared,
    clock,
    names: storage.principalQueries.names,
    recheckMs: config.oidcRecheckSeconds * 1_000,
  })
  const rateLimit = () =>
    createRateLimit({ clock, perMinute: CONSOLE_LIMITS.signInsPerMinute.value })
  return {
    sessionPorts: { rolesOfPerson },
    routes: (gate: Pick<OidcRoutePorts, 'sessions' | 'refused'>) => [
      oidcRoutes({ ...gate, signIn, publicUrl, begins: rateLimit(), returns: rateLimit() }),
    ],
  }
}

const MAX_BYTES = 512 * 1_024
const TIMEOUT_MS = 8_000

function askProvider(egress: Egress): AskProvider {
  return async (request) => {
    const result = await egress.fetch({
      ...request,
      maxBytes: MAX_BYTES,
      totalTimeoutMs: TIMEOUT_MS,
    })
    if (!result.ok) throw new Error(result.message)
    return { status: result.status, body: result.body }
  }
}
