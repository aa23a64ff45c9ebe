// `/demo/{domain}/`: a demo brand's manifest, and the well-known file through which its domain points to it. A demo
// server maps the host of the domain to this path (egress-hosts.ts). `/demo/receivers/`: webhook receivers, of which
// one is healthy and two are not.

import type { FastifyInstance } from 'fastify'
import { DEMO_BRANDS, demoBrandJson, demoManifestUrl } from './demo-brands.ts'

/** Requested by this server itself at startup: a log line for each would only be noise. */
const OWN = { config: { quiet: true }, schema: { hide: true } }

/** `url` is the URL of this server. */
export function demoRoutes(url: () => string) {
  return (app: FastifyInstance): void => {
    for (const brand of DEMO_BRANDS) {
      const { domain } = brand
      app.get(`/demo/${domain}/brand.json`, OWN, () => demoBrandJson(brand))
      app.get(`/demo/${domain}/.well-known/brand.json`, OWN, () => ({
        authoritative_location: demoManifestUrl(url(), domain),
      }))
    }
    for (const [name, { status, headers, answer }] of Object.entries(DEMO_RECEIVERS)) {
      app.post(`${RECEIVERS}${name}`, OWN, (_request, reply) =>
        reply.code(status).headers(headers).send({ answer }),
      )
    }
  }
}

const RECEIVERS = '/demo/receivers/'

const DEMO_RECEIVERS = {
  well: { status: 200, headers: {}, answer: 'thank you' },
  busy: { status: 503, headers: {}, answer: 'the queue of this receiver is full' },
  strict: {
    status: 401,
    headers: { 'www-authenticate': 'Signature error="webhook_signature_key_unknown"' },
    answer: 'this receiver does not know the key',
  },
} as const

export function demoReceiverUrl(url: string, name: keyof typeof DEMO_RECEIVERS): string {
  return `${url}${RECEIVERS}${name}`
}
