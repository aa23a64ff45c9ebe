// All errors in an adagents.json, brand.json or ads.txt that is being written, with line and pointer.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { normaliseDomain } from '../../../lib/host-name.ts'
import type { FileReport, FileToCheck } from '../../../protocol/adagents/check-file.ts'
import { FILE_TYPES } from '../../../protocol/adagents/file-types.ts'
import { refuse } from '../../../registry/refusal.ts'
import { sendRefusal } from './answers.ts'
import { refusals } from './schemas.ts'

export interface FileCheckPorts {
  check(file: FileToCheck, owner: string): Promise<FileReport>
  maxProperties: number
  allowHttp: boolean
}

const tags = ['Validation tools']

const report = z.object({
  type: z.enum(FILE_TYPES),
  valid: z.boolean(),
  faults: z.array(
    z.object({
      pointer: z.string().describe('RFC 6901'),
      message: z.string(),
      severity: z.enum(['error', 'warning']),
      line: z.number().optional(),
    }),
  ),
  total_faults: z.number(),
  summary: z.looseObject({ variant: z.string() }),
})

export function fileCheckRoutes(ports: FileCheckPorts) {
  return (plain: FastifyInstance): void => {
    const app = plain.withTypeProvider<ZodTypeProvider>()
    app.post(
      '/api/registry/validate/file',
      {
        schema: {
          operationId: 'validateFile',
          summary: 'Every fault of an adagents.json, brand.json or ads.txt',
          tags,
          body: z.object({
            type: z.enum(FILE_TYPES),
            content: z.string().describe('The text of the file, as it would be served'),
            domain: z.string().max(253).optional().describe('Where it would be served'),
          }),
          response: { 200: report, ...refusals(400, 413, 429) },
        },
      },
      async (request, reply) => {
        const { type, content, domain } = request.body
        const named = domain === undefined ? undefined : normaliseDomain(domain)
        if (named && !named.ok) return sendRefusal(reply, refuse(400, named.reason))
        const { maxProperties, allowHttp } = ports
        const file = {
          type,
          bytes: Buffer.from(content),
          domain: named?.domain ?? null,
          maxProperties,
          allowHttp,
        }
        const { summary, ...rest } = await ports.check(file, request.account)
        return { ...rest, summary: { ...summary } }
      },
    )
  }
}
