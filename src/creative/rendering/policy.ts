// The content security policy of a page. A page is isolated from the rest of the world: it loads only the images and
// media it shows, sends nothing, and has its own origin.

import { hash } from 'node:crypto'
import type { PageStage } from './stage.ts'

/**
 * Shared by every page: no base, no forms, no frame that loads anything. Peer connections cannot be forbidden: no
 * browser supports the CSP3 directive for them, and it would only cause warnings.
 */
const CLOSED = "base-uri 'none'; form-action 'none'; frame-src 'none'"

export interface PagePolicy {
  /** For the page itself: everything that a <meta> supports. */
  meta: string
  /**
   * For the header: the same plus its sandbox. It has no frame-ancestors, so that everyone may embed
   * the page: `*` would exclude pages that are themselves in a sandbox.
   */
  header: string
}

/**
 * A frame has the policy of the page that contains it, and its own as well. So a page with a frame allows inline
 * scripts although it has none itself; frame-src keeps the frame from navigating elsewhere.
 */
export function pagePolicy(stage: PageStage, styleHash: string): PagePolicy {
  const { hasFrame, allowHosts } = stage
  const hosts = hasFrame ? hostSources(allowHosts) : []
  const inner = hasFrame ? ['data:', 'blob:', ...hosts] : []
  const meta = [
    "default-src 'none'",
    directive('img-src', [...stage.images, ...inner]),
    directive('media-src', [...stage.media, ...inner]),
    hasFrame
      ? directive('style-src', ["'unsafe-inline'", ...hosts])
      : directive('style-src', [styleHash]),
    hasFrame && directive('script-src', ["'unsafe-inline'", ...inner]),
    hasFrame && directive('font-src', ['data:', ...hosts]),
    hosts.length > 0 && directive('connect-src', hosts),
    CLOSED,
  ]
    .filter(Boolean)
    .join('; ')
  return { meta, header: `${meta}; ${sandboxOf(stage)}` }
}

/** The policy of the markup or script of a creative, in the frame it runs in. */
export function framePolicy(allowHosts: readonly string[]): string {
  const hosts = hostSources(allowHosts)
  return [
    "default-src 'none'",
    directive('img-src', ['data:', 'blob:', ...hosts]),
    directive('media-src', ['data:', 'blob:', ...hosts]),
    directive('style-src', ["'unsafe-inline'", ...hosts]),
    directive('script-src', ["'unsafe-inline'", 'data:', 'blob:', ...hosts]),
    directive('font-src', ['data:', ...hosts]),
    ...(hosts.length > 0 ? [directive('connect-src', hosts)] : []),
    CLOSED,
  ].join('; ')
}

/** The permissions that a frame that embeds the page should grant. */
export const recommendedSandbox = (hasFrame: boolean): string => (hasFrame ? 'allow-scripts' : '')

export function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

function sandboxOf({ hasFrame }: PageStage): string {
  return hasFrame ? 'sandbox allow-scripts' : 'sandbox'
}

function directive(name: string, sources: readonly string[]): string {
  const distinct = [...new Set(sources)]
  return distinct.length > 0 ? `${name} ${distinct.join(' ')}` : `${name} 'none'`
}

/** Only a host and nothing else: a `;` would begin a directive. */
function hostSources(hosts: readonly string[]): string[] {
  return hosts
    .filter((host) => /^[a-z0-9.*-]+(:\d+)?$/i.test(host))
    .map((host) => `https://${host}`)
}
