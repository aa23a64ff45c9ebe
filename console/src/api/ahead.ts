// What a view will ask for, asked before the view is there: as soon as it is known who is signed in, while its chunk
// comes and the shell is drawn. The view takes the answer up in place of its first question.

import { query } from '../router.ts'
import { type AnswerOf, api, type Call, type CallParts } from './client.ts'
import type { Answer } from './request.ts'

type Parts<C extends Call> = Omit<CallParts<C>, 'signal' | 'body'>

let early: { key: string; answer: Promise<Answer<unknown>> } | undefined

export function keyOf<C extends Call>(call: C, { params, query }: Parts<C>): string {
  return `${call} ${JSON.stringify(params ?? {})} ${JSON.stringify(query ?? {})}`
}

/** For the view that most begin with; the others ask by themselves. */
export function askAhead(path: string): void {
  if (path !== '/') return
  const range = query.peek().get('range')
  if (range === null) begin('GET /overview', { query: { range: '24h' } })
}

function begin<C extends Call>(call: C, parts: Parts<C>): void {
  early = { key: keyOf(call, parts), answer: api(call, parts) }
}

/** Once: whoever asks again gets a new answer. */
export function takeAhead<C extends Call>(key: string): Promise<Answer<AnswerOf<C>>> | undefined {
  const taken = early?.key === key ? early.answer : undefined
  early = undefined
  return taken as Promise<Answer<AnswerOf<C>>> | undefined
}
