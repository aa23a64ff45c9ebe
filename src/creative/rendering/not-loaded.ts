// Which of the URLs that a creative requests are not loaded by its frame, and why: the decision that the browser
// makes from the policy of the frame.

import { isUrl } from '../../lib/is-url.ts'
import { MAX_DETAILS } from '../limits.ts'
import { type RequestedKind, type RequestedUrl, requestedUrls } from './requested-urls.ts'
import type { PageStage } from './stage.ts'

const MAX_ADDRESS_CHARS = 500

/** Kinds that the policy allows from no host. */
const NEVER: ReadonlyMap<RequestedKind, string> = new Map([
  ['frame', 'a preview opens no frame of another page'],
  ['object', 'a preview runs no plug-in'],
])

/** Kinds that may be embedded in the URL itself. */
const INLINE: ReadonlySet<RequestedKind> = new Set<RequestedKind>([
  'script',
  'image',
  'media',
  'style',
])

/** Records on the stage what the frame with this content does not load. */
export function noteNotLoaded(content: string, stage: PageStage): void {
  for (const requested of requestedUrls(content)) {
    const reason = refusalOf(requested, stage.allowHosts)
    if (reason === undefined) continue
    stage.notLoadedCount += 1
    if (stage.notLoaded.length >= MAX_DETAILS) continue
    const { kind, url } = requested
    const returned = url.length > MAX_ADDRESS_CHARS ? `${url.slice(0, MAX_ADDRESS_CHARS)}…` : url
    stage.notLoaded.push({ label: kind, value: `${returned}\n${reason}` })
  }
}

/** Undefined for a resource that is loaded. @internal */
export function refusalOf(
  { kind, url }: RequestedUrl,
  allowHosts: readonly string[],
): string | undefined {
  const never = NEVER.get(kind)
  if (never !== undefined) return never
  if (/^(data|blob):/i.test(url)) {
    return INLINE.has(kind) ? undefined : `a ${kind} may not be inlined as a data: URL`
  }
  const absolute = url.startsWith('//') ? `https:${url}` : url
  if (!/^[a-z][a-z0-9+.-]*:/i.test(absolute)) {
    return 'it is a relative URL, and previews have no base URL: use an absolute URL'
  }
  if (!isUrl(absolute)) return 'it is not an address'
  const { protocol, hostname, port } = new URL(absolute)
  // For a socket, the policy matches `wss:` against an https source.
  if (protocol !== 'https:' && protocol !== 'wss:') return `${protocol} is not allowed: only https:`
  if (allowHosts.some((allowed) => covers(allowed, hostname, port))) return undefined
  return `the policy of previews does not allow ${hostname}${port === '' ? '' : `:${port}`}`
}

/** As a policy source: a host, or `*.` with its suffix, and the port. */
function covers(allowed: string, hostname: string, port: string): boolean {
  const [host = '', allowedPort = ''] = allowed.toLowerCase().split(':')
  if ((allowedPort === '443' ? '' : allowedPort) !== port) return false
  if (host === '*') return true
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}
