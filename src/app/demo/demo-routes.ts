// `/demo/{domain}/`: a demo brand's manifest, and the well-known file by which its domain names it. A demo
// server takes this path for the host of the domain (egress-hosts.ts).

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
  }
}
