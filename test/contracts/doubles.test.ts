// The stores that tests keep in memory, compared with the SQLite stores they replace: the same calls must return
// the same results, or the tests built on them would only hold for the doubles.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AttemptResult, Channel, NewDelivery } from '../../src/webhooks/sender/store.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { inboxOn, LIMITS, newMessage } from '../support/inbox-contract.ts'
import { memoryInbox } from '../support/memory-inbox.ts'
import { memoryOutbox } from '../support/memory-outbox.ts'
import {
  DAY_MS,
  failure,
  LEASE_MS,
  newChannel,
  outboxOn,
  success,
} from '../support/outbox-contract.ts'

const clock = fakeClock()
let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase('sqlite', { clock })
})
afterAll(() => opened.drop())

const RUNS = { numRuns: 40 }
const database = () => opened.database

test('spec 6.4: the inbox in memory accepts, repeats, distinguishes and refuses as SQLite does', async () => {
  const message = fc.record({
    sender: fc.constantFrom('https://a.example', 'https://b.example'),
    idempotency_key: fc.constantFrom('key-1', 'key-2', 'key-3', 'key-4'),
    digest: fc.constantFrom('one', 'other'),
  })
  const rounds = fc.array(fc.array(message, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
  const stored = inboxOn(database, clock)
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      await stored.clear()
      const double = memoryInbox()
      const limits = { ...LIMITS, maxPerSender: 3 }
      for (const round of all) {
        const messages = round.map((over) => newMessage(over))
        expect(await double.accept(messages, limits)).toEqual(
          await stored.inbox().accept(messages, limits),
        )
      }
    }),
    RUNS,
  )
})

type Act =
  | { act: 'add'; channel: number; count: number }
  | { act: 'claim'; limit: number }
  | { act: 'end'; how: 'delivered' | 'again' | 'exhausted' | 'back' }
  | { act: 'wait'; ms: number }

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constant('add' as const),
      channel: fc.nat(2),
      count: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ act: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      act: fc.constant('end' as const),
      how: fc.constantFrom(
        'delivered' as const,
        'again' as const,
        'exhausted' as const,
        'back' as const,
      ),
    }),
    fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(500, 1_000, LEASE_MS) }),
  ),
  { maxLength: 20 },
)

test('spec 6.4: the outbox in memory claims, leases, records and gives back as SQLite does', async () => {
  const stored = outboxOn(database, clock)
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      await stored.clear()
      const memory = memoryOutbox(clock)
      const wanted = [0, 1, 2].map((n) => newChannel({ subject: `task:${n}`, owner: `prn_${n}` }))
      const channels: [Channel, Channel][] = []
      for (const channel of wanted) {
        const inMemory = await memory.transact((tx) => memory.channels.put(tx, channel, 10))
        channels.push([await stored.put(channel), inMemory as Channel])
      }
      const sides = { stored, memory, channels, keys: 0, held: [] as Held[] }
      for (const act of all) await doBoth(sides, act)
    }),
    RUNS,
  )
})

/** A claim as both have it; ids differ, keys do not. */
interface Held {
  idempotency_key: string
  stored: Parameters<typeof success>[0]
  memory: Parameters<typeof success>[0]
}

interface Sides {
  stored: ReturnType<typeof outboxOn>
  memory: ReturnType<typeof memoryOutbox>
  channels: [Channel, Channel][]
  keys: number
  held: Held[]
}

async function doBoth(sides: Sides, act: Act): Promise<void> {
  const { stored, memory } = sides
  if (act.act === 'wait') clock.advance(act.ms)
  if (act.act === 'add') {
    const [first, second] = sides.channels[act.channel] as [Channel, Channel]
    for (let count = 0; count < act.count; count++) {
      const over = { idempotency_key: `key-${sides.keys++}` }
      const made: NewDelivery = stored.deliveryTo(first, over)
      await stored.add(made)
      await memory.transact((tx) => memory.outbox.add(tx, [{ ...made, channel: second }], DAY_MS))
    }
  }
  if (act.act === 'claim') {
    const request = { limit: act.limit, leaseMs: LEASE_MS, choose: <T>(due: readonly T[]) => due }
    const one = await stored.claim(request)
    const other = await memory.transact((tx) => memory.outbox.claim(tx, request as never))
    const returned = ({ claimed }: typeof one) =>
      claimed.map(({ idempotency_key, attempt, claimed_at }) => ({
        idempotency_key,
        attempt,
        claimed_at,
      }))
    expect(returned(other)).toEqual(returned(one))
    one.claimed.forEach((claim, at) => {
      const inMemory = other.claimed[at] as Held['memory']
      sides.held.push({ idempotency_key: claim.idempotency_key, stored: claim, memory: inMemory })
    })
  }
  if (act.act === 'end') {
    const held = sides.held.shift()
    if (!held) return
    if (act.how === 'back') {
      const back = ({ delivery_id, attempt }: Held['stored']) => [
        { delivery_id, attempt, inMs: 700 },
      ]
      await database().transact((tx) => stored.outbox().giveBack(tx, back(held.stored)))
      await memory.transact((tx) => memory.outbox.giveBack(tx, back(held.memory)))
      return
    }
    const resultOf = (claim: Held['stored']): AttemptResult =>
      act.how === 'delivered'
        ? success(claim)
        : failure(claim, {
            says: 'nothing',
            ...(act.how === 'exhausted' ? { next: { state: 'exhausted', reason: 'refused' } } : {}),
          })
    const first = await stored.record(resultOf(held.stored))
    const second = await memory.transact((tx) => memory.outbox.record(tx, [resultOf(held.memory)]))
    expect(second).toEqual(first)
  }
}
