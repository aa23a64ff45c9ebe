// Decides when two agent URLs identify the same agent, and which ones identify this server, for code that receives
// the identifier of a format or of a signal (spec 2.2, 2.3).

import { isUrl } from '../lib/is-url.ts'
import { trimEnd } from '../lib/trim-end.ts'

/**
 * The canonical spelling for comparing agent URLs: scheme and host in lower case, without default port, root dot,
 * user name, fragment and trailing slash. Undefined if it is not an http(s) URL.
 */
export function canonicalAgentUrl(text: string): string | undefined {
  if (!isUrl(text)) return undefined
  const { protocol, hostname, port, pathname, search } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const host = hostname.replace(/\.$/, '')
  return `${protocol}//${host}${port && `:${port}`}${trimEnd(pathname, '/')}${search}`
}

/** The transport addresses that an agent URL may use: the server itself, and paths below it. */
export const MCP_PATH = '/mcp'
export const A2A_PATH = '/a2a'
/** Only the A2A interface of the protocol's profile. */
export const A2A_PROFILE_PATH = '/a2a/v3'

/** The names of the agent at each of these addresses: it is also known by the addresses of its transports. */
export function agentUrlsAt(addresses: readonly string[]): string[] {
  return addresses.flatMap((url) => [url, url + MCP_PATH, url + A2A_PATH])
}

/** Whether a URL is one of this server's own; `*` in the list matches every agent URL. */
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
