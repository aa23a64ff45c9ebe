// The input of an advertisement, with the changes of one attempt applied.

import type { AdInput } from '../layout-engine/ad-input.ts'
import type { Attempt } from './attempts.ts'
import { joinedAvoided } from './joined-avoided.ts'

/** Layout and photo do not change: the code that composes the ad decides on them. */
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
