import { beforeEach, expect, test } from 'vitest'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, failure, LEASE_MS, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
const DEAD = 'https://dead.example/hook'

onBothStores(
  'the circuits of the outbox',
  (database) => {
    const on = outboxOn(database, clock)
    const { add, claim, claimOne, deliveryTo, one, operations, outbox, openCircuit, put, record } =
      on
    beforeEach(on.clear)

    const dead = async () => one(await put({ url: DEAD }))
    const statesAt = async (endpoint: string) =>
      (await operations().list({ endpoint }))
        .map(({ state }) => state)
        .filter((s) => s !== 'exhausted')

    test('S8: an open circuit holds what is due to its endpoint, and no other', async () => {
      await openCircuit(DEAD)
      await dead()
      await one()
      const { claimed, nextDueAt } = await claim()
      expect(claimed.map(({ channel }) => channel.endpoint)).toEqual(['https://buyer.example/hook'])
      expect(nextDueAt).toBe(clock.now() + 60_000)
      expect(await statesAt(DEAD)).toEqual(['held'])
      expect(await outbox().stats()).toMatchObject({
        waiting: { pending: 0, leased: 1, held: 1 },
        openCircuits: 1,
        limbo: 0,
      })
    })

    test('spec 6.4: one owner’s circuit holds nothing of another’s at the same address', async () => {
      await openCircuit(DEAD, 'prn_a')
      await one(await put({ url: DEAD, owner: 'prn_a' }))
      await one(await put({ url: DEAD, owner: 'prn_b' }))
      const { claimed } = await claim()
      expect(claimed.map(({ channel }) => channel.owner)).toEqual(['prn_b'])
      await record(...claimed.map((each) => success(each)))
      expect((await operations().list({ state: 'held' })).map(({ owner }) => owner)).toEqual([
        'prn_a',
      ])
      expect(await outbox().stats()).toMatchObject({ openCircuits: 1, limbo: 0 })
      // And what opens one leaves the other as it is.
      await openCircuit(DEAD, 'prn_b')
      expect((await outbox().stats()).openCircuits).toBe(2)
    })

    test('the probes of an owner with many dead endpoints do not keep another’s waiting', async () => {
      for (let index = 0; index < 12; index++) await openCircuit(`https://d${index}.example/`)
      for (let index = 0; index < 12; index++) {
        await one(await put({ url: `https://d${index}.example/` }))
      }
      await claim()
      clock.advance(1_000)
      await openCircuit(DEAD, 'prn_b')
      await one(await put({ url: DEAD, owner: 'prn_b' }))
      clock.advance(60_000)
      const { claimed } = await claim({ limit: 8 })
      expect(claimed.map(({ channel }) => channel.owner).sort()).toEqual(['prn_a', 'prn_b'])
    })

    test('more owners than one look takes are all probed in the end', async () => {
      const owners = Array.from({ length: 34 }, (_, n) => `prn_${String(n).padStart(2, '0')}`)
      for (const owner of owners) await openCircuit(DEAD, owner)
      for (const owner of owners) await one(await put({ url: DEAD, owner }))
      await claim()
      clock.advance(60_000)
      const probed = new Set<string>()
      for (let round = 0; round < 6; round++) {
        const { claimed } = await claim({ limit: 40 })
        for (const { channel } of claimed) probed.add(channel.owner)
      }
      expect(probed.size).toBe(34)
    })

    test('a probe that was given back is made again when it is due, not when its lease would end', async () => {
      await openCircuit(DEAD)
      await dead()
      clock.advance(60_000)
      const { delivery_id, attempt } = await claimOne()
      await database().transact((tx) =>
        outbox().giveBack(tx, [{ delivery_id, attempt, inMs: 500 }]),
      )
      clock.advance(499)
      expect((await claim()).claimed).toEqual([])
      clock.advance(1)
      expect(await claimOne()).toMatchObject({ delivery_id, attempt: 1 })
    })

    test('four failures and a success leave the circuit closed and nothing behind', async () => {
      for (const says of ['down', 'down', 'down', 'down', 'up'] as const) {
        await dead()
        await record(success(await claimOne(), { says }))
      }
      expect(await database().read.all('SELECT * FROM webhook_circuits')).toEqual([])
      await dead()
      expect((await claim()).claimed).toHaveLength(1)
    })

    test('five failures in one batch open it as five in turn do', async () => {
      for (let index = 0; index < 5; index++) await dead()
      const { claimed } = await claim()
      await record(...claimed.map((each) => failure(each, { next: { state: 'pending', inMs: 0 } })))
      expect((await claim()).claimed).toEqual([])
      expect(await statesAt(DEAD)).toEqual(['held', 'held', 'held', 'held', 'held'])
    })

    test('after a minute one delivery is the probe, the one that is due longest', async () => {
      await openCircuit(DEAD)
      await dead()
      clock.advance(1)
      await dead()
      await claim()
      clock.advance(60_000)
      const probe = await claimOne()
      const [second, first] = await operations().list({ endpoint: DEAD, limit: 2 })
      expect(probe.delivery_id).toBe(first?.delivery_id)
      expect(second?.state).toBe('held')
      expect((await claim()).claimed).toEqual([])
    })

    test('a probe that fails holds the endpoint for another minute', async () => {
      await openCircuit(DEAD)
      await dead()
      clock.advance(60_000)
      const probe = await claimOne()
      await record(failure(probe))
      clock.advance(59_999)
      expect((await claim()).claimed).toEqual([])
      clock.advance(1)
      expect((await claimOne()).attempt).toBe(2)
    })

    test('a probe whose sender died is made again when its lease has ended', async () => {
      await openCircuit(DEAD)
      await dead()
      clock.advance(60_000)
      await claimOne()
      clock.advance(LEASE_MS)
      expect((await claimOne()).attempt).toBe(2)
    })

    test('two probes that succeed close it, and everything that was held goes out', async () => {
      await openCircuit(DEAD)
      for (let index = 0; index < 5; index++) await dead()
      clock.advance(60_000)
      await record(success(await claimOne()))
      await record(success(await claimOne()))
      expect((await claim()).claimed).toHaveLength(3)
      expect(await database().read.all('SELECT * FROM webhook_circuits')).toEqual([])
      expect((await outbox().stats()).limbo).toBe(0)
    })

    test('a long backlog is released in steps, loses no one, and keeps its order', async () => {
      await openCircuit(DEAD)
      const channel = await put({ url: DEAD })
      await add(...Array.from({ length: 520 }, () => deliveryTo(channel)))
      for (let round = 0; round < 4; round++) await claim()
      expect((await outbox().stats()).waiting.held).toBe(520)
      clock.advance(60_000)
      await record(success(await claimOne()))
      await record(success(await claimOne()))
      const first = await claimOne()
      const between = await outbox().stats()
      expect(between.waiting.held).toBeGreaterThan(0)
      expect(between.limbo).toBe(0)
      // It fails once meanwhile, which must not keep the rest.
      await record(failure(first, { next: { state: 'exhausted', reason: 'no' } }))
      const order: number[] = []
      for (;;) {
        const { claimed } = await claim()
        if (claimed.length === 0) break
        order.push(...claimed.map(({ delivery_id }) => delivery_id))
        await record(...claimed.map((each) => success(each)))
      }
      expect(order).toHaveLength(517)
      expect(order).toEqual([...order].sort((a, b) => a - b))
      expect((await outbox().stats()).waiting).toEqual({ pending: 0, leased: 0, held: 0 })
    })

    test('an attempt from before it opened is waited for, and its success counts', async () => {
      await one(await put({ url: DEAD }))
      const slow = await claimOne({ leaseMs: 10 * 60_000 })
      await openCircuit(DEAD)
      await dead()
      clock.advance(60_000)
      expect((await claim()).claimed).toEqual([])
      await record(success(slow))
      await record(success(await claimOne()))
      expect((await outbox().stats()).openCircuits).toBe(0)
    })

    test('an open circuit that nothing waits for is not checked again until something comes', async () => {
      await openCircuit(DEAD)
      clock.advance(60_000)
      expect((await claim()).nextDueAt).toBeUndefined()
      clock.advance(3_600_000)
      await dead()
      // The first to come is the probe, at once.
      expect((await claimOne()).channel.endpoint).toBe(DEAD)
      await dead()
      expect((await claim()).claimed).toEqual([])
    })

    test('probes take at most a quarter of a claim', async () => {
      for (let index = 0; index < 6; index++) await openCircuit(`https://d${index}.example/`)
      for (let index = 0; index < 6; index++) {
        await one(await put({ url: `https://d${index}.example/` }))
      }
      clock.advance(60_000)
      await one()
      const { claimed } = await claim({ limit: 8 })
      expect(claimed).toHaveLength(3)
      expect(claimed.at(-1)?.channel.endpoint).toBe('https://buyer.example/hook')
    })

    test('F18: a held delivery whose channel is replaced goes to the new endpoint at once', async () => {
      await openCircuit(DEAD)
      const channel = await put({ url: DEAD, subject: 'task:move' })
      await one(channel)
      await claim()
      await put({ url: 'https://alive.example/', subject: 'task:move' })
      expect((await claimOne()).channel.endpoint).toBe('https://alive.example/')
    })

    test('a delivery that is replaced towards an open endpoint is held there', async () => {
      await openCircuit(DEAD)
      await one(await put({ url: 'https://alive.example/', subject: 'task:worse' }))
      await put({ url: DEAD, subject: 'task:worse' })
      expect((await claim()).claimed).toEqual([])
      expect(await statesAt(DEAD)).toEqual(['held'])
    })

    test('what is held past its horizon is exhausted', async () => {
      await openCircuit(DEAD)
      await dead()
      await claim()
      clock.advance(DAY_MS)
      expect(await database().transact((tx) => outbox().expire(tx))).toBe(1)
      expect(await outbox().stats()).toMatchObject({ waiting: { held: 0 } })
      // Nor is it the probe, should the claim come first.
      await openCircuit(DEAD)
      await dead()
      await claim()
      clock.advance(DAY_MS)
      expect((await claim()).claimed).toEqual([])
    })

    test('S1: what no circuit holds any more counts as limbo, and is freed', async () => {
      await openCircuit(DEAD)
      await dead()
      await dead()
      await claim()
      await database().transact((tx) => tx.run('DELETE FROM webhook_circuits'))
      expect((await outbox().stats()).limbo).toBe(2)
      await database().transact((tx) => outbox().expire(tx))
      expect((await outbox().stats()).limbo).toBe(0)
      expect((await claim()).claimed).toHaveLength(2)
    })

    test('a circuit that no one needs is forgotten after a day', async () => {
      await dead()
      await record(failure(await claimOne(), { next: { state: 'exhausted', reason: 'no' } }))
      const circuits = () => database().read.all('SELECT lane FROM webhook_circuits')
      await database().transact((tx) => outbox().expire(tx))
      expect(await circuits()).toHaveLength(1)
      clock.advance(DAY_MS)
      await database().transact((tx) => outbox().expire(tx))
      expect(await circuits()).toEqual([])
    })
  },
  { clock },
)
