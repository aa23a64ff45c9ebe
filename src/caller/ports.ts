// What the agent-calling tool needs of the world.

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
  /** How to call it. Default: found out. */
  transport?: Transport | undefined
  /** What signs requests to it, by the rules that it is given. Default: none is signed. */
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
  /** The guard for what goes to this URL. */
  egressFor: (url: URL) => Pick<Egress, 'fetch'>
  /** What is wrong with calling this address at all, before anything is sent. Default nothing. */
  urlFault?: (agentUrl: string, calledOn: string) => string | undefined
  /** Whether a token is a key of this server itself. Default never. */
  isOwnKey?: (token: string) => Promise<boolean>
  /** The agent behind a name that is no URL, or a key for one that is. Default: there are none. */
  findAgent?: (nameOrUrl: string) => Promise<NamedAgent | undefined> | NamedAgent | undefined
  /** Whether agents may sell what they offer. Default: not checked. */
  offerCheck?: OfferCheck | undefined
  /** Longest time of one call, waiting included, in milliseconds. */
  timeoutMs: number
  /** Gives up calls under way. Default never. */
  stop?: AbortSignal
  /** Calls of one principal at the same time. */
  atOnceOfOne: number
}
