// The badge of an agent: its examinations pass, in the role that follows from its type. It stays valid for two days
// after a failed examination, so that an outage does not remove it; an old examination proves nothing.

import type { AgentType } from '../parse-agent.ts'
import type { StoredCompliance } from './store.ts'

export const BADGE_ROLES = [
  'media-buy',
  'creative',
  'signals',
  'governance',
  'brand',
  'sponsored-intelligence',
] as const
export type BadgeRole = (typeof BADGE_ROLES)[number]

const ROLES: ReadonlyMap<string, BadgeRole> = new Map<AgentType, BadgeRole>([
  ['sales', 'media-buy'],
  ['creative', 'creative'],
  ['signals', 'signals'],
  ['governance', 'governance'],
  ['brand', 'brand'],
])

/** Undefined for an agent of a type that has no badge. */
export function roleOf(type: string): BadgeRole | undefined {
  return ROLES.get(type)
}

export type BadgeState = 'verified' | 'degraded' | 'not verified'

const HOUR_MS = 60 * 60 * 1_000
const GRACE_HOURS = 48
const KEPT_DAYS = 30

export function badgeState(compliance: StoredCompliance | undefined, now: number): BadgeState {
  if (!compliance || compliance.last_passed_at === 0) return 'not verified'
  const { status, last_passed_at, last_checked_at } = compliance
  if (status === 'passing') {
    return now - last_checked_at < KEPT_DAYS * 24 * HOUR_MS ? 'verified' : 'not verified'
  }
  return now - last_passed_at < GRACE_HOURS * HOUR_MS ? 'degraded' : 'not verified'
}

/** Why there is no badge, for an agent that has none. */
export function whyWithheld(compliance: StoredCompliance | undefined): string {
  if (!compliance || compliance.last_checked_at === 0) return 'The agent has not been examined yet'
  if (compliance.status === 'passing') {
    return `The last examination is more than ${KEPT_DAYS} days old`
  }
  return compliance.headline ?? 'No check could be judged'
}
