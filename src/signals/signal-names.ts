// The names by which 3.x callers identify a signal (spec 2.6): by its provider's domain if that is known, otherwise
// by this agent. Ids that 3.x's pattern does not allow are encoded in allowed characters.

import type { SignalId, SignalRef } from '../protocol/schemas/signal.ts'
import type { CatalogueSignal } from './catalogue.ts'

const PLAIN = /^[a-zA-Z0-9_-]+$/
/** Prefix of the base64url of an id that is not plain, or that itself starts with this prefix. */
const ENCODED = 'x64_'

export function signalNames(
  { signal_agent_segment_id: segment, data_provider_domain }: CatalogueSignal,
  agentUrl: string,
): { signal_id: SignalId; signal_ref: SignalRef } {
  const id = localId(segment)
  if (data_provider_domain !== undefined && id === segment) {
    return {
      signal_id: { source: 'catalog', data_provider_domain, id },
      signal_ref: { scope: 'data_provider', data_provider_domain, signal_id: id },
    }
  }
  return {
    signal_id: { source: 'agent', agent_url: agentUrl, id },
    signal_ref: { scope: 'signal_source', signal_source_url: agentUrl, signal_id: id },
  }
}

/** A signal that a request names: its segment, and the further conditions on it. */
export interface NamedSignal {
  signal_agent_segment_id: string
  data_provider_domain?: string
  /** The agent that vouches for it. */
  agent_url?: string
}

export function readSignalId(name: SignalId): NamedSignal {
  const signal_agent_segment_id = segmentOf(name.id)
  return name.source === 'catalog'
    ? { signal_agent_segment_id, data_provider_domain: name.data_provider_domain }
    : { signal_agent_segment_id, agent_url: name.agent_url }
}

export function readSignalRef(name: SignalRef): NamedSignal {
  const signal_agent_segment_id = segmentOf(name.signal_id)
  if (name.scope === 'data_provider') {
    return { signal_agent_segment_id, data_provider_domain: name.data_provider_domain }
  }
  return name.scope === 'signal_source'
    ? { signal_agent_segment_id, agent_url: name.signal_source_url }
    : { signal_agent_segment_id }
}

function localId(segment: string): string {
  if (PLAIN.test(segment) && !segment.startsWith(ENCODED)) return segment
  return ENCODED + Buffer.from(segment).toString('base64url')
}

function segmentOf(id: string): string {
  if (!id.startsWith(ENCODED)) return id
  return Buffer.from(id.slice(ENCODED.length), 'base64url').toString('utf8')
}
