// `POST /api/manifest-refs/{id}/proof`: how a contributor proves that it speaks for a domain.

import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { askProof, type ProofPorts } from '../../../registry/reference-proof.ts'
import { type GatePorts, mayWrite, sendRefusal } from './answers.ts'
import { referenceRecord, refusals } from './schemas.ts'

export interface ProofRoutePorts extends ProofPorts, GatePorts {
  resourceMetadataUrl: () => string
}

export const challenge = z.object({
  domain: z.string(),
  dns_txt: z
    .object({ name: z.string(), value: z.string() })
    .nullable()
    .describe('A TXT record; null where the name would be longer than DNS allows'),
  file: z
    .object({ url: z.string(), value: z.string() })
    .describe('A text file, of which one line is the value'),
})

const proofAnswer = z.object({
  success: z.literal(true),
  reference: referenceRecord,
  proof: challenge.extend({
    parent: challenge
      .nullable()
      .describe('The same at the registrable domain above, which proves all its subdomains'),
    ways: z.array(z.string()).describe('What else would prove the reference'),
  }),
})

export function proofRoutes(ports: ProofRoutePorts) {
  return (plain: FastifyInstance): void => {
    plain.withTypeProvider<ZodTypeProvider>().post(
      '/api/manifest-refs/:id/proof',
      {
        schema: {
          operationId: 'proveManifestRef',
          summary: 'What to publish to prove that I speak for the domain',
          description:
            'A reference is valid only with its domain’s own word: the manifest at the well-known ' +
            'place of the domain or of the registrable domain above it, or elsewhere on them; named ' +
            'by the well-known file (an agent by URL and id); or one of the values answered here, ' +
            'published in DNS or in a file. The values are of the caller’s organisation and the ' +
            'domain, are the same at every call, and are looked for at every verification: when ' +
            'they are gone, the reference is pending again. Publish one and verify the reference.',
          tags: ['Manifest references'],
          security: [{ bearerAuth: [] }],
          params: z.object({ id: z.string().max(100) }),
          response: { 200: proofAnswer, ...refusals(401, 403, 404, 429) },
        },
      },
      async (request, reply) => {
        const who = await mayWrite(ports, request)
        if (!who.ok) return sendRefusal(reply, who, ports.resourceMetadataUrl)
        const requested = await askProof(ports, who.caller, request.params.id)
        if (!requested.ok) return sendRefusal(reply, requested)
        return { success: true as const, reference: requested.reference, proof: requested.proof }
      },
    )
  }
}
