// The state of a signal on a target for one caller (spec 2.6, 2.8, 3.3): what the catalogue says about the target,
// overridden by the caller's own activation. A key is only returned if the signal is live there and the key belongs
// to the caller.

import { defined } from '../lib/defined.ts'
import type { Deployment, DeploymentTarget } from '../protocol/schemas/deployment.ts'
import { ANY_PLACE, placeKey, targetKey } from '../protocol/target-place.ts'
import { mayUse, placeName, type Rights } from './access.ts'
import { type Activation, remainingMinutes } from './activation-state.ts'
import type { CatalogueDeployment, CatalogueSignal } from './catalogue.ts'

/** Who is reading a signal, and what is known about the caller. */
export interface Viewer extends Rights {
  /** Whether the caller is the operator, who sees private signals too. Default false. */
  seesAll?: boolean
  /** The caller's own, of any signals. */
  activations: readonly Activation[]
  now: number
}

/** The same, at one signal. */
export interface SignalViewer extends Viewer {
  /** Since when it has been live where the catalogue says so, as ISO 8601. */
  liveSince: string
}

/**
 * The catalogue's deployment that serves a target: the account's own, otherwise the platform-wide one, otherwise the
 * one that any agent or any platform may use.
 */
function placeFor(
  { deployments }: CatalogueSignal,
  target: DeploymentTarget,
): CatalogueDeployment | undefined {
  const there = deployments.filter(
    (one) => one.type === target.type && placeKey(one) === placeKey(target),
  )
  return (
    there.find(({ account }) => account === target.account) ??
    there.find(({ account }) => account === undefined) ??
    deployments.find((one) => one.type === target.type && isForAny(one))
  )
}

function isForAny(place: CatalogueDeployment): boolean {
  return placeName(place) === ANY_PLACE
}

/** The destination of a target if the caller may have the signal there; undefined if not, whatever the reason. */
export function usablePlace(
  signal: CatalogueSignal,
  target: DeploymentTarget,
  rights: Rights,
): CatalogueDeployment | undefined {
  if (!mayUse(signal, target, rights)) return undefined
  return placeFor(signal, target) ?? (rights.anyPlatform ? unnamedPlace(target) : undefined)
}

function unnamedPlace(target: DeploymentTarget): CatalogueDeployment | undefined {
  if (target.type !== 'platform') return undefined
  return { ...target, is_live: false, estimated_activation_duration_minutes: 5 }
}

/** The signal on those of the targets where it can go; on all its destinations if the request names none. */
export function serializeDeployments(
  signal: CatalogueSignal,
  targets: readonly DeploymentTarget[] | 'any',
  viewer: SignalViewer,
): Deployment[] {
  const own = ownActivations(signal, viewer)
  const wanted = targets === 'any' ? everyTarget(signal, [...own.values()]) : targets
  return wanted.flatMap((target) => {
    const place = usablePlace(signal, target, viewer)
    if (!place) return []
    return [serializeDeployment(target, { place, activation: own.get(targetKey(target)) }, viewer)]
  })
}

/** The deployments in the catalogue, plus those the caller has activated. */
function everyTarget(
  { deployments }: CatalogueSignal,
  activations: readonly Activation[],
): DeploymentTarget[] {
  const started = activations.filter(({ state }) => state === 'live' || state === 'activating')
  const named = deployments.filter((place) => !isForAny(place))
  const targets = [...named.map(targetOf), ...started.map(({ target }) => target)]
  return [...new Map(targets.map((target) => [targetKey(target), target])).values()]
}

function targetOf(place: CatalogueDeployment): DeploymentTarget {
  const { account } = place
  const named = account === undefined ? {} : { account }
  return place.type === 'platform'
    ? { type: 'platform', platform: place.platform, ...named }
    : { type: 'agent', agent_url: place.agent_url, ...named }
}

export function serializeDeployment(
  target: DeploymentTarget,
  { place, activation }: { place: CatalogueDeployment; activation: Activation | undefined },
  { caller, now, liveSince }: Pick<SignalViewer, 'caller' | 'now' | 'liveSince'>,
): Deployment {
  if (activation && activation.state !== 'none') {
    const scope = scopeOf(target)
    if (activation.state !== 'live') {
      // After a stop or a failure, it takes the catalogue's full time again.
      const minutes =
        activation.state === 'activating'
          ? remainingMinutes(activation, now)
          : place.estimated_activation_duration_minutes
      return { ...target, is_live: false, ...estimate(minutes), scope }
    }
    const { activation_key, deployed_at } = activation
    return {
      ...target,
      is_live: true,
      ...defined({
        activation_key,
        deployed_at: deployed_at === undefined ? undefined : new Date(deployed_at).toISOString(),
      }),
      scope,
    }
  }
  const scope = scopeOf(place)
  if (!place.is_live) {
    return {
      ...target,
      is_live: false,
      ...estimate(place.estimated_activation_duration_minutes),
      scope,
    }
  }
  const key = caller ? place.activation_key : undefined
  const live = { is_live: true, ...defined({ activation_key: key }) }
  return { ...target, ...live, deployed_at: liveSince, scope }
}

/** Whether the caller can use the signal there now. */
export function isLive(place: CatalogueDeployment, activation: Activation | undefined): boolean {
  const state = activation?.state ?? 'none'
  return state === 'none' ? place.is_live : state === 'live'
}

function estimate(minutes: number | undefined) {
  return minutes === undefined ? {} : { estimated_activation_duration_minutes: minutes }
}

function scopeOf({ account }: { account?: string | undefined }): Deployment['scope'] {
  return account === undefined ? 'platform-wide' : 'account-specific'
}

/** By their targets. */
function ownActivations(
  { signal_agent_segment_id: id }: CatalogueSignal,
  { activations }: Viewer,
): Map<string, Activation> {
  const own = activations.filter((one) => one.signal_agent_segment_id === id)
  return new Map(own.map((one) => [targetKey(one.target), one]))
}
