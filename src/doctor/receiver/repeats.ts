// The same message more than once (spec 6.4): senders deliver at least once, so a duplicate is a success, and 2xx
// means that the message is stored.

import { setTimeout as wait } from 'node:timers/promises'
import type { ClientResponse } from '../../transports/client.ts'
import { type Check, skipped, verdictOf } from '../check.ts'
import type { Body, ReceiverContext } from './context.ts'
import { ACCEPTS_VALID, type Delivered, isSuccess, wordOf } from './rows.ts'

const group = 'repeats'

export const REPEATS: readonly Delivered[] = [
  {
    id: 'duplicate',
    group,
    right: '2xx',
    title: 'a retry under the same key is acknowledged in the end, never 409',
    why: 'a sender that lost the response keeps retrying a webhook that was received long ago',
    fix: 'answer 200 when (sender, idempotency_key) is known; 503 only while the first copy is in work',
    send: async (context) => {
      const body = context.envelope()
      const first = await context.deliver(body)
      return isSuccess(first.status)
        ? [await again(context, body), await again(context, body)]
        : first
    },
  },
  {
    id: 'duplicate-changed',
    // 3.2 lets a receiver answer 409 here.
    group,
    right: [200, 201, 202, 204, 409],
    title: 'another body under a known key breaks nothing: the first copy stays',
    why: 'a sender with this fault must not make the receiver fail, nor overwrite what it has',
    fix: 'keep the first copy and answer 200 (or 409, as 3.2 has it)',
    send: async (context) => {
      const body = context.envelope({ result: { n: 1 } })
      const first = await context.deliver(body)
      return isSuccess(first.status) ? again(context, { ...body, result: { n: 2 } }) : first
    },
  },
  {
    id: 'duplicate-after-changed',
    group,
    needs: ['duplicate', 'duplicate-changed'],
    right: '2xx',
    title: 'after another body under its key the first copy is still known',
    why: 'a receiver that goes by the last body refuses or applies again what it has had',
    fix: 'keep the digest of the first body with its key, and never that of another',
    send: async (context) => {
      const body = context.envelope({ result: { n: 1 } })
      const first = await context.deliver(body)
      if (!isSuccess(first.status)) return first
      await again(context, { ...body, result: { n: 2 } })
      return again(context, body)
    },
  },
  {
    id: 'duplicate-reordered',
    group,
    needs: ['duplicate'],
    right: '2xx',
    title: 'a retry whose members come in another order is the same webhook',
    why: 'a sender that serializes its retry again is refused for an equivalent body',
    fix: 'compare bodies in their canonical form (RFC 8785), not byte for byte',
    send: async (context) => {
      const body = context.envelope({ result: { a: 1, b: 2 } })
      const first = await context.deliver(body)
      return isSuccess(first.status) ? again(context, reordered(body)) : first
    },
  },
  {
    id: 'duplicate-race',
    group,
    needs: ['duplicate'],
    right: [200, 201, 202, 204, 503],
    title: 'the same webhook five times at once is acknowledged, or to be sent again',
    why: 'retries overlap: what fails only then fails at the busiest moment',
    fix: 'store key and body in one step with a unique index, and answer duplicates 200',
    send: async ({ prepare, envelope }) => {
      const body = envelope()
      const sends = await Promise.all(Array.from({ length: AT_ONCE }, () => prepare(body)))
      return Promise.all(sends.map((send) => send()))
    },
  },
]

/** 3.2 lets a receiver return 503 while it is processing the first copy; the message is then sent again. */
async function again(
  { deliver }: Pick<ReceiverContext, 'deliver'>,
  body: Body,
): Promise<ClientResponse> {
  for (let n = 1; ; n++) {
    const answer = await deliver(body)
    if (answer.status !== 503 || n === PATIENCE) return answer
    await wait(PAUSE_MS * n)
  }
}

/** For some five seconds in all. */
const PATIENCE = 7
const PAUSE_MS = 250

function reordered(body: Body): Body {
  return Object.fromEntries(Object.entries({ ...body, result: { b: 2, a: 1 } }).reverse())
}

const AT_ONCE = 5
const TRIES = 4

/** A receiver can only be checked from outside if it reports which message was a duplicate. */
export const STORED: readonly Check<ReceiverContext>[] = [
  {
    id: 'stored-before-answer',
    group,
    writes: false,
    needs: [ACCEPTS_VALID, 'duplicate'],
    title: 'what was acknowledged is stored: its duplicate is known as one at once',
    why: 'a receiver that stops between its answer and its database loses what no sender will send again',
    fix: 'commit key and body before the 2xx is sent',
    run: async (context) => {
      for (let n = 0; n < TRIES; n++) {
        const body = context.envelope()
        const words = [await context.deliver(body), await again(context, body)].map(wordOf)
        if (words[0] === undefined || words[1] === undefined) return skipped(SILENT)
        if (words[0] === words[1]) {
          return verdictOf(['a duplicate that came right after the 2xx was taken for new'])
        }
      }
      return verdictOf([])
    },
  },
]

const SILENT = 'the response does not state whether the message was new or a duplicate'
