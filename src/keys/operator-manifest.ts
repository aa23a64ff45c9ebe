// This operator's brand.json: its agents, and where their signing keys are (spec 5). The first entry signs webhooks;
// the others are the addresses where tasks are called.

import { urlKey } from '../protocol/manifest-fields.ts'

export interface OperatorOptions {
  /** The public URL of this server, without a trailing slash. */
  publicUrl: string
  /** The published URL that identifies the webhook signer to buyers. */
  agentUrl: string
  /** Whether the signal agent is listed publicly. Default false. */
  hasSignals?: boolean
}

export interface OperatorManifest {
  version: string
  agents: { type: string; id: string; url: string; description: string; jwks_uri: string }[]
}

export function operatorManifest({
  publicUrl,
  agentUrl,
  hasSignals = false,
}: OperatorOptions): OperatorManifest {
  const agents = [
    {
      type: 'sales',
      id: 'adwire',
      url: agentUrl,
      description: 'Signs the webhooks of this operator.',
    },
    {
      type: 'creative',
      id: 'adwire_creative',
      url: `${publicUrl}/mcp`,
      description: 'Creative tasks, over MCP.',
    },
    {
      type: 'creative',
      id: 'adwire_creative_a2a',
      url: `${publicUrl}/a2a`,
      description: 'Creative tasks, over A2A.',
    },
    ...(hasSignals ? signalAgents(publicUrl) : []),
  ]
  // A URL appears in the list once, otherwise key discovery could not distinguish the entries.
  const seen = new Set<string>()
  const distinct = agents.filter(({ url }) => !seen.has(urlKey(url)) && seen.add(urlKey(url)))
  return {
    version: '1.0.0',
    agents: distinct.map((agent) => ({ ...agent, jwks_uri: `${publicUrl}/.well-known/jwks.json` })),
  }
}

/** The same endpoints: they ignore the query, which makes the address unique. */
function signalAgents(publicUrl: string) {
  return [
    {
      type: 'signals',
      id: 'adwire_signals',
      url: `${publicUrl}/mcp?agent=signals`,
      description: 'Signal tasks, over MCP.',
    },
    {
      type: 'signals',
      id: 'adwire_signals_a2a',
      url: `${publicUrl}/a2a?agent=signals`,
      description: 'Signal tasks, over A2A.',
    },
  ]
}
