// How clients of `/mcp` find out who issues keys: the protected-resource metadata of RFC 9728, at its well-known path
// and in the challenge of a call without a valid key.

import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { trimEnd } from '../../lib/trim-end.ts'
import { MCP_PATH } from '../../protocol/agent-url.ts'

export interface McpAuthorization {
  /** The public address of this server. */
  publicUrl: () => string
  /** The issuers of tokens that this server accepts as keys. Empty: the operator issues keys itself. */
  authorizationServers: readonly string[]
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** `WWW-Authenticate` of a call that needs a key. */
export function mcpChallenge({ publicUrl, authorizationServers }: McpAuthorization): string {
  if (authorizationServers.length === 0) return 'Bearer'
  const { origin, pathname } = new URL(resourceOf(publicUrl()))
  return `Bearer resource_metadata="${origin}${WELL_KNOWN}${pathname}"`
}

function resourceOf(publicUrl: string): string {
  return `${trimEnd(publicUrl, '/')}${MCP_PATH}`
}

const metadata = z.strictObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
})
const missing = z.strictObject({ error: z.string() })

export function mcpResourceMetadataRoutes({ publicUrl, authorizationServers }: McpAuthorization) {
  return (app: FastifyInstance): void => {
    app.get(
      `${WELL_KNOWN}${MCP_PATH}`,
      {
        schema: {
          operationId: 'getMcpResourceMetadata',
          summary: 'Where callers of /mcp get their keys (RFC 9728)',
          tags: ['Operations'],
          response: { 200: metadata, 404: missing },
        },
      },
      (_request, reply) => {
        if (authorizationServers.length === 0) {
          const error =
            'no authorization server gives out keys for /mcp: ask the operator of this server for one, and send it as Authorization: Bearer adw_…'
          return reply.code(404).send({ error })
        }
        return reply.send({
          resource: resourceOf(publicUrl()),
          authorization_servers: [...authorizationServers],
          bearer_methods_supported: ['header'],
          resource_name: 'Adwire tasks over MCP',
        })
      },
    )
  }
}
