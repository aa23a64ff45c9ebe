// Display texts for signals: the status of one in a place, its price, why it was found.

import type { SignalActivation, SignalItem, SignalPlace } from '../../src/console/api/signals.ts'
import { money, type Word } from './words.ts'

export const ACTIVATION_WORDS: Readonly<Record<SignalActivation['state'], Word>> = {
  live: { text: 'live', tone: 'good' },
  activating: { text: 'activating', tone: 'info' },
  failed: { text: 'failed', tone: 'bad' },
  inactive: { text: 'taken off', tone: 'idle' },
}

export const NOT_ACTIVE: Word = { text: 'not active', tone: 'idle' }

type Tier = NonNullable<NonNullable<SignalItem['match']>['tier']>

/** Evidence that it fits, the strongest first. */
export const TIER_WORDS: Readonly<Record<Tier, Word>> = {
  name: { text: 'exact name', tone: 'good' },
  words: { text: 'words in common', tone: 'info' },
  meaning: { text: 'similar meaning', tone: 'idle' },
}

/**
 * Where several principals have it, what is in progress is displayed before what is live, and that before the rest.
 */
const TOLD_FIRST = ['activating', 'failed', 'live', 'inactive'] as const

export function placeWord({ catalogue, activations }: SignalPlace): Word {
  const live = catalogue?.is_live ? ACTIVATION_WORDS.live : NOT_ACTIVE
  const state = TOLD_FIRST.find((one) => activations.some((activation) => activation.state === one))
  if (state === undefined || (state === 'inactive' && activations.length > 1)) return live
  return ACTIVATION_WORDS[state]
}

/** The platform's name, or the host and path of an agent; with its account. */
export function placeText({ type, name, account }: Pick<SignalPlace, 'type' | 'name' | 'account'>) {
  const returned = type === 'agent' ? agentText(name) : name
  return account === undefined ? returned : `${returned} (${account})`
}

function agentText(url: string): string {
  return url === '*' ? 'any agent' : url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

type Option = SignalItem['pricing_options'][number]

export function priceText(option: Option): string {
  switch (option.model) {
    case 'cpm':
      return option.cpm === 0 ? 'free' : `${money(option.cpm, option.currency)} CPM`
    case 'percent_of_media': {
      const most =
        option.max_cpm === undefined
          ? ''
          : `, at most ${money(option.max_cpm, option.currency)} CPM`
      return `${option.percent} % of media${most}`
    }
    case 'flat_fee':
      return `${money(option.amount, option.currency)} ${PERIODS[option.period]}`
    case 'per_unit':
      return `${money(option.unit_price, option.currency)} per ${option.unit}`
    case 'custom':
      return option.description
  }
}

const PERIODS = {
  monthly: 'a month',
  quarterly: 'a quarter',
  annual: 'a year',
  campaign: 'a campaign',
} as const

export function keyText(key: NonNullable<SignalActivation['activation_key']>): string {
  return key.type === 'segment_id' ? key.segment_id : `${key.key}=${key.value}`
}
