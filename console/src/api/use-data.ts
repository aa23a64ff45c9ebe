// The data of a view, from the server: requested when the view opens or its filters change, and again when the server
// reports that it has changed. The old data stays on the screen until the new is there, so nothing jumps.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Topic } from '../../../src/console/api/events.ts'
import { onChange } from '../live.ts'
import { cameAhead, keyOf, takeAhead } from './ahead.ts'
import { type AnswerOf, api, type Call, type CallParts } from './client.ts'
import { type Loader, type LoaderEvents, startLoader } from './loader.ts'
import type { Answer, Fault } from './request.ts'

export interface Loaded<T> {
  /** Undefined until the first answer. */
  value: T | undefined
  /** Why the last request failed; the value may be an older one. */
  fault: Fault | undefined
  isLoading: boolean
  refresh(): void
  /** Displays the response of an action, without a new request. */
  show(value: T): void
  /** Runs an action that replaces this with something else: when it succeeds this is not requested any more. */
  replace<R>(run: () => Promise<Answer<R>>): Promise<Answer<R>>
}

interface Returned<T> {
  /** Call and parameters: data about another subject is not displayed. */
  subject: string
  value?: T | undefined
  fault?: Fault | undefined
}

const MOST_REMEMBERED = 30
const remembered = new Map<string, unknown>()

/** Forgets what was displayed: another person may sign in on this page. */
export function forgetData(): void {
  remembered.clear()
}

export function useData<C extends Call>(
  call: C,
  parts: Omit<CallParts<C>, 'signal' | 'body'>,
  topics: readonly Topic[],
): Loaded<AnswerOf<C>> {
  const subject = `${call} ${JSON.stringify(parts.params ?? {})}`
  const key = keyOf(call, parts)
  const recalled = () => remembered.get(key) as AnswerOf<C> | undefined
  const returned = useSignal<Returned<AnswerOf<C>>>({
    subject,
    value: recalled() ?? cameAhead<C>(key),
  })
  const isLoading = useSignal(cameAhead<C>(key) === undefined)
  const loader = useRef<Loader>(undefined)

  const show = (value: AnswerOf<C>) => {
    remember(key, value)
    returned.value = { subject, value }
  }
  const replace = async <R>(run: () => Promise<Answer<R>>) => {
    const held = loader.current
    held?.hold()
    const answer = await run()
    if (!answer.ok) held?.release()
    return answer
  }
  useEffect(() => {
    const came = cameAhead<C>(key)
    if (came !== undefined) {
      takeAhead(key)
      remember(key, came)
    }
    const before = came ?? recalled()
    if (before !== undefined) {
      if (returned.peek().value !== before) returned.value = { subject, value: before }
    } else if (returned.peek().subject !== subject) returned.value = { subject }
    const ask = (signal: AbortSignal) => takeAhead<C>(key) ?? api(call, { ...parts, signal })
    const events: LoaderEvents<AnswerOf<C>> = {
      requested: () => {
        isLoading.value = true
      },
      answered: (answer) => {
        isLoading.value = false
        if (answer.ok) show(answer.value)
        else returned.value = { ...returned.peek(), fault: answer.fault }
      },
    }
    const started = startLoader(ask, events, came !== undefined)
    loader.current = started
    const stopListening = onChange(topics, started.refresh)
    return () => {
      stopListening()
      started.stop()
    }
  }, [key])

  const current = returned.value.subject === subject ? returned.value : undefined
  return {
    value: current?.value,
    fault: current?.fault,
    isLoading: isLoading.value,
    refresh: () => loader.current?.refresh(),
    show,
    replace,
  }
}

function remember(key: string, value: unknown) {
  remembered.delete(key)
  remembered.set(key, value)
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break
    remembered.delete(oldest)
  }
}
