import { beforeEach, expect, test } from 'vitest'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, inboxOn, newMessage } from '../support/inbox-contract.ts'

const clock = fakeClock()

onBothStores(
  'looking into the inbox, and forgetting',
  (database) => {
    const on = inboxOn(database, clock)
    const { accept, applyAll, claim, claimOne, clear, counters, finish, inbox, one, sweep } = on
    beforeEach(clear)

    const sweepAll = async () => {
      let swept = 0
      for (let rows = 1; rows > 0; swept += rows) rows = await sweep()
      return swept
    }

    test('messages are listed newest first, by sender, task and state', async () => {
      await one({ idempotency_key: 'a', sender: 's', task_id: 't', operation_id: undefined })
      await one({ idempotency_key: 'b', sender: 's' })
      await one({ idempotency_key: 'c', task_id: 't' })
      const listed = async (filter: Parameters<ReturnType<typeof inbox>['list']>[0]) =>
        (await inbox().list(filter)).map((each) => each.idempotency_key)
      expect(await listed({})).toEqual(['c', 'b', 'a'])
      expect(await listed({ sender: 's' })).toEqual(['b', 'a'])
      expect(await listed({ task_id: 't' })).toEqual(['c', 'a'])
      expect(await listed({ task_id: 't', sender: 's' })).toEqual(['a'])
      expect(await listed({ limit: 2 })).toEqual(['c', 'b'])
      const [, second] = await inbox().list({})
      expect(await listed({ before: second?.message_id ?? 0 })).toEqual(['a'])
      await finish(await claimOne({ limit: 1 }), { state: 'dead', reason: 'too\0often' })
      expect(await listed({ state: 'dead' })).toEqual(['a'])
      expect(await listed({ state: 'pending' })).toEqual(['c', 'b'])
      expect((await inbox().list({ state: 'dead' }))[0]).toEqual({
        message_id: expect.any(Number),
        sender: 's',
        idempotency_key: 'a',
        route: 'main',
        family: 'task',
        task_id: 't',
        operation_id: undefined,
        status: 'working',
        event_at: Date.UTC(2026, 0, 1),
        state: 'dead',
        reason: 'too\ufffdoften',
        attempts: 1,
        received_at: clock.now(),
        ended_at: clock.now(),
      })
    })

    test('what was applied for an operation comes in the order it was applied', async () => {
      await one({ operation_id: 'op', idempotency_key: 'a', body: Buffer.from('A') })
      await one({ operation_id: 'op', idempotency_key: 'b' })
      await one({ operation_id: 'op', idempotency_key: 'c' })
      await one({ operation_id: 'op', idempotency_key: 'd' })
      await one({ operation_id: 'other', idempotency_key: 'e' })
      const [a, b, c, , e] = (await claim()).claimed
      if (!a || !b || !c || !e) throw new Error('five were claimed')
      await finish(b)
      await finish(c, { state: 'stale', reason: 'old' })
      await finish(e)
      clock.advance(1)
      await finish(a)
      const found = await inbox().ofOperation('op')
      expect(found.map((each) => each.idempotency_key)).toEqual(['b', 'a'])
      expect(Buffer.from(found[1]?.body ?? []).toString()).toBe('A')
    })

    test('operations that begin alike are kept apart', async () => {
      const long = 'o'.repeat(300)
      await one({ operation_id: `${long}1` })
      await one({ operation_id: `${long}2` })
      await applyAll()
      expect(await inbox().ofOperation(`${long}1`)).toHaveLength(1)
      expect(await inbox().ofOperation(long)).toEqual([])
    })

    test('a dead one can be tried again, and nothing else can', async () => {
      await one()
      const claimed = await claimOne()
      expect(await on.retry(claimed.message_id)).toBe(false)
      await finish(claimed, { state: 'dead', reason: 'no' })
      expect(await on.retry(claimed.message_id)).toBe(true)
      expect(await on.retry(claimed.message_id)).toBe(false)
      // No token twice: the first attempt is still too late.
      const again = await claimOne()
      expect(again).toMatchObject({ attempt: 2, previousWorker: undefined })
      expect(await finish(claimed)).toBe(false)
      expect(await finish(again)).toBe(true)
      expect(await on.retry(claimed.message_id)).toBe(false)
    })

    test('the statistics report what waits, and for how long', async () => {
      const none = { waiting: { pending: 0, leased: 0, dead: 0 }, oldestDueMs: 0 }
      expect(await inbox().stats()).toEqual(none)
      await accept([newMessage(), newMessage(), newMessage({ task_id: undefined })])
      await claimOne({ limit: 1 })
      await finish(await claimOne({ limit: 1 }), { state: 'dead', reason: 'no' })
      clock.advance(1_234)
      expect(await inbox().stats()).toEqual({
        waiting: { pending: 1, leased: 1, dead: 1 },
        oldestDueMs: 1_234,
      })
    })

    test('spec 6.4: a key is kept for its time, and forgotten after it once it has ended', async () => {
      await accept([newMessage(), newMessage(), newMessage()])
      const [a, b] = (await claim()).claimed
      if (!a || !b) throw new Error('three were claimed')
      await finish(a, { state: 'stale', reason: 'old' })
      await finish(b, { state: 'dead', reason: 'no' })
      clock.advance(DAY_MS - 1)
      expect(await sweepAll()).toBe(0)
      clock.advance(1)
      expect(await sweepAll()).toBe(2)
      expect(await counters()).toMatchObject([{ kept: 1, rows: 1 }])
      await applyAll()
      expect(await sweepAll()).toBe(1)
      expect(await counters()).toEqual([])
    })

    test('a sweep goes in bounded steps through all senders', async () => {
      const from = (sender: string, length: number) =>
        Array.from({ length }, () => newMessage({ sender, task_id: undefined }))
      await accept([...from('a', 1_500), ...from('b', 20)], { maxPerSender: 5_000 })
      await applyAll()
      clock.advance(DAY_MS)
      expect(await sweep()).toBe(1_000)
      expect(await counters()).toMatchObject([
        { sender: 'a', kept: 500, rows: 500 },
        { sender: 'b', kept: 20, rows: 20 },
      ])
      expect(await sweepAll()).toBe(520)
      expect(await counters()).toEqual([])
    })

    test('a sweep that is rolled back has forgotten nothing', async () => {
      await one()
      await applyAll()
      clock.advance(DAY_MS)
      const undone = database().transact(async (tx) => {
        expect(await inbox().sweep(tx)).toBe(1)
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect(await counters()).toMatchObject([{ kept: 1, rows: 1 }])
    })

    test('how far a task has come is known for 30 days after it moved last', async () => {
      await one({ task_id: 't', status: 'completed' })
      await applyAll()
      clock.advance(30 * DAY_MS - 1)
      await sweepAll()
      expect(await on.position('t')).toMatchObject({ isFinal: true })
      clock.advance(1)
      expect(await sweepAll()).toBe(1)
      expect(await on.position('t')).toBeUndefined()
    })
  },
  { clock },
)
