// The metadata of an OpenID provider (OpenID Connect Discovery 1.0 §3), as far as the console needs it.

import { isUrl } from '../../lib/is-url.ts'

export interface Endpoints {
  authorization: string
  token: string
  jwks: string
  userinfo: string | undefined
  /** Whether the token endpoint takes the client's secret in a header; otherwise it is in the form. */
  takesBasic: boolean
}

/** The issuer must be exactly the configured one, or a provider could speak for another (§4.3). */
export function parseDiscovery(
  given: Readonly<Record<string, unknown>> | undefined,
  issuer: string,
): { ok: true; endpoints: Endpoints } | { ok: false; message: string } {
  if (given === undefined) {
    return { ok: false, message: 'the metadata of the provider is no JSON object' }
  }
  if (given.issuer !== issuer) {
    return { ok: false, message: 'the issuer in the metadata is not the configured one' }
  }
  const [authorization, token, jwks, userinfo] = [
    given.authorization_endpoint,
    given.token_endpoint,
    given.jwks_uri,
    given.userinfo_endpoint,
  ].map((value) => endpointOf(value, issuer))
  if (!authorization || !token || !jwks) {
    const names = 'authorization_endpoint, token_endpoint and jwks_uri'
    return { ok: false, message: `the metadata must have ${names}, each an https URL` }
  }
  const methods = given.token_endpoint_auth_methods_supported
  const takesBasic = !Array.isArray(methods) || methods.includes('client_secret_basic')
  return { ok: true, endpoints: { authorization, token, jwks, userinfo, takesBasic } }
}

/** An https URL; http only where the issuer itself has it, for tests on one machine. */
function endpointOf(value: unknown, issuer: string): string | undefined {
  if (typeof value !== 'string' || value.length > 2_048 || !isUrl(value)) return undefined
  const { protocol, username, hash } = new URL(value)
  const isAllowed = protocol === 'https:' || protocol === new URL(issuer).protocol
  return isAllowed && username === '' && hash === '' ? value : undefined
}
