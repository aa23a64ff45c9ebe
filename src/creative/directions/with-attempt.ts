// What an advertisement is made from, changed as an attempt has it.

import type { AdInput } from '../layout-engine/ad-input.ts'
import type { Attempt } from './attempts.ts'
import { joinedAvoided } from './joined-avoided.ts'

/** Layout and photo stay as they are: the code that composes the ad decides on them. */
export function withAttempt(state: AdInput, { design, wording, texts }: Attempt): AdInput {
  const { avoided } = wording ?? {}
  return {
    ...state,
    design: { ...state.design, ...design },
    wording: {
      ...state.wording,
      ...wording,
      ...(avoided && { avoided: joinedAvoided(state.wording?.avoided, avoided) }),
    },
    texts: { ...state.texts, ...texts },
  }
}
