import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Accepted, ReceivedMessage } from '../../src/webhooks/receiver/store.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { inboxOn, LEASE_MS, newMessage } from '../support/inbox-contract.ts'

const SENDERS = ['s1', 's2']
const MAX = 4
const RETENTION_MS = 40_000
const ENDED = ['applied', 'stale', 'dead'] as const

interface Kept {
  sender: string
  key: string
  digest: string
  task: string | undefined
  state: 'pending' | 'leased' | (typeof ENDED)[number]
  attempts: number
  dueAt: number
  leaseUntil: number
  expiresAt: number
}

type Operation =
  | { do: 'accept'; messages: { sender: string; key: string; digest: string; task: string }[] }
  | { do: 'claim'; limit: number }
  | { do: 'finish'; at: number; state: (typeof ENDED)[number] | 'pending' }
  | { do: 'release' | 'renew' | 'retry'; at: number }
  | { do: 'pass'; ms: number }
  | { do: 'sweep' }

const incoming = fc.record({
  sender: fc.constantFrom(...SENDERS),
  key: fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'),
  digest: fc.constantFrom('d1', 'd1', 'd1', 'd2'),
  task: fc.constantFrom('t1', 't2', ''),
})
const at = fc.nat({ max: 30 })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.array(incoming, { maxLength: 5 }).map(accepting) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('claim'), limit: fc.integer({ min: 0, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('finish'),
      at,
      state: fc.constantFrom(...ENDED, 'pending'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('release', 'renew', 'retry'), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass'),
      ms: fc.constantFrom(1_000, LEASE_MS, RETENTION_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep') }) },
) as fc.Arbitrary<Operation>

function accepting(messages: Extract<Operation, { do: 'accept' }>['messages']): Operation {
  return { do: 'accept', messages }
}

/** The inbox in the plainest words: a list of what is kept, in the order it was received. */
function createModel(now: () => number) {
  let kept: Kept[] = []
  const changed = new Map<string, number>()
  const isGone = (one: Kept) => ENDED.some((state) => state === one.state) && one.expiresAt <= now()
  const of = ({ sender, idempotency_key }: ReceivedMessage) =>
    kept.find((one) => one.sender === sender && one.key === idempotency_key)
  const held = (message: ReceivedMessage) => {
    const one = of(message)
    return one?.state === 'leased' && one.attempts === message.attempt ? one : undefined
  }

  return {
    accept(messages: Extract<Operation, { do: 'accept' }>['messages']): Accepted[] {
      const known = new Map(kept.map((one) => [`${one.sender} ${one.key}`, one.digest]))
      const wanting = (sender: string) => {
        const own = messages.filter((one) => one.sender === sender)
        return new Set(own.map((one) => one.key).filter((key) => !known.has(`${sender} ${key}`)))
          .size
      }
      const countOf = (sender: string) => kept.filter((one) => one.sender === sender).length
      // Room is made once, before anything is added, and only where it is needed.
      for (const sender of SENDERS) {
        const isShort = wanting(sender) > 0 && countOf(sender) + wanting(sender) > MAX
        if (isShort) kept = kept.filter((one) => one.sender !== sender || !isGone(one))
      }
      return messages.map(({ sender, key, digest, task }) => {
        const first = known.get(`${sender} ${key}`)
        if (first !== undefined && first !== digest) {
          changed.set(sender, (changed.get(sender) ?? 0) + 1)
        }
        if (first !== undefined) return first === digest ? 'duplicate' : 'changed'
        if (countOf(sender) >= MAX) return 'full'
        known.set(`${sender} ${key}`, digest)
        kept.push({
          sender,
          key,
          digest,
          task: task === '' ? undefined : task,
          state: 'pending',
          attempts: 0,
          dueAt: now(),
          leaseUntil: 0,
          expiresAt: now() + RETENTION_MS,
        })
        return 'new'
      })
    },
    /** What may be claimed is for the store to choose; this checks that it was allowed to. */
    claimed(messages: readonly ReceivedMessage[], limit: number): void {
      for (const one of kept) {
        if (one.state === 'leased' && one.leaseUntil <= now()) one.state = 'pending'
      }
      const taskOf = (one: Kept) => one.task && `${one.sender} ${one.task}`
      const busy = new Set(kept.filter((one) => one.state === 'leased').map(taskOf))
      for (const message of messages) {
        const one = of(message)
        if (!one) throw new Error('claimed what is not kept')
        expect(one).toMatchObject({ state: 'pending', attempts: message.attempt - 1 })
        expect(one.dueAt).toBeLessThanOrEqual(now())
        if (one.task) expect(busy).not.toContain(taskOf(one))
        Object.assign(one, { state: 'leased', attempts: message.attempt })
        one.leaseUntil = now() + LEASE_MS
        busy.add(taskOf(one))
      }
      const left = kept.filter(
        (one) =>
          one.state === 'pending' && one.dueAt <= now() && !(one.task && busy.has(taskOf(one))),
      )
      if (messages.length < limit) expect(left).toEqual([])
    },
    finish(message: ReceivedMessage, state: Kept['state']): boolean {
      const one = held(message)
      if (!one) return false
      one.state = state
      if (state === 'pending') one.dueAt = now() + 500
      return true
    },
    release(message: ReceivedMessage): boolean {
      const one = held(message)
      if (!one) return false
      Object.assign(one, { state: 'pending', attempts: one.attempts - 1 })
      return true
    },
    renew(message: ReceivedMessage): boolean {
      const one = held(message)
      if (one) one.leaseUntil = now() + LEASE_MS
      return one !== undefined
    },
    retry(message: ReceivedMessage): boolean {
      const one = of(message)
      if (one?.state !== 'dead') return false
      Object.assign(one, { state: 'pending', dueAt: now() })
      return true
    },
    sweep: () => {
      kept = kept.filter((one) => !isGone(one))
    },
    isKept: (message: ReceivedMessage) => of(message) !== undefined,
    messages: () =>
      kept.map(({ sender, key, state, attempts }) => ({ sender, key, state, attempts })),
    changed: () => changed,
  }
}

let opened: TestDatabase
const clock = fakeClock()
beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
})
afterAll(() => opened.drop())

const on = inboxOn(() => opened.database, clock)

async function apply(
  operation: Operation,
  model: ReturnType<typeof createModel>,
  claims: Map<number, ReceivedMessage>,
): Promise<void> {
  const all = [...claims.values()]
  const pick = (index: number) => all[index % all.length]
  if (operation.do === 'accept') {
    const messages = operation.messages.map(({ sender, key, digest, task }) =>
      newMessage({ sender, idempotency_key: key, digest, task_id: task === '' ? undefined : task }),
    )
    const limits = { maxPerSender: MAX, retentionMs: RETENTION_MS }
    expect(await on.accept(messages, limits)).toEqual(model.accept(operation.messages))
  } else if (operation.do === 'claim') {
    const { claimed } = await on.claim({ limit: operation.limit })
    model.claimed(claimed, operation.limit)
    for (const message of claimed) claims.set(claims.size, message)
  } else if (operation.do === 'pass') {
    clock.advance(operation.ms)
  } else if (operation.do === 'sweep') {
    while ((await on.sweep()) > 0);
    model.sweep()
  } else {
    const message = pick(operation.at)
    // A key that was forgotten and came again is another message.
    if (!message || !model.isKept(message)) return
    const isSame = (await on.inbox().list({})).some((m) => m.message_id === message.message_id)
    if (!isSame) return
    if (operation.do === 'finish') {
      const { state } = operation
      const outcome = { state, reason: 'r', inMs: 500 } as Parameters<typeof on.finish>[1]
      expect(await on.finish(message, outcome)).toBe(model.finish(message, state))
    } else if (operation.do === 'retry') {
      expect(await on.retry(message.message_id)).toBe(model.retry(message))
    } else {
      expect(await on[operation.do](message)).toBe(model[operation.do](message))
    }
  }
}

async function compare(model: ReturnType<typeof createModel>): Promise<void> {
  const listed = (await on.inbox().list({ limit: 1_000 })).toReversed()
  expect(
    listed.map(({ sender, idempotency_key: key, state, attempts }) => ({
      sender,
      key,
      state,
      attempts,
    })),
  ).toEqual(model.messages())
  const counters = await on.counters()
  for (const { sender, kept, changed, rows } of counters) {
    expect(kept).toBe(rows)
    expect(kept).toBeLessThanOrEqual(MAX)
    expect(changed).toBe(model.changed().get(sender) ?? 0)
  }
  const sum = counters.reduce((total, { rows }) => total + rows, 0)
  expect(sum).toBe(listed.length)
}

test('R1, R4, R7: after any operations the inbox holds, hands out and counts what a plain list would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
      await on.clear()
      const model = createModel(clock.now)
      const claims = new Map<number, ReceivedMessage>()
      for (const operation of operations) {
        await apply(operation, model, claims)
        await compare(model)
      }
    }),
    { numRuns: 60 },
  )
})
