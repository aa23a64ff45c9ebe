// Who may use this signal agent, see a segment, and use a platform's account (spec 5, 7.2). What a caller
// may not see is refused in the same words as what is not there.

import { canonicalUrl } from '../lib/canonical-url.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import { placeKey } from '../protocol/target-place.ts'
import type { Caller, Task } from '../protocol/task.ts'
import type { AccountGrant } from './activation-store.ts'
import type { CatalogueSignal } from './catalogue.ts'

/** A caller as far as the catalogue knows one: it names principals by id or name. */
export type Known = Pick<Caller, 'principal_id' | 'name'>

export interface AgentAccess {
  /** `private`: only the principals that are listed know of it. `open`: everybody does. */
  access: 'open' | 'private'
  /** By id or name. With `open`, an empty list lets every principal in. */
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

/** spec 7.2: every signal error has a field. What is wrong here is who calls, which is in the header. */
const CALLER = 'authorization'

/**
 * AGENT_NOT_FOUND or AGENT_ACCESS_DENIED for a caller who may not use this agent. A caller without a key receives
 * the same response as a principal that is not listed.
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

/** Without a key, only what is offered to everybody is there. */
export function maySee(signal: CatalogueSignal, caller: Known | undefined): boolean {
  const { visibility, signal_type } = signal
  if (!caller) return visibility === undefined && signal_type === 'marketplace'
  return visibility === undefined || names(visibility.principals, caller)
}

/**
 * `granted`: an account is used by those who were granted it. `any`: also by everybody who was granted
 * none on its platform, which is for a server of a single tenant.
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
 * spec 7.2: whether a caller may use this target of a signal. A target without an account is for all who
 * see the signal. An account is for those who were granted it; one that the signal's own deployments name
 * is also for those whom the signal is for.
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

/** What the place of a grant is compared by: the platform's name, or the one spelling of the agent's URL. */
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
export function segmentNotFound(): ProtocolError {
  return new ProtocolError(
    'SIGNAL_AGENT_SEGMENT_NOT_FOUND',
    'no signal with this signal_agent_segment_id',
    {
      field: '/signal_agent_segment_id',
      suggestion: 'Use a signal_agent_segment_id returned by get_signals.',
    },
  )
}

function names(principals: readonly string[], { principal_id, name }: Known): boolean {
  return principals.includes(principal_id) || principals.includes(name)
}
