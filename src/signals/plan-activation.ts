// The plan for a request to activate or deactivate (spec 4.3, 7.2): the signal, the targets where the caller may
// have it with its state there, and a refusal for each of the others.

import { ManyErrors, ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { nearIds, suggestNear } from '../protocol/near-ids.ts'
import type {
  ActivateSignalRequest,
  ActivateSignalResponse,
} from '../protocol/schemas/activate-signal.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import { activationTargets } from '../protocol/schemas/field-map.ts'
import { targetKey } from '../protocol/target-place.ts'
import { type AccountRule, type Known, maySee, placeName, segmentNotFound } from './access.ts'
import type { Activation } from './activation-state.ts'
import type { ActivationStore, GrantStore } from './activation-store.ts'
import { type CatalogueDeployment, type CatalogueSignal, liveSince } from './catalogue.ts'
import type { Connectors } from './connectors/connector.ts'
import { isLive, serializeDeployment, usablePlace } from './deployments.ts'
import { nearSignals } from './near-signals.ts'
import { pricesFor } from './serialize-signal.ts'
import type { SignalStore } from './store.ts'

export interface PlanPorts {
  signals: Pick<SignalStore, 'get' | 'ids'>
  grants: Pick<GrantStore, 'of'>
  /** Default granted. */
  accounts?: AccountRule | undefined
  anyPlatform?: boolean | undefined
  activations: Pick<ActivationStore, 'find'>
  connectors: Connectors
}

export interface PlannedTarget {
  key: string
  target: DeploymentTarget
  place: CatalogueDeployment
  activation: Activation | undefined
  /** Since when it is live there according to the catalogue, if it is. */
  liveSince: string
}

export interface ActivationPlan {
  /** Undefined if only the caller's activations of it remain. */
  signal: CatalogueSignal | undefined
  targets: PlannedTarget[]
  /** For the targets that the caller may not use. */
  refused: TaskError[]
}

/** Throws if the caller has no such signal, or the signal has none of the targets. */
export async function planActivation(
  ports: PlanPorts,
  request: ActivateSignalRequest,
  caller: Known,
): Promise<ActivationPlan> {
  const { signal_agent_segment_id: id } = request
  // All of it is read before anything is checked, so that the response time of a refusal reveals nothing.
  const [stored, grants, activations] = await Promise.all([
    ports.signals.get([id]),
    ports.grants.of(caller.principal_id),
    ports.activations.find(caller.principal_id, [id]),
  ])
  const found = stored.get(id)?.signal
  const since = liveSince(stored.get(id) ?? { changed_at: 0 })
  const signal = found && maySee(found, caller) ? found : undefined
  const own = new Map(activations.map((one) => [targetKey(one.target), one]))
  const isDeactivation = request.action === 'deactivate'
  const isLeft = isDeactivation && activations.length > 0
  if (!signal && !isLeft) throw segmentNotFound(await nearSignals(ports.signals, id, caller))
  if (signal && !isDeactivation) refusePrice(request, signal, caller)

  const rights = { caller, grants, accounts: ports.accounts, anyPlatform: ports.anyPlatform }
  const targets: PlannedTarget[] = []
  const refused: TaskError[] = []
  for (const target of activationTargets(request)) {
    const key = targetKey(target)
    const activation = own.get(key)
    const place =
      (signal && usablePlace(signal, target, rights)) ??
      // What was activated can be deactivated, whatever has happened to the signal or the account.
      (isDeactivation && activation ? { ...target, is_live: false } : undefined)
    if (place) targets.push({ key, target, place, activation, liveSince: since })
    else refused.push(unauthorized(request, target, nearPlaces(signal, target, rights)))
  }
  const [first, ...others] = refused
  if (targets.length === 0 && first) throw new ManyErrors([first, ...others])
  return { signal, targets, refused }
}

function refusePrice(
  { pricing_option_id: id }: ActivateSignalRequest,
  signal: CatalogueSignal,
  caller: Known,
): void {
  if (id === undefined) return
  const offered = pricesFor(signal, caller).map(({ pricing_option_id }) => pricing_option_id)
  if (offered.includes(id)) return
  const message = `this signal has no pricing option with this id: it has ${offered.join(', ')}`
  throw new ProtocolError('VALIDATION_ERROR', `/pricing_option_id: ${message}`, {
    issues: [{ pointer: '/pricing_option_id', message, keyword: 'enum' }],
    suggestion: 'Use a pricing_option_id from the signal’s pricing_options in get_signals.',
  })
}

/** The platforms with a similar name on which the caller may have the signal. */
function nearPlaces(
  signal: CatalogueSignal | undefined,
  target: DeploymentTarget,
  rights: Parameters<typeof usablePlace>[2],
): string[] {
  if (!signal || target.type !== 'platform') return []
  const platforms = signal.deployments.flatMap((one) =>
    one.type === 'platform' && one.platform !== undefined ? [one.platform] : [],
  )
  return nearIds(target.platform, platforms).filter((platform) =>
    usablePlace(signal, { ...target, platform }, rights),
  )
}

/** The same whether the signal cannot go there at all or only not for this caller. */
function unauthorized(
  request: ActivateSignalRequest,
  target: DeploymentTarget,
  near: readonly string[],
): TaskError {
  return taskError(
    'DEPLOYMENT_UNAUTHORIZED',
    `your account is not authorized to use this signal on ${nameOf(target)}`,
    {
      field: pointerOf(request, target),
      suggestion: suggestNear(near, 'Use a target from the signal’s deployments in get_signals.'),
      details: { target },
    },
  )
}

/** spec 7.2: repeating the call is safe, and is reported. */
export function alreadyActivated(
  request: ActivateSignalRequest,
  { target }: Pick<PlannedTarget, 'target'>,
): TaskError {
  return taskError('ALREADY_ACTIVATED', `the signal is already active on ${nameOf(target)}`, {
    field: pointerOf(request, target),
    suggestion: 'Use the activation_key of the deployment.',
    details: { target },
  })
}

export function activationFailed(
  request: ActivateSignalRequest,
  { target }: Pick<PlannedTarget, 'target'>,
  { reason, isFinal = false }: { reason: string; isFinal?: boolean },
): TaskError {
  const error = taskError('ACTIVATION_FAILED', `${nameOf(target)}: ${reason}`, {
    field: pointerOf(request, target),
    suggestion: isFinal
      ? 'Choose another target of the signal’s deployments.'
      : 'Activate it there again later, or choose another target.',
    details: { target },
  })
  return isFinal ? { ...error, recovery: 'terminal' } : error
}

/** Why a target cannot be reached at all, if it cannot. */
export function unreachable(
  { connectors }: Pick<PlanPorts, 'connectors'>,
  request: ActivateSignalRequest,
  { target, place }: Pick<PlannedTarget, 'target' | 'place'>,
): TaskError | undefined {
  if (place.is_live) return undefined
  const found = connectors.find(target)
  if (!('missing' in found)) return undefined
  return activationFailed(request, { target }, { reason: found.missing, isFinal: true })
}

/** The response for the current state: the state of the signal on these targets, and what was wrong with others. */
export function interim(
  targets: readonly PlannedTarget[],
  errors: readonly TaskError[],
  viewer: { caller: Known; now: number },
): ActivateSignalResponse {
  return {
    deployments: targets.map(({ target, place, activation, liveSince }) =>
      serializeDeployment(target, { place, activation }, { ...viewer, liveSince }),
    ),
    ...(errors.length > 0 ? { errors: [...errors] } : {}),
  }
}

export function isTargetLive({ place, activation }: PlannedTarget): boolean {
  return isLive(place, activation)
}

function nameOf(target: DeploymentTarget): string {
  const what = target.type === 'platform' ? 'platform' : 'agent'
  const { account } = target
  return `${what} ${placeName(target)}${account === undefined ? '' : ` for account ${account}`}`
}

/** Where the target is in the request, under any of its names. */
function pointerOf(request: ActivateSignalRequest, target: DeploymentTarget): string {
  const { deployments, destinations, deliver_to } = request
  const [member, list] = deployments
    ? ['/deployments', deployments]
    : destinations
      ? ['/destinations', destinations]
      : ['/deliver_to/deployments', deliver_to?.deployments ?? []]
  const key = targetKey(target)
  const index = list.findIndex((one) => targetKey(one as DeploymentTarget) === key)
  return `${member}/${Math.max(index, 0)}`
}
