// Endpoints for the operator's infrastructure: liveness, readiness, and status.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendFault } from './errors.ts'

export interface OperationPorts {
  /** Reasons why this instance cannot serve; empty if it may receive requests. */
  notReady(): Promise<readonly string[]>
  /** Reported in addition to readiness: none of it stops requests. */
  readiness(): Readiness
  metricsText(): Promise<string>
}

const tags = ['Operations']

const readinessSchema = z.object({
  roles: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('What this instance does: api, sender, worker, verifier'),
  sentence_model: z
    .enum(['unused', 'used', 'off', 'missing'])
    .optional()
    .describe('Whether signals are found with the sentence model; unused before the first search'),
})

export type Readiness = z.infer<typeof readinessSchema>

export function operationRoutes({ notReady, readiness, metricsText }: OperationPorts) {
  return (app: FastifyInstance): void => {
    app.get(
      '/healthz',
      {
        config: { quiet: true, counts: 'nothing' },
        schema: {
          operationId: 'getHealth',
          summary: 'Whether the process is alive',
          tags,
          response: { 200: z.object({ status: z.literal('ok') }) },
        },
      },
      () => ({ status: 'ok' as const }),
    )
    app.get(
      '/readyz',
      {
        config: { quiet: true, counts: 'nothing' },
        schema: {
          operationId: 'getReadiness',
          summary: 'Whether this instance may get requests',
          tags,
          response: { 200: z.object({ status: z.literal('ready'), ...readinessSchema.shape }) },
        },
      },
      async (_request, reply) => {
        const reasons = await notReady()
        if (reasons.length > 0) {
          return sendFault(reply, { status: 503, error: `not ready: ${reasons.join('; ')}` })
        }
        return { status: 'ready' as const, ...readiness() }
      },
    )
    app.get(
      '/metrics',
      {
        config: { quiet: true },
        schema: { operationId: 'getMetrics', summary: 'Prometheus metrics', tags },
      },
      async (_request, reply) =>
        reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsText()),
    )
  }
}
