// The sentence model as the search sees it: a text in, a vector of its meaning out. What runs it, and
// where, is decided elsewhere (`load-model.ts`, and the threads of `signals/search/`).

import type { CallerRank } from './rank-of-caller.ts'

export interface SentenceModel {
  /** Under which its vectors are stored: another name, other vectors. */
  readonly name: string
  /**
   * Of length 1. A text of a search goes before all of those in the background, and among searches by
   * the rank of who asks. One that has been aborted is not begun.
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
