// Requests that are sent before the component that displays the answer is there: the signed-in user, when the app
// begins; and the data of the first view, as soon as that is known, while its chunk loads. Used in place of the first
// request.

import { query } from '../router.ts'
import { type AnswerOf, api, type Call, type CallParts } from './client.ts'
import type { Answer } from './request.ts'

type Parts<C extends Call> = Omit<CallParts<C>, 'signal' | 'body'>

interface Early {
  answer: Promise<Answer<unknown>>
  requestedAt: number
  /** The answer, once it is there. */
  came?: Answer<unknown>
}

const early = new Map<string, Early>()
/** Data that nobody has used by then is out of date. */
const GOOD_MS = 5_000

export function keyOf<C extends Call>(call: C, { params, query }: Parts<C>): string {
  return `${call} ${JSON.stringify(params ?? {})} ${JSON.stringify(query ?? {})}`
}

export const SESSION = keyOf('GET /session', {})

export function askSession(): void {
  begin('GET /session', {})
}

/** For the view that most visits start with; the others send their own requests. Resolves when it is answered. */
export async function askAhead(path: string): Promise<void> {
  if (path !== '/' || query.peek().get('range') !== null) return
  await begin('GET /overview', { query: { range: '24h' } })
}

function begin<C extends Call>(call: C, parts: Parts<C>): Promise<unknown> {
  const requested: Early = { answer: api(call, parts), requestedAt: performance.now() }
  early.set(keyOf(call, parts), requested)
  return requested.answer.then((answer) => {
    requested.came = answer
  })
}

/** Once: a caller that requests it again gets a new answer. */
export function takeAhead<C extends Call>(key: string): Promise<Answer<AnswerOf<C>>> | undefined {
  const taken = earlyOf(key)?.answer
  early.delete(key)
  return taken as Promise<Answer<AnswerOf<C>>> | undefined
}

/** Data that was already received, to be displayed at once; it stays for `takeAhead`. */
export function cameAhead<C extends Call>(key: string): AnswerOf<C> | undefined {
  const came = earlyOf(key)?.came
  return came?.ok ? (came.value as AnswerOf<C>) : undefined
}

/** Another person may sign in on this page. */
export function forgetAhead(): void {
  early.clear()
}

function earlyOf(key: string): Early | undefined {
  const found = early.get(key)
  return found && performance.now() - found.requestedAt < GOOD_MS ? found : undefined
}
