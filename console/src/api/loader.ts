// One question to the server at a time: what changes while it is under way leads to one more.

import type { Answer } from './request.ts'

export interface Loader {
  refresh(): void
  stop(): void
}

export interface LoaderEvents<T> {
  asked(): void
  answered(answer: Answer<T>): void
}

export function startLoader<T>(
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  { asked, answered }: LoaderEvents<T>,
  /** The answer is there already: the first question is the next one. */
  isAnswered = false,
): Loader {
  const controller = new AbortController()
  const { signal } = controller
  let isAsking = false
  let isDirty = false

  const load = async () => {
    isAsking = true
    do {
      isDirty = false
      asked()
      try {
        const answer = await ask(signal)
        if (!signal.aborted) answered(answer)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    } while (isDirty && !signal.aborted)
    isAsking = false
  }

  const refresh = () => {
    if (isAsking) isDirty = true
    else if (!signal.aborted) load()
  }
  if (!isAnswered) load()
  return { refresh, stop: () => controller.abort() }
}
