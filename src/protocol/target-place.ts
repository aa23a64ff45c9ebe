// How the destination of a deployment target is compared (spec 2.7): the platform's name, or the normalized URL of
// the agent.

import { canonicalUrl } from '../lib/canonical-url.ts'
import type { DeploymentTarget } from './schemas/deployment.ts'

export type TargetPlace =
  | { type: 'platform'; platform: string }
  | { type: 'agent'; agent_url: string }

/** Wildcard in a catalogue, in place of an agent's URL or a platform's name: any agent, or any platform. */
export const ANY_PLACE = '*'

export function placeKey(place: TargetPlace): string {
  if (place.type === 'platform') return place.platform
  return canonicalUrl(place.agent_url) ?? place.agent_url
}

/** Equal for targets that are the same, even if their URLs are written differently. */
export function targetKey(one: DeploymentTarget): string {
  return JSON.stringify([one.type, placeKey(one), one.account ?? null])
}
