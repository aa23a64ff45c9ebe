// OAuth 2.0 protected-resource metadata (RFC 9728): where a registry user gets a token (spec 5).

import type { FastifyInstance } from 'fastify'
import type { ResourceMetadata } from '../../../registry/resource-metadata.ts'

export function resourceMetadataRoutes(metadata: () => ResourceMetadata) {
  return (app: FastifyInstance): void => {
    for (const suffix of ['', '/api']) {
      app.get(
        `/.well-known/oauth-protected-resource${suffix}`,
        {
          schema: {
            operationId: suffix ? 'getApiResourceMetadata' : 'getResourceMetadata',
            summary: 'Where registry users get their tokens',
            tags: ['Operations'],
          },
        },
        () => metadata(),
      )
    }
  }
}
