// A generator supplied by a program, kept within limits: an exception, a late answer or an invalid answer counts as
// no answer, and the layout engine continues without it.

import type { GeneratedTexts, Generator } from '../creative/model/generator.ts'
import { readSegments } from '../creative/model/reading-question.ts'
import { withDeadline } from '../lib/deadline.ts'

export interface OwnGeneratorOptions {
  /** How long to wait for text, in milliseconds; a picture may take three times as long. Default 20 000. */
  timeoutMs?: number
  /** Hears why there was no answer. */
  onFault(error: unknown): void
}

export function careForGenerator(
  generator: Generator,
  { timeoutMs = 20_000, onFault }: OwnGeneratorOptions,
): Generator {
  async function answer<Answer>(
    ask: (signal: AbortSignal) => Promise<Answer | undefined>,
    isGood: (answer: unknown) => boolean,
    limits: { signal: AbortSignal; timeoutMs: number },
  ): Promise<Answer | undefined> {
    try {
      const given = await withDeadline(
        { timeoutMs: limits.timeoutMs, signals: [limits.signal] },
        (signal) => Promise.race([ask(signal), whenAborted(signal)]),
      )
      if (given === undefined || isGood(given)) return given
      throw new TypeError('the generator returned something other than what was requested')
    } catch (error) {
      onFault(error)
      return undefined
    }
  }
  const { read, text, image } = generator
  return {
    ...(read && {
      read: (request, signal) =>
        answer((ends) => read.call(generator, request, ends), isReading, { signal, timeoutMs }),
    }),
    ...(text && {
      text: (imageRequest, signal) =>
        answer((ends) => text.call(generator, imageRequest, ends), isTexts, { signal, timeoutMs }),
    }),
    ...(image && {
      image: (imageRequest, signal) =>
        answer((ends) => image.call(generator, imageRequest, ends), isPicture, {
          signal,
          timeoutMs: 3 * timeoutMs,
        }),
    }),
  }
}

/** A generator that ignores its signal is not waited for either. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const TEXTS = ['headline', 'description', 'call_to_action'] as const

function isTexts(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const texts = given as Partial<Record<keyof GeneratedTexts, unknown>>
  return TEXTS.every((name) => typeof texts[name] === 'string')
}

const isReading = (given: unknown): boolean => readSegments(given) !== undefined

const isPicture = (given: unknown): boolean => given instanceof Uint8Array
