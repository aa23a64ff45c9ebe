// The targets of a get_signals request for which the response has nothing (spec 4.3, 7.2), as warnings: accounts that
// the caller may not use, and destinations that none of the signals goes to.

import { type TaskError, taskError } from '../protocol/errors.ts'
import type { DeploymentTarget } from '../protocol/schemas/deployment.ts'
import type { SignalTargets } from '../protocol/schemas/field-map.ts'
import type { GetSignalsRequest } from '../protocol/schemas/get-signals.ts'
import { placeKey, targetKey } from '../protocol/target-place.ts'
import { grantedPlace, placeName, type Rights } from './access.ts'
import type { FoundSignal } from './fill-page.ts'

export interface TargetQuery {
  request: GetSignalsRequest
  rights: Rights
}

export function missingTargets(
  found: readonly FoundSignal[],
  { deployments: targets }: SignalTargets,
  { request, rights }: TargetQuery,
): TaskError[] {
  if (targets === 'any') return []
  const covered = new Set(
    found.flatMap(({ deployments }) =>
      deployments.map((one) => targetKey(one as DeploymentTarget)),
    ),
  )
  const missing = targets.filter((target) => !covered.has(targetKey(target)))
  const refused = missing.filter((target) => isRefused(target, rights))
  const uncovered = missing.filter((target) => !refused.includes(target))
  const field = fieldOf(request)
  return [
    ...(refused.length > 0
      ? [
          taskError(
            'DEPLOYMENT_UNAUTHORIZED',
            `your account is not authorized to use the account of ${listed(refused)}`,
            {
              field,
              suggestion: 'Omit the account, or ask the operator to grant it.',
              details: { targets: refused },
            },
          ),
        ]
      : []),
    // If there is no result at all, the message says so.
    ...(uncovered.length > 0 && found.length > 0
      ? [
          taskError(
            'PARTIAL_COVERAGE',
            `none of these signals is available on ${listed(uncovered)}`,
            {
              field,
              suggestion: 'Request only the covered targets, or choose other signals for the rest.',
              details: { targets: uncovered },
            },
          ),
        ]
      : []),
  ]
}

/** A target that the caller may not use for any signal, except one that is private to it. */
function isRefused(target: DeploymentTarget, { grants, accounts }: Rights): boolean {
  if (target.account === undefined) return false
  const granted = grants.filter((grant) => grantedPlace(grant) === placeKey(target))
  if (granted.some(({ account }) => account === target.account)) return false
  return accounts !== 'any' || granted.length > 0
}

function listed(targets: readonly DeploymentTarget[]): string {
  const places = targets.map(({ account, ...place }) =>
    account === undefined ? placeName(place) : `${placeName(place)} (${account})`,
  )
  return places.join(', ')
}

function fieldOf({ destinations, deployments }: GetSignalsRequest): string {
  if (destinations) return '/destinations'
  return deployments ? '/deployments' : '/deliver_to/deployments'
}
