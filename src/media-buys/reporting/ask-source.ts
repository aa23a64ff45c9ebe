// Asking a delivery source about many buys: within a time, some at once, and without one that fails spoiling the
// others. What cannot be had is not there yet.

import { withDeadline } from '../../lib/deadline.ts'
import type { DeliveryQuery, DeliverySource, WindowDelivery } from '../delivery-source.ts'

export interface AskOptions {
  /** Longest time for all of them, in milliseconds. */
  timeoutMs: number
  /** Questions at the same time. */
  concurrency: number
  signal: AbortSignal
  onFault: (error: unknown) => void
}

export type Question = Omit<DeliveryQuery, 'signal'>

/** One answer for each window of each question, in their order. */
export function askSource(
  source: DeliverySource,
  questions: readonly Question[],
  { timeoutMs, signal, ...options }: AskOptions,
): Promise<WindowDelivery[][]> {
  return withDeadline({ timeoutMs, signals: [signal] }, (within) =>
    askWithin(source, questions, { within, ...options }),
  )
}

async function askWithin(
  source: DeliverySource,
  questions: readonly Question[],
  {
    within,
    concurrency,
    onFault,
  }: Pick<AskOptions, 'concurrency' | 'onFault'> & { within: AbortSignal },
): Promise<WindowDelivery[][]> {
  const answers = questions.map(({ windows }) => windows.map(notYet))
  const asked = questions.flatMap((question, index) =>
    question.windows.length > 0 ? [{ index, query: { ...question, signal: within } }] : [],
  )
  const timeIsUp = aborted(within)
  const keep = (index: number, said: readonly WindowDelivery[]) => {
    const { windows } = questions[index] as Question
    if (said.length === windows.length) answers[index] = [...said]
    else onFault(new Error(`the source answered ${said.length} windows of ${windows.length}`))
  }
  if (asked.length === 0) return answers
  if (source.deliveriesOf) {
    try {
      const said = await Promise.race([
        source.deliveriesOf(asked.map(({ query }) => query)),
        timeIsUp,
      ])
      for (const [at, { index }] of asked.entries()) keep(index, said[at] ?? [])
    } catch (error) {
      onFault(error)
    }
    return answers
  }
  let next = 0
  let hasFailed = false
  const worker = async () => {
    for (let one = asked[next++]; one && !within.aborted; one = asked[next++]) {
      try {
        keep(one.index, await Promise.race([source.deliveryOf(one.query), timeIsUp]))
      } catch (error) {
        // A source that is away fails for all: it is said once.
        if (!hasFailed) onFault(error)
        hasFailed = true
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, asked.length) }, worker))
  return answers
}

/** Rejects when the time is up: a source need not listen to the signal that it was given. */
function aborted(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_resolve, reject) => {
    const fail = () =>
      reject(new Error('the delivery source did not answer in time', { cause: signal.reason }))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
  // Nobody may be waiting when it comes.
  rejected.catch(() => {})
  return rejected
}

function notYet(window: DeliveryQuery['windows'][number]): WindowDelivery {
  return { window, status: 'not_yet' }
}
