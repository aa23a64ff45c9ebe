// The settings of media buys: which of them an operator approves first.

import { list } from './setting.ts'

const LIMIT = /^(?:[A-Z]{3}|\*):\d{1,15}(?:\.\d{1,6})?$/

export const MEDIA_BUY_SETTINGS = {
  approveAbove: list({
    env: 'ADWIRE_APPROVE_ABOVE',
    about:
      'Total budgets of media buys above which an operator approves them first, by currency, such as ' +
      'USD:10000,EUR:9000; * is for the other currencies. Empty: none is approved for its budget.',
    default: '',
    placeholder: 'USD:10000',
    check: (part) => (LIMIT.test(part) ? undefined : 'must look like USD:10000'),
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
