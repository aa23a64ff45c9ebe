// Another caller that keeps calling during an attack: the attacker must not hold it up.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { call } from './call.ts'

/** So wide that only a hang trips it: the attack runs on the same thread. */
export const PROMPT_MS = 10_000

/** Runs the attack while another caller calls, and expects each of their calls to be answered in time. */
export async function whileAnotherCalls<T>(
  { url }: Pick<TestApp, 'url'>,
  key: string,
  attack: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const over = attack().finally(() => {
    isOver = true
  })
  let longestMs = 0
  do {
    const requested = performance.now()
    const answer = await call(`${url}/v3/list_creative_formats`, { key, body: { type: 'audio' } })
    longestMs = Math.max(longestMs, performance.now() - requested)
    expect(answer.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 10))
  } while (!isOver)
  expect(longestMs).toBeLessThan(PROMPT_MS)
  return over
}

/** Bytes that the server has reserved for answers, as its metrics report them to a caller at another address. */
export async function reservedBytes({ url }: Pick<TestApp, 'url'>): Promise<number> {
  const requested = request(`${url}/metrics`, { localAddress: '127.0.0.2', agent: false }).end()
  const [response] = (await once(requested, 'response')) as [IncomingMessage]
  const metric = /^adwire_answer_bytes_reserved (\S+)$/m.exec(await text(response))?.[1]
  if (metric === undefined) throw new Error(`no metrics: ${response.statusCode}`)
  return Number(metric)
}
