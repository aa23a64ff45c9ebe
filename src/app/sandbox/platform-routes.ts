// `/sandbox/platforms/{platform}/activations`: simulates every platform for a sandbox, which has none. It is called
// over HTTP like an operator's own service, and makes every signal live immediately.

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const HIDDEN = { schema: { hide: true } }
const BASE = '/sandbox/platforms'

export function platformUrl(listening: string, platform: string): string {
  return `${listening}${BASE}/${encodeURIComponent(platform)}`
}

export function platformRoutes(app: FastifyInstance): void {
  app.post<{ Params: { platform: string }; Body: { activation_id?: unknown } | undefined }>(
    `${BASE}/:platform/activations`,
    HIDDEN,
    (request) => {
      const named = `${request.params.platform} ${String(request.body?.activation_id)}`
      const digest = createHash('sha256').update(named).digest('hex').slice(0, 20)
      const activation_key = { type: 'segment_id', segment_id: `sandbox_${digest}` }
      return { status: 'live', activation_key }
    },
  )
  app.delete(`${BASE}/:platform/activations/:id`, HIDDEN, (_request, reply) =>
    reply.code(204).send(),
  )
}
