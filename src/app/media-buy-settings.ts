// The settings of media buys: which of them an operator has to approve, and how long impairments wait.

import { MAX_WINDOW_MS } from '../media-buys/impairments/coalesce.ts'
import { integer, list } from './setting.ts'

const LIMIT = /^(?:[A-Z]{3}|\*):\d{1,15}(?:\.\d{1,6})?$/

export const MEDIA_BUY_SETTINGS = {
  approveAbove: list({
    env: 'ADWIRE_APPROVE_ABOVE',
    about:
      'Total budget above which an operator must approve a media buy, per currency, such as USD:10000,EUR:9000; * covers all other currencies. Default: no approval because of budget.',
    default: '',
    placeholder: 'USD:10000',
    check: (part) => (LIMIT.test(part) ? undefined : 'must look like USD:10000'),
  }),
  secondApprovalAbove: list({
    env: 'ADWIRE_SECOND_APPROVAL_ABOVE',
    about:
      'Total budgets of media buys above which two people have to approve, by currency like ADWIRE_APPROVE_ABOVE. A ' +
      'buy that needs no approval needs no second one either. Empty: one person suffices.',
    default: '',
    placeholder: 'USD:100000',
    check: (part) => (LIMIT.test(part) ? undefined : 'must look like USD:100000'),
  }),
  impairmentWindowSeconds: integer({
    env: 'ADWIRE_IMPAIRMENT_WINDOW_SECONDS',
    about:
      'How long general impairments of a media buy are collected before one webhook is sent; 0 sends each immediately. Buyers can read it in the capabilities. Fraud and safety impairments never wait.',
    default: '300',
    min: 0,
    max: MAX_WINDOW_MS / 1_000,
  }),
} as const

/** By currency. */
export function approvalLimits(parts: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    parts.map((part) => {
      const [currency = '', amount] = part.split(':')
      return [currency, Number(amount)]
    }),
  )
}
