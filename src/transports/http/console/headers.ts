// Headers of everything under /console: nothing of it may be framed, read by another site, or run anything that
// is not a file of this server. Its pages frame previews of creatives, and nothing else.

import type { FastifyReply, FastifyRequest } from 'fastify'

/** `blob:` and `data:` are for pictures that the app draws itself. */
function policyOf(frames: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    `frame-src ${frames.length > 0 ? frames.join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': policyOf([]),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** An `onRequest` hook. */
export function consoleHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.headers(HEADERS)
  done()
}

/** The same for the pages of the app. */
export function pageHeaders(publicUrl: () => string) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const frames = previewPlaces(publicUrl(), request.headers.host)
    reply.headers({ ...HEADERS, 'content-security-policy': policyOf(frames) })
    done()
  }
}

const PREVIEWS = '/previews/'
/** A `;` or a space would start a new directive or source. A policy cannot express an IPv6 address. */
const HOST = /^[A-Za-z0-9.-]{1,255}(?::\d{1,5})?$/

/** A page frames previews of the address that it was itself opened on: the public one, or that of a tunnel. */
function previewPlaces(publicUrl: string, host: string | undefined): string[] {
  const own = new URL(publicUrl)
  if (!HOST.test(own.host)) return ["'self'"]
  const others = host !== undefined && host !== own.host && HOST.test(host) ? [host] : []
  return [own.origin, ...others].map((place) => `${place}${PREVIEWS}`)
}
