// The settings of MCP.

import { issuerFault } from './issuer-fault.ts'
import { list, toggle } from './setting.ts'

export const MCP_SETTINGS = {
  mcpAuthorizationServers: list({
    env: 'ADWIRE_MCP_AUTHORIZATION_SERVERS',
    about:
      'Issuers, as https URLs, that give out keys of this server: named in the metadata of /mcp (RFC 9728) and in its 401. ' +
      'Without one the metadata are 404, and the operator gives out keys.',
    default: '',
    check: issuerFault,
  }),
  mcpOutputSchemas: toggle({
    env: 'ADWIRE_MCP_OUTPUT_SCHEMAS',
    about:
      'Include output schemas in tools/list of MCP. They make the list more than twice as long, and /schemas/v3 has ' +
      'these schemas in any case.',
    default: 'false',
  }),
}
