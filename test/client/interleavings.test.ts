import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callAgent } from '../../src/client/call-agent.ts'
import type { CallReceiver, ReceivedWebhook } from '../../src/client/options.ts'
import type { OutcomeConflict, UpdateSource } from '../../src/client/outcome.ts'
import type { ClientFetch } from '../../src/transports/client.ts'

/** What each way reports: an end with this value, or the state of the task. */
type Word = 'submitted' | 'working' | 'unknown' | 'gone' | { end: string; n: number }

const end = fc.record({
  end: fc.constantFrom('completed', 'failed'),
  n: fc.integer({ min: 1, max: 2 }),
})
const script = fc.record({
  answer: fc.oneof(fc.constant<Word>('submitted'), end),
  polls: fc.array(fc.oneof(fc.constantFrom<Word>('working', 'unknown', 'gone'), end), {
    maxLength: 4,
  }),
  webhook: fc.oneof(fc.constant(undefined), end),
})

const members = ({ end: status, n }: { end: string; n: number }) =>
  status === 'completed' ? { made: n } : { errors: [{ code: 'X', message: String(n) }] }

test('spec 6.4: in every interleaving of answer, polls and webhook there is one outcome, once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), script, async (scheduler, { answer, polls, webhook }) => {
      /** The ends in the order in which they arrived. */
      const arrived: { by: UpdateSource; word: { end: string; n: number } }[] = []
      const left = [...polls]
      const wordOf = (by: UpdateSource, word: Word) => {
        if (typeof word === 'object') arrived.push({ by, word })
        return word
      }
      const fetch: ClientFetch = async ({ url }) => {
        const isPoll = url.endsWith('/get_task_status')
        const planned: Word = isPoll ? (left.shift() ?? { end: 'completed', n: 1 }) : answer
        await scheduler.schedule(Promise.resolve(), isPoll ? 'poll' : 'answer')
        return response(isPoll, wordOf(isPoll ? 'poll' : 'answer', planned))
      }
      const receiver: CallReceiver = {
        urlFor: () => 'https://buyer.example/hooks/x',
        waitFor: async (_operationId, { signal }) => {
          if (!webhook) return new Promise(() => {})
          await scheduler.schedule(Promise.resolve(), 'webhook')
          if (signal.aborted) return undefined
          wordOf('webhook', webhook)
          return received(webhook)
        },
      }
      const reported: OutcomeConflict[] = []
      const outcome = await scheduler.waitFor(
        callAgent({
          agentUrl: 'https://agent.example/v3',
          task: 'create_media_buy',
          fetch,
          receiver,
          pollIntervalMs: 0,
          attempts: 1,
          check: 'none',
          idempotencyKey: 'k'.repeat(16),
          onConflict: (conflict) => reported.push(conflict),
        }),
      )
      const [first] = arrived
      if (!first) throw new Error('nothing told of the end')
      const { by, word } = first
      expect(outcome.ok).toBe(word.end === 'completed')
      expect(outcome.status).toBe(word.end)
      expect(outcome.body).toMatchObject(members(word))
      if (outcome.ok) expect(outcome.by).toBe(by)
      // Conflicts are exactly the later ends that differ, each reported once.
      const differing = arrived
        .slice(1)
        .filter((one) => one.word.end !== word.end || one.word.n !== word.n)
      const conflicts = (outcome.conflicts ?? []).map(({ other }) => other.by)
      expect(conflicts).toEqual(differing.map((one) => one.by).slice(0, conflicts.length))
      expect(reported).toEqual(outcome.conflicts ?? [])
    }),
    { numRuns: 300 },
  )
})

function response(isPoll: boolean, word: Word) {
  if (word === 'gone') return { status: 503, headers: {}, body: Buffer.from('') }
  const status = typeof word === 'string' ? word : word.end
  const own = typeof word === 'string' ? {} : members(word)
  const task_id = 'task-1'
  const body = isPoll
    ? {
        status,
        task_id,
        task_type: 'create_media_buy',
        ...(status === 'completed' ? { result: own } : own),
      }
    : { status, ...own, ...(typeof word === 'string' ? { task_id } : {}) }
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) }
}

function received(word: { end: string; n: number }): ReceivedWebhook {
  const payload = { task_type: 'create_media_buy' }
  return { status: word.end, task_id: 'task-1', data: members(word), payload }
}
