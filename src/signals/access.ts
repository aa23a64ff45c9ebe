// Who may use this signal agent, see a segment, and use a platform's account (spec 5, 7.2). Something that a caller
// may not see gets the same error as something that does not exist.

import { canonicalUrl } from '../lib/canonical-url.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { suggestNear } from '../protocol/near-ids.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import { placeKey } from '../protocol/target-place.ts'
import type { Caller, Task } from '../protocol/task.ts'
import type { AccountGrant } from './activation-store.ts'
import type { CatalogueSignal } from './catalogue.ts'

/** A caller as the catalogue identifies it: by id or name. */
export type Known = Pick<Caller, 'principal_id' | 'name'>

export interface AgentAccess {
  /** `private`: visible only to the listed principals. `open`: visible to everyone. */
  access: 'open' | 'private'
  /** By id or name. With `open`, an empty list allows every principal. */
  principals: readonly string[]
}

/** For the tasks of the agent: who can see them, and who is refused. */
export function authenticationOf(
  agent: AgentAccess,
): Pick<Task, 'refusedTo'> & Partial<Pick<Task, 'isKnownTo'>> {
  const { access, principals } = agent
  return {
    refusedTo: (caller) => refusalTo(agent, caller),
    ...(access === 'private'
      ? { isKnownTo: (caller) => caller !== undefined && names(principals, caller) }
      : {}),
  }
}

/** spec 7.2: every signal error has a field. Here the problem is the caller, which is identified in the header. */
const CALLER = 'authorization'

/**
 * AGENT_NOT_FOUND or AGENT_ACCESS_DENIED for a caller who may not use this agent. A caller without a key receives the
 * same response as a principal that is not listed.
 */
export function refusalTo(
  { access, principals }: AgentAccess,
  caller: Known | undefined,
): ProtocolError | undefined {
  if (caller && names(principals, caller)) return undefined
  if (access === 'private') {
    return new ProtocolError(
      'AGENT_NOT_FOUND',
      'no signal agent with this URL is available to you',
      {
        field: CALLER,
        suggestion: 'Call another signal agent, or ask its operator for access.',
      },
    )
  }
  if (principals.length === 0) return undefined
  return new ProtocolError('AGENT_ACCESS_DENIED', 'your account may not use this signal agent', {
    field: CALLER,
    suggestion: 'Ask the operator of the signal agent for access.',
  })
}

/** Without a key, only segments offered to everyone are visible. */
export function maySee(signal: CatalogueSignal, caller: Known | undefined): boolean {
  const { visibility, signal_type } = signal
  if (!caller) return visibility === undefined && signal_type === 'marketplace'
  return visibility === undefined || names(visibility.principals, caller)
}

/**
 * `granted`: only principals that were granted an account may use it. `any`: so may every principal without a grant
 * on its platform; meant for a server with a single tenant.
 */
export const ACCOUNT_RULES = ['granted', 'any'] as const
export type AccountRule = (typeof ACCOUNT_RULES)[number]

/** A caller, and what it may use. */
export interface Rights {
  caller: Known | undefined
  grants: readonly AccountGrant[]
  /** Default granted. */
  accounts?: AccountRule | undefined
  /** Whether a signal can be activated on platforms that its deployments do not name, as in a demo. Default false. */
  anyPlatform?: boolean | undefined
}

/**
 * spec 7.2: whether a caller may use this target of a signal. A target without an account is available to everyone
 * who can see the signal. An account is available to principals that were granted it; an account named in the
 * signal's own deployments is also available to the principals the signal is meant for.
 */
export function mayUse(
  signal: CatalogueSignal,
  target: DeploymentTarget,
  { caller, grants, accounts = 'granted' }: Rights,
): boolean {
  const { account } = target
  if (account === undefined) return true
  const there = placeKey(target)
  const granted = grants.filter((grant) => grantedPlace(grant) === there)
  if (granted.some((grant) => grant.account === account)) return true
  const isNamed = signal.deployments.some(
    (deployment) => placeKey(deployment) === there && deployment.account === account,
  )
  if (!isNamed) return accounts === 'any' && granted.length === 0
  return caller !== undefined && names(signal.visibility?.principals ?? [], caller)
}

/** How the destination of a grant is compared: the platform's name, or the normalized URL of the agent. */
export function grantedPlace({ platform }: Pick<AccountGrant, 'platform'>): string {
  return canonicalUrl(platform) ?? platform
}

/** The platform's name or the agent's URL. */
export function placeName(
  target: { type: 'platform'; platform: string } | { type: 'agent'; agent_url: string },
): string {
  return target.type === 'platform' ? target.platform : target.agent_url
}

/** The same for a segment that is missing and for one that the caller may not see. */
export function segmentNotFound(near: readonly string[]): ProtocolError {
  return new ProtocolError(
    'SIGNAL_AGENT_SEGMENT_NOT_FOUND',
    'no signal with this signal_agent_segment_id',
    {
      field: '/signal_agent_segment_id',
      suggestion: suggestNear(near, 'Use a signal_agent_segment_id returned by get_signals.'),
    },
  )
}

function names(principals: readonly string[], { principal_id, name }: Known): boolean {
  return principals.includes(principal_id) || principals.includes(name)
}
