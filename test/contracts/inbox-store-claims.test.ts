import { beforeEach, describe, expect, test } from 'vitest'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { INBOX_TOPIC, type ReceivedMessage } from '../../src/webhooks/receiver/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { inboxOn, LEASE_MS, newMessage } from '../support/inbox-contract.ts'

const clock = fakeClock()
const T0 = Date.UTC(2026, 0, 1)
const keys = (claimed: readonly ReceivedMessage[]) => claimed.map((each) => each.idempotency_key)

onBothStores(
  'what the inbox hands out',
  (database, _store, another) => {
    const on = inboxOn(database, clock)
    const {
      accept,
      claim,
      claimOne,
      clear,
      finish,
      inbox,
      one,
      position,
      release,
      renew,
      wokenBy,
    } = on
    beforeEach(clear)

    describe('claiming', () => {
      test('the first received go first, up to the requested number', async () => {
        for (const key of ['a', 'b', 'c', 'd']) {
          const task_id = key === 'b' ? undefined : key
          await one({ idempotency_key: key, task_id })
          clock.advance(1)
        }
        const first = await claim({ limit: 3 })
        expect(keys(first.claimed)).toEqual(['a', 'b', 'c'])
        expect(first.nextDueAt).toBeLessThanOrEqual(clock.now())
        expect(keys((await claim()).claimed)).toEqual(['d'])
      })

      test('of one task only one message is under way', async () => {
        await one({ idempotency_key: 'a', task_id: 't' })
        await one({ idempotency_key: 'b', task_id: 't' })
        await one({ idempotency_key: 'c', task_id: 't', sender: 'other' })
        await one({ idempotency_key: 'd', task_id: undefined })
        await one({ idempotency_key: 'e', task_id: undefined })
        const { claimed, nextDueAt } = await claim()
        expect(keys(claimed)).toEqual(['a', 'c', 'd', 'e'])
        expect(nextDueAt).toBe(clock.now() + LEASE_MS)
        expect((await claim()).claimed).toEqual([])
        // Anyone who waited for it is woken.
        expect(await wokenBy(() => finish(claimed[0] as ReceivedMessage))).toEqual([INBOX_TOPIC])
        expect(await wokenBy(() => finish(claimed[1] as ReceivedMessage))).toEqual([])
        expect(keys((await claim()).claimed)).toEqual(['b'])
      })

      test('a crowd of one sender’s does not keep another’s waiting', async () => {
        const crowd = (sender: string, count: number, task?: string) =>
          accept(
            Array.from({ length: count }, (_, n) =>
              newMessage({
                sender,
                idempotency_key: `${sender}-${n}`,
                ...(task ? { task_id: task } : {}),
              }),
            ),
          )
        await crowd('loud', 300)
        clock.advance(1_000)
        await crowd('quiet', 2)
        await crowd('orderly', 5, 'one-task')
        const { claimed } = await claim({ limit: 8 })
        const count = (of: string) => claimed.filter(({ sender }) => sender === of).length
        expect([count('loud'), count('quiet'), count('orderly')]).toEqual([5, 2, 1])
        // Each sender's own go in the order they came.
        expect(keys(claimed).filter((key) => key.startsWith('loud'))).toEqual(
          ['0', '1', '2', '3', '4'].map((n) => `loud-${n}`),
        )
        const more = (await claim({ limit: 8 })).claimed
        expect(more.every(({ sender }) => sender === 'loud')).toBe(true)
      })

      test('more senders than one look takes all get their turn', async () => {
        await accept(Array.from({ length: 100 }, () => newMessage({ sender: 'a loud one' })))
        for (let n = 0; n < 40; n++) await one({ sender: `s${n}` })
        const senders = new Set<string>()
        for (let round = 0; round < 8; round++) {
          for (const { sender } of (await claim({ limit: 10 })).claimed) senders.add(sender)
        }
        expect(senders.size).toBe(41)
      })

      test('a message that waits for its retry does not hold up a later one of its task', async () => {
        await one({ idempotency_key: 'a', task_id: 't' })
        await finish(await claimOne(), { state: 'pending', inMs: 5_000, reason: 'no' })
        await one({ idempotency_key: 'b', task_id: 't' })
        const second = await claimOne()
        expect(second.idempotency_key).toBe('b')
        clock.advance(5_000)
        expect((await claim()).claimed).toEqual([])
        await finish(second)
        expect(await claimOne()).toMatchObject({ idempotency_key: 'a', attempt: 2 })
      })

      test('instances that claim at once share the work, and no task twice', async () => {
        await accept(
          Array.from({ length: 60 }, (_, at) => newMessage({ task_id: `t${Math.floor(at / 2)}` })),
        )
        const second = another()
        const other = createInboxStore(second, { clock })
        const options = { limit: 5, leaseMs: LEASE_MS, worker: 'w' }
        const rounds = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            at % 2
              ? second.transact((tx) => other.claim(tx, options))
              : database().transact((tx) => inbox().claim(tx, options)),
          ),
        )
        await second.close()
        const tasks = rounds.flatMap(({ claimed }) => claimed.map(({ task_id }) => task_id))
        expect(tasks).toHaveLength(30)
        expect(new Set(tasks).size).toBe(30)
      })

      test('a crowd of one task hides no one behind it', async () => {
        await accept(Array.from({ length: 700 }, () => newMessage({ task_id: 'crowd' })))
        clock.advance(1)
        await accept(Array.from({ length: 3 }, (_, at) => newMessage({ task_id: `t${at}` })))
        await accept([newMessage({ task_id: undefined })])
        const { claimed } = await claim({ limit: 10 })
        expect(claimed.map(({ task_id }) => task_id).sort()).toEqual([
          'crowd',
          't0',
          't1',
          't2',
          undefined,
        ])
      })

      test('behind a crowd every task has its turn, however many there are', async () => {
        await accept(Array.from({ length: 300 }, () => newMessage({ task_id: 'crowd' })))
        clock.advance(1)
        await accept(Array.from({ length: 300 }, (_, at) => newMessage({ task_id: `t${at}` })))
        const seen = new Set<string | undefined>()
        for (let round = 0; round < 12; round++) {
          const { claimed, nextDueAt } = await claim({ limit: 50, leaseMs: 10 * LEASE_MS })
          for (const { task_id } of claimed) seen.add(task_id)
          if (seen.size < 301) expect(nextDueAt).toBeLessThanOrEqual(clock.now() + 20)
        }
        expect(seen.size).toBe(301)
      })

      test('it says when the next is due', async () => {
        expect((await claim()).nextDueAt).toBeUndefined()
        await one()
        const claimed = await claimOne()
        await finish(claimed, { state: 'pending', inMs: 2_500.2, reason: 'no' })
        expect((await claim()).nextDueAt).toBe(clock.now() + 2_501)
      })

      test('a claim that is rolled back was never made', async () => {
        await one()
        const undone = database().transact(async (tx) => {
          await inbox().claim(tx, { limit: 1, leaseMs: LEASE_MS, worker: 'w0' })
          throw new Error('undo')
        })
        await expect(undone).rejects.toThrow('undo')
        expect(await claimOne()).toMatchObject({ attempt: 1, previousWorker: undefined })
      })
    })

    describe('leases', () => {
      test('F2: when a lease has ended, another takes over and learns who had it', async () => {
        await one()
        const lost = await claimOne({ worker: 'dead-1' })
        clock.advance(LEASE_MS - 1)
        expect((await claim()).claimed).toEqual([])
        clock.advance(1)
        const taken = await claimOne({ worker: 'w2' })
        expect(taken).toMatchObject({
          message_id: lost.message_id,
          attempt: 2,
          previousWorker: 'dead-1',
        })
        expect(await finish(lost)).toBe(false)
        expect(await renew(lost)).toBe(false)
        expect(await release(lost)).toBe(false)
        expect(await position(taken.task_id as string)).toBeUndefined()
        expect(await finish(taken)).toBe(true)
        expect(await finish(taken)).toBe(false)
      })

      test('an attempt that ended leaves no previous worker', async () => {
        await one()
        await finish(await claimOne(), { state: 'pending', inMs: 0, reason: 'no' })
        expect(await claimOne()).toMatchObject({ attempt: 2, previousWorker: undefined })
      })

      test('a lease that no one took yet but has been taken back no longer counts', async () => {
        await one({ task_id: 't' })
        await one({ task_id: 't' })
        const lost = await claimOne()
        clock.advance(LEASE_MS)
        await claim({ limit: 0 })
        expect(await finish(lost)).toBe(false)
        expect(await claimOne()).toMatchObject({ message_id: lost.message_id, attempt: 2 })
      })

      test('a renewed lease lasts from its renewal', async () => {
        await one()
        const held = await claimOne()
        clock.advance(LEASE_MS - 1)
        expect(await renew(held)).toBe(true)
        clock.advance(LEASE_MS - 1)
        expect((await claim()).claimed).toEqual([])
        expect(await finish(held)).toBe(true)
      })

      test('a claim that is given back was not made, and keeps who had it before', async () => {
        await one()
        await claimOne({ worker: 'dead-1' })
        clock.advance(LEASE_MS)
        const held = await claimOne({ worker: 'w2' })
        expect(await wokenBy(() => release(held))).toEqual([INBOX_TOPIC])
        expect(await release(held)).toBe(false)
        expect(await claimOne()).toMatchObject({ attempt: 2, previousWorker: 'dead-1' })
      })
    })

    describe('the position of a task', () => {
      const applied = async (status: string | undefined, at: number | undefined) => {
        const event_at = at === undefined ? undefined : T0 + at
        await one({ task_id: 't', status, event_at })
        await finish(await claimOne())
        return position('t')
      }
      const at = (ms: number, status: string, isFinal = false) => ({
        event_at: T0 + ms,
        status,
        isFinal,
      })

      test('R6: it moves with what was applied, and never to what is older', async () => {
        expect(await position('t')).toBeUndefined()
        expect(await applied('submitted', 5)).toEqual(at(5, 'submitted'))
        expect(await applied('working', 9)).toEqual(at(9, 'working'))
        expect(await applied('input-required', 8)).toEqual(at(9, 'working'))
        expect(await applied('input-required', 9)).toEqual(at(9, 'input-required'))
        expect(await position('t', 'other')).toBeUndefined()
      })

      test.each(['completed', 'failed', 'canceled', 'rejected'])(
        'R6: nothing follows %s',
        async (status) => {
          expect(await applied(status, 5)).toEqual(at(5, status, true))
          expect(await applied('working', 9)).toEqual(at(5, status, true))
          expect(await applied('completed', 9)).toEqual(at(5, status, true))
        },
      )

      test('a status without a time moves it and leaves the time as it is', async () => {
        expect(await applied('working', undefined)).toEqual({
          event_at: 0,
          status: 'working',
          isFinal: false,
        })
        await applied('working', 5)
        expect(await applied('completed', undefined)).toEqual(at(5, 'completed', true))
      })

      test('only what was applied moves it', async () => {
        await applied('working', 5)
        for (const state of ['stale', 'dead'] as const) {
          await one({ task_id: 't', status: 'completed', event_at: T0 + 9 })
          await finish(await claimOne(), { state, reason: 'no' })
        }
        expect(await applied(undefined, 9)).toEqual(at(5, 'working'))
      })

      test('R1: mark and position are undone with the effect they belong to', async () => {
        await one({ task_id: 't' })
        const claimed = await claimOne()
        const undone = database().transact(async (tx) => {
          expect(await inbox().finish(tx, claimed, { state: 'applied' })).toBe(true)
          expect(await inbox().position(tx, claimed.sender, 't')).toBeDefined()
          throw new Error('undo')
        })
        await expect(undone).rejects.toThrow('undo')
        expect(await position('t')).toBeUndefined()
        expect(await finish(claimed)).toBe(true)
      })
    })
  },
  { clock },
)
