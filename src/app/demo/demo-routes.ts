// `/demo/{domain}/`: a demo brand's manifest, and the well-known file by which its domain names it. A demo
// server takes this path for the host of the domain (egress-hosts.ts). `/demo/receivers/`: receivers of webhooks, of
// which one is well and two are not.

import type { FastifyInstance } from 'fastify'
import { DEMO_BRANDS, demoBrandJson, demoManifestUrl } from './demo-brands.ts'

/** Asked for by this server itself, at its start: a line of the log for each would say nothing. */
const OWN = { config: { quiet: true }, schema: { hide: true } }

/** `url` is where this server is reached. */
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
