// What the agent-calling tool needs from its environment.

import type { AgentOptions, CallAgentOptions, ResumeOptions } from '../client/options.ts'
import type { CallOutcome } from '../client/outcome.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import type { Transport } from '../protocol/task.ts'
import type { RequestSigner } from '../transports/client.ts'
import type { OfferCheck } from './check-offer.ts'

/** An agent as the user of the tool names it. */
export interface NamedAgent {
  agentUrl: string
  /** A key of that agent. Default none. */
  auth?: string | undefined
  /** How to call it. Default: detected. */
  transport?: Transport | undefined
  /** Signs requests to it, by the given rules. Default: no request is signed. */
  signerFor?: SignerFor | undefined
}

export type SignerFor = (
  agent: AgentOptions & { protocolName: string },
  limits: { signal: AbortSignal; timeoutMs: number },
) => Promise<{ ok: true; signer: RequestSigner } | Extract<CallOutcome, { ok: false }>>

export interface CallerPorts {
  identifiers: Identifiers
  callAgent: (options: CallAgentOptions) => Promise<CallOutcome>
  resumeCall: (options: ResumeOptions) => Promise<CallOutcome>
  /** The guard for requests to this URL. */
  egressFor: (url: URL) => Pick<Egress, 'fetch'>
  /** Why this address cannot be called at all, checked before anything is sent. Default nothing. */
  urlFault?: (agentUrl: string, calledOn: string) => string | undefined
  /** Whether a token is a key of this server itself. Default never. */
  isOwnKey?: (token: string) => Promise<boolean>
  /** The agent with this name, or a key for the agent with this URL. Default: there are none. */
  findAgent?: (nameOrUrl: string) => Promise<NamedAgent | undefined> | NamedAgent | undefined
  /** Whether agents may sell what they offer. Default: not checked. */
  offerCheck?: OfferCheck | undefined
  /** Longest time of one call, waiting included, in milliseconds. */
  timeoutMs: number
  /** Cancels calls in progress. Default never. */
  stop?: AbortSignal
  /** Maximum number of concurrent calls of one principal. */
  atOnceOfOne: number
}
