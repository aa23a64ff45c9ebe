// The state of a signal, place by place: the catalogue's data about each platform and agent, overlaid with the
// activations there.

import { defined } from '../lib/defined.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import { targetKey } from '../protocol/target-place.ts'
import { mayUse, placeName, type Rights } from '../signals/access.ts'
import type { Activation } from '../signals/activation-state.ts'
import type { CatalogueDeployment, CatalogueSignal } from '../signals/catalogue.ts'
import type { SignalActivation, SignalPlace } from './api/signals.ts'
import { iso, isoOf } from './format-values.ts'

export interface Looking {
  /** Of this signal, the latest change first. */
  activations: readonly Activation[]
  names: ReadonlyMap<string, string>
  /** The rights of the principal whose view it is; undefined for the operator's view, which includes every place. */
  rights: Rights | undefined
  /** Those of the activations' tasks that can be viewed. Default none. */
  reportedTasks?: ReadonlySet<string>
}

export function placesOf(signal: CatalogueSignal, looking: Looking): SignalPlace[] {
  const { activations, rights } = looking
  const places = new Map<string, SignalPlace>()
  for (const deployment of signal.deployments) {
    const target = deployment as DeploymentTarget
    if (rights && !mayUse(signal, target, rights)) continue
    places.set(targetKey(target), {
      ...placeOf(target),
      catalogue: catalogued(deployment),
      activations: [],
    })
  }
  for (const activation of activations) {
    const returned = serializeActivation(activation, looking)
    if (!returned) continue
    const key = targetKey(activation.target)
    const place = places.get(key) ?? { ...placeOf(activation.target), activations: [] }
    place.activations.push(returned)
    places.set(key, place)
  }
  return [...places.values()]
}

function placeOf(target: DeploymentTarget): Pick<SignalPlace, 'type' | 'name' | 'account'> {
  const { type, account } = target
  return { type, name: placeName(target), ...defined({ account }) }
}

function catalogued(deployment: CatalogueDeployment): SignalPlace['catalogue'] {
  const { is_live, activation_key, estimated_activation_duration_minutes: minutes } = deployment
  return { is_live, ...defined({ activation_key, minutes }) }
}

/** Undefined for an activation that was never started. */
function serializeActivation(
  activation: Activation,
  { names, reportedTasks }: Looking,
): SignalActivation | undefined {
  const { principal_id, state, task_id, activation_key, reason, pricing_option_id } = activation
  if (state === 'none') return undefined
  return {
    principal_id,
    state,
    task_id,
    has_task: reportedTasks?.has(task_id) ?? false,
    started_at: iso(activation.started_at),
    changed_at: iso(activation.changed_at),
    ...defined({
      principal_name: names.get(principal_id),
      eta_at: isoOf(activation.eta_at),
      deployed_at: isoOf(activation.deployed_at),
      activation_key,
      reason,
      pricing_option_id,
    }),
  }
}
