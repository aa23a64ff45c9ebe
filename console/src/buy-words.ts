// Display texts for the states of media buys and their parts, each with its tone.

import type { BuyItem, Pace, SerializedWindow } from '../../src/console/api/buys.ts'
import type { Word } from './words.ts'

export const BUY_WORDS: Readonly<Record<BuyItem['status'], Word>> = {
  pending_creatives: { text: 'needs creatives', tone: 'warn' },
  pending_start: { text: 'to begin', tone: 'info' },
  active: { text: 'running', tone: 'good' },
  paused: { text: 'paused', tone: 'idle' },
  completed: { text: 'completed', tone: 'idle' },
  rejected: { text: 'rejected', tone: 'bad' },
  canceled: { text: 'canceled', tone: 'idle' },
}

export const PACE_WORDS: Readonly<Record<Pace['pace'], Word>> = {
  not_begun: { text: 'not begun', tone: 'idle' },
  behind: { text: 'behind', tone: 'warn' },
  on_pace: { text: 'on pace', tone: 'good' },
  ahead: { text: 'ahead', tone: 'info' },
  ended: { text: 'ended', tone: 'idle' },
  unknown: { text: 'no figures yet', tone: 'idle' },
}

export const WINDOW_WORDS: Readonly<Record<SerializedWindow['state'], Word>> = {
  owed: { text: 'owed', tone: 'info' },
  sent: { text: 'sent', tone: 'info' },
  delivered: { text: 'delivered', tone: 'good' },
  late: { text: 'late', tone: 'warn' },
  given_up: { text: 'failed permanently', tone: 'bad' },
}

/** The problems of a buy, in short; empty if there are none. */
export function troublesOf({
  open_impairments,
  late_reports,
  given_up_reports,
}: BuyItem): string[] {
  return [
    open_impairments > 0 && many(open_impairments, 'impairment'),
    late_reports > 0 && `${many(late_reports, 'report')} late`,
    given_up_reports > 0 && `${many(given_up_reports, 'report')} failed permanently`,
  ].filter((text) => text !== false)
}

function many(count: number, what: string): string {
  return `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`
}
