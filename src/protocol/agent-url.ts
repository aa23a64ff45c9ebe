// Decides when two agent URLs name the same agent, and which ones name this server, for code that receives the
// identifier of a format or of a signal (spec 2.2, 2.3).

import { isUrl } from '../lib/is-url.ts'
import { trimEnd } from '../lib/trim-end.ts'

/**
 * The one spelling by which agent URLs are compared: scheme and host in lower case, no default port,
 * root dot, user name, fragment or trailing slash. Undefined for what is no http(s) URL.
 */
export function canonicalAgentUrl(text: string): string | undefined {
  if (!isUrl(text)) return undefined
  const { protocol, hostname, port, pathname, search } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const host = hostname.replace(/\.$/, '')
  return `${protocol}//${host}${port && `:${port}`}${trimEnd(pathname, '/')}${search}`
}

/** Where the transports are that an agent URL may name: the server itself, and below it. */
export const MCP_PATH = '/mcp'
export const A2A_PATH = '/a2a'
/** The A2A interface of the protocol's profile alone. */
export const A2A_PROFILE_PATH = '/a2a/v3'

/** The names of the agent at each of these addresses: it is also known by the addresses of its transports. */
export function agentUrlsAt(addresses: readonly string[]): string[] {
  return addresses.flatMap((url) => [url, url + MCP_PATH, url + A2A_PATH])
}

/** Whether a URL is one of this server's own; `*` among them matches every agent URL. */
export function isOwnAgentUrl(agentUrl: string, ownAgentUrls: readonly string[]): boolean {
  const canonical = canonicalAgentUrl(agentUrl)
  if (canonical === undefined) return false
  return ownAgentUrls.some((own) => own === '*' || canonicalAgentUrl(own) === canonical)
}

/** All names of this server: its addresses, those of its transports, and what the operator adds. */
export function agentUrls(
  { publicUrl, ownAgentUrls }: { publicUrl: () => string; ownAgentUrls: readonly string[] },
  calledOn: string,
): string[] {
  return [...agentUrlsAt([publicUrl(), calledOn]), ...ownAgentUrls]
}
