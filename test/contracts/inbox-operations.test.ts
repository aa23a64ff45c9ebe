import { beforeEach, expect, test } from 'vitest'
import { createInboxOperations } from '../../src/storage/stores/inbox/dead.ts'
import type { MessageFilter } from '../../src/webhooks/receiver/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, inboxOn, LEASE_MS, newMessage } from '../support/inbox-contract.ts'

const clock = fakeClock()
const SENDER = 'https://seller.example'

onBothStores(
  'an operator’s hand on the inbox',
  (database) => {
    const on = inboxOn(database, clock)
    const { accept, applyAll, claim, claimOne, clear, counters, finish, one, sweep } = on
    beforeEach(clear)

    const operations = () => createInboxOperations(database())
    const retry = (id: number) => database().transact((tx) => operations().retry(tx, id))
    const drop = (id: number) => database().transact((tx) => operations().drop(tx, id, 'no\0need'))
    const keysOf = async (filter: MessageFilter) =>
      (await operations().list(filter)).map((each) => each.idempotency_key)

    /** A message whose handler failed for the last time. */
    async function dead(over: Parameters<typeof newMessage>[0] = {}) {
      await one(over)
      const message = await claimOne({ limit: 1 })
      await finish(message, { state: 'dead', reason: 'no' })
      return message
    }

    test('messages are listed newest first, by sender, task, state and time', async () => {
      await dead({ idempotency_key: 'a', sender: 's', task_id: 't' })
      clock.advance(1_000)
      await one({ idempotency_key: 'b', sender: 's' })
      await one({ idempotency_key: 'c', task_id: 't' })
      expect(await keysOf({})).toEqual(['c', 'b', 'a'])
      expect(await keysOf({ sender: 's' })).toEqual(['b', 'a'])
      expect(await keysOf({ task_id: 't' })).toEqual(['c', 'a'])
      expect(await keysOf({ state: 'dead' })).toEqual(['a'])
      expect(await keysOf({ state: 'pending', sender: 's' })).toEqual(['b'])
      expect(await keysOf({ since: clock.now() })).toEqual(['c', 'b'])
      expect(await keysOf({ since: clock.now() - 1_000, limit: 1 })).toEqual(['c'])
      const [, second] = await operations().list({})
      expect(await keysOf({ before: second?.message_id ?? 0 })).toEqual(['a'])
    })

    test('one is returned with its body', async () => {
      const body = Buffer.from('{"status":"failed"}')
      const { message_id } = await dead({ idempotency_key: 'a', operation_id: undefined, body })
      const returned = await operations().show(message_id)
      expect(returned).toMatchObject({
        message_id,
        sender: SENDER,
        idempotency_key: 'a',
        state: 'dead',
        reason: 'no',
        attempts: 1,
        operation_id: undefined,
        due_at: clock.now(),
        ended_at: clock.now(),
      })
      expect(Buffer.from(returned?.body ?? []).equals(body)).toBe(true)
      expect(await operations().show(message_id + 1)).toBeUndefined()
    })

    test('a dead one that is retried has all its attempts before it', async () => {
      const body = Buffer.from('{"status":"completed"}')
      const sent = newMessage({ idempotency_key: 'a', task_id: 't', status: 'completed', body })
      await accept([sent])
      let last = await claimOne()
      for (let attempt = 1; attempt < 20; attempt++) {
        await finish(last, { state: 'pending', inMs: 0, reason: 'no' })
        last = await claimOne()
      }
      expect(last.attempt).toBe(20)
      await finish(last, { state: 'dead', reason: 'no' })
      const receivedAt = clock.now()
      clock.advance(5_000)

      const copy = await retry(last.message_id)
      expect(copy).not.toBe(last.message_id)
      const again = await claimOne()
      expect(again).toEqual({
        ...sent,
        body: again.body,
        message_id: copy,
        attempt: 1,
        previousWorker: undefined,
        received_at: receivedAt,
      })
      expect(Buffer.from(again.body).equals(body)).toBe(true)
      expect(await finish(again)).toBe(true)
      expect(await on.position('t')).toMatchObject({ status: 'completed', isFinal: true })
      expect(await keysOf({})).toEqual(['a'])
    })

    test('what is still said of the attempts before a retry is too late', async () => {
      await one()
      const lost = await claimOne()
      clock.advance(LEASE_MS)
      const last = await claimOne()
      await finish(last, { state: 'dead', reason: 'no' })
      await retry(last.message_id)
      const again = await claimOne()
      // The same count as the claim that was lost, and yet another token.
      expect(again.attempt).toBe(lost.attempt)
      expect(await finish(lost)).toBe(false)
      expect(await on.renew(lost)).toBe(false)
      expect(await finish(again)).toBe(true)
    })

    test('only a dead one is retried, once, and workers are woken', async () => {
      await one({ idempotency_key: 'waiting' })
      const [waiting] = await operations().list({})
      expect(await retry(waiting?.message_id ?? 0)).toBeUndefined()
      const message = await claimOne()
      expect(await retry(message.message_id)).toBeUndefined()
      await finish(message)
      expect(await retry(message.message_id)).toBeUndefined()
      expect(await retry(9_999_999)).toBeUndefined()

      const { message_id } = await dead()
      let isWoken = false
      const stop = database().onWake('inbox', () => {
        isWoken = true
      })
      expect(await retry(message_id)).toBeGreaterThan(message_id)
      stop()
      expect(isWoken).toBe(true)
      expect(await retry(message_id)).toBeUndefined()
    })

    test('its key stays known, and counts once, whatever happens at the same time', async () => {
      const sent = newMessage()
      const { message_id } = await dead(sent)
      const [answers] = await Promise.all([
        accept(Array.from({ length: 5 }, () => sent)),
        retry(message_id),
      ])
      expect(answers).toEqual(Array(5).fill('duplicate'))
      expect(await counters()).toMatchObject([{ sender: SENDER, kept: 1, rows: 1 }])
      await applyAll()
      clock.advance(DAY_MS)
      while ((await sweep()) > 0);
      expect(await counters()).toEqual([])
    })

    test('two who retry one message make one of it', async () => {
      const { message_id } = await dead()
      const made = await Promise.all([retry(message_id), retry(message_id)])
      expect(made.filter((id) => id !== undefined)).toHaveLength(1)
      expect((await claim()).claimed).toHaveLength(1)
    })

    test('one that is dropped is ignored, and its key is known as long as ever', async () => {
      const sent = newMessage()
      const { message_id } = await dead(sent)
      expect(await drop(message_id)).toBe(true)
      expect(await operations().show(message_id)).toMatchObject({
        state: 'stale',
        reason: 'no\ufffdneed',
      })
      expect(await drop(message_id)).toBe(false)
      expect(await retry(message_id)).toBeUndefined()
      expect(await accept([sent])).toEqual(['duplicate'])
      expect((await claim()).claimed).toEqual([])
    })

    test('one that waits can be dropped, and one that is being applied cannot', async () => {
      await one()
      const message = await claimOne()
      expect(await drop(message.message_id)).toBe(false)
      await finish(message, { state: 'pending', inMs: 60_000, reason: 'no' })
      expect(await drop(message.message_id)).toBe(true)
      clock.advance(60_000)
      expect((await claim()).claimed).toEqual([])
      clock.advance(DAY_MS)
      expect(await sweep()).toBe(1)
    })
  },
  { clock },
)
