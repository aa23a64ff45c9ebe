// The sentence model as the search uses it: a text in, a vector of its meaning out. What runs it, and where, is
// decided elsewhere (`load-model.ts`, and the threads of `signals/search/`).

import type { CallerRank } from './rank-of-caller.ts'

export interface SentenceModel {
  /** The name under which its vectors are stored: a different name means different vectors. */
  readonly name: string
  /**
   * A vector of length 1. Texts of a search go before all background texts, and searches are ordered by their
   * caller's rank. A text that has been aborted is not started.
   */
  embed(
    text: string,
    urgency: Urgency,
    by?: { rank: () => CallerRank; abort: AbortSignal },
  ): Promise<Float32Array>
}

export type Urgency = 'search' | 'background'

export const MODEL_NAME = 'all-MiniLM-L6-v2/q8'

/** Numbers of each of its vectors. */
export const MODEL_DIMENSIONS = 384
