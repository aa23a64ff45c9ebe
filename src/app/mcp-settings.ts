// The settings of MCP.

import { issuerFault } from './issuer-fault.ts'
import { list, toggle } from './setting.ts'

export const MCP_SETTINGS = {
  mcpAuthorizationServers: list({
    env: 'ADWIRE_MCP_AUTHORIZATION_SERVERS',
    about:
      'Issuers, as https URLs, that issue keys for this server. They are listed in the metadata of /mcp (RFC 9728) and in its 401 response. Without any, the metadata returns 404, and the operator issues keys.',
    default: '',
    check: issuerFault,
  }),
  mcpOutputSchemas: toggle({
    env: 'ADWIRE_MCP_OUTPUT_SCHEMAS',
    about:
      'Include output schemas in tools/list of MCP. They more than double its size, and /schemas/v3 always serves them.',
    default: 'false',
  }),
}
