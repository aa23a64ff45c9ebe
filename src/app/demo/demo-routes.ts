// `/demo/{domain}/brand.json`: what the demo references point to.

import type { FastifyInstance } from 'fastify'
import { DEMO_BRANDS, demoBrandJson } from './demo-brands.ts'

export function demoRoutes(app: FastifyInstance): void {
  for (const brand of DEMO_BRANDS) {
    app.get(`/demo/${brand.domain}/brand.json`, { schema: { hide: true } }, () =>
      demoBrandJson(brand),
    )
  }
}
