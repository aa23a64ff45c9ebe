// What a buyer can do with a buy now, each with the 3.2 task that does it.

import type { RoutedAction } from '../../protocol/schemas/compact/canonical-proposal.ts'
import { type BuyStatus, isEnded } from '../states.ts'

const CONTROLS = [
  'cancel',
  'update_name',
  'increase_budget',
  'decrease_budget',
  'reallocate_budget',
  'update_targeting',
  'update_pacing',
  'update_bidding',
  'update_frequency_caps',
  'update_impression_goal',
  'update_reporting_webhook',
  'remove_packages',
] as const

const CREATIVES = ['replace_creative', 'update_creative_assignments'] as const

export function routedActions({ status, is_held }: Pick<BuyStatus, 'status' | 'is_held'>) {
  if (isEnded(status)) return []
  const hold = is_held || status === 'paused' ? 'resume' : 'pause'
  return [
    ...[hold, ...CONTROLS].map((action): RoutedAction => served('control_media_buy', action)),
    ...CREATIVES.map((action): RoutedAction => served('sync_creatives', action)),
  ]
}

function served(task: RoutedAction['task'], action: string): RoutedAction {
  return { task, action, mode: 'self_serve' }
}
