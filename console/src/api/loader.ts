// One request to the server at a time: changes during a request lead to one more.

import type { Answer } from './request.ts'

export interface Loader {
  refresh(): void
  /** Sends no request until `release`: the data would be about to disappear. Drops a request in flight. */
  hold(): void
  release(): void
  stop(): void
}

export interface LoaderEvents<T> {
  requested(): void
  answered(answer: Answer<T>): void
}

export function startLoader<T>(
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  { requested, answered }: LoaderEvents<T>,
  /** The answer is already available: the first request is for the next change. */
  isAnswered = false,
): Loader {
  let question: AbortController | undefined
  let isDirty = false
  let isHeld = false
  let isStopped = false

  const load = async () => {
    do {
      isDirty = false
      const current = new AbortController()
      question = current
      requested()
      try {
        const answer = await ask(current.signal)
        if (!current.signal.aborted) answered(answer)
      } catch (error) {
        if (!current.signal.aborted) throw error
      }
      question = undefined
    } while (isDirty && !isHeld && !isStopped)
  }

  const refresh = () => {
    if (question || isHeld) isDirty = true
    else if (!isStopped) load()
  }
  const hold = () => {
    isHeld = true
    if (!question) return
    isDirty = true
    question.abort()
  }
  const release = () => {
    isHeld = false
    if (isDirty && !question && !isStopped) load()
  }
  const stop = () => {
    isStopped = true
    question?.abort()
  }
  if (!isAnswered) load()
  return { refresh, hold, release, stop }
}
