// All checks of a receiver, in the order in which they run: what it must accept, what it must refuse, and what its
// answers contain.

import { type Check, PASSED, quotedValue, verdictOf } from '../check.ts'
import { REACHABLE } from '../report.ts'
import { ACCEPTS } from './accepts.ts'
import type { ReceiverContext, Scheme } from './context.ts'
import { LEGACY } from './legacy.ts'
import { REFUSES } from './refuses.ts'
import { REPEATS, STORED } from './repeats.ts'
import { deliveredCheck } from './rows.ts'
import { SHAPES, SPOKEN } from './shapes.ts'

export const RECEIVER_CHECKS: readonly Check<ReceiverContext>[] = [
  {
    id: REACHABLE,
    group: 'reach',
    writes: false,
    title: 'the receiver answers HTTP',
    why: 'no webhook comes to a receiver that does not answer',
    fix: 'check the address, DNS, the firewall and that the process is running',
    run: async ({ ask, url }) => {
      try {
        await ask('GET')
        return PASSED
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'no answer'
        return verdictOf([`${quotedValue(url)}: ${quotedValue(reason)}`])
      }
    },
  },
  ...[...ACCEPTS, ...REPEATS].map(deliveredCheck),
  ...STORED,
  ...[...REFUSES, ...LEGACY, ...SHAPES].map(deliveredCheck),
  ...SPOKEN,
]

const MODES = new Map([...ACCEPTS, ...REFUSES, ...LEGACY].map(({ id, mode }) => [id, mode]))

/** The checks that apply to deliveries of this scheme. */
export function receiverChecks(mode: Scheme['mode']): readonly Check<ReceiverContext>[] {
  return RECEIVER_CHECKS.filter(({ id }) => (MODES.get(id) ?? mode) === mode)
}
