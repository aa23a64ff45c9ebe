import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DeploymentTarget } from '../../src/protocol/schemas/deployment.ts'
import {
  ACTIVATION_ENDINGS,
  ACTIVATION_ORIGINS,
  type Activation,
  moveActivation,
} from '../../src/signals/activation-state.ts'
import { type Database, sqlOf } from '../../src/storage/sql/database.ts'
import { createGrantStore } from '../../src/storage/stores/principals/accounts.ts'
import { createActivationStore } from '../../src/storage/stores/signals/activations.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const SANDBOX: DeploymentTarget = { type: 'platform', platform: 'sandbox' }
const SEAT: DeploymentTarget = { type: 'platform', platform: 'sandbox', account: 's"eät' }
const SALES: DeploymentTarget = { type: 'agent', agent_url: 'https://sales.example/agent' }

onBothStores(
  'the store of activations',
  (database, _store, another) => {
    const store = (on: Database = database()) => createActivationStore(on)
    const place = () => ({
      principal_id: `prn_${randomUUID()}`,
      signal_agent_segment_id: `sig-${randomUUID()}`,
    })
    const lock = (at: ReturnType<typeof place>, targets: DeploymentTarget[]) =>
      database().transact((tx) => store().lock(tx, at, targets))
    const save = (activation: Activation) =>
      database().transact((tx) => store().save(tx, activation))
    const begun = (activation: Activation, task_id: string = randomUUID()): Activation => {
      const moved = moveActivation(activation, {
        type: 'begin',
        at: clock.now(),
        activation_id: randomUUID(),
        task_id,
      })
      if (!moved.ok) throw new Error(moved.message)
      return moved.activation
    }

    test('spec 3.3: what was never begun is locked as none, in the requested order, and not found', async () => {
      const at = place()
      const locked = await lock(at, [SEAT, SALES, SANDBOX])
      expect(locked.map(({ target }) => target)).toEqual([SEAT, SALES, SANDBOX])
      expect(locked[0]).toMatchObject({ ...at, state: 'none', changed_at: clock.now() })
      expect(await store().find(at.principal_id, [at.signal_agent_segment_id])).toEqual([])
      expect(await lock(at, [])).toEqual([])
    })

    test('what was saved is read again, by its principal and signals alone', async () => {
      const at = place()
      const [first] = await lock(at, [SEAT])
      const saved = { ...begun(first as Activation), handle: { job: ['é', null] }, eta_at: 5 }
      await save(saved)
      const find = (principal: string, ...ids: string[]) => store().find(principal, ids)
      const { principal_id, signal_agent_segment_id: id } = at
      expect(await find(principal_id, 'none', id)).toEqual([saved])
      expect(await lock(at, [SEAT])).toEqual([saved])
      expect(await find('prn_other', id)).toEqual([])
      expect(await find(principal_id, 'none', 'n\0ne')).toEqual([])
      expect(await find(principal_id)).toEqual([])
    })

    test('spec 3.3: the origin of a run and what ended it are read as they were saved', async () => {
      const at = place()
      const [first] = await lock(at, [SEAT])
      for (const origin of ACTIVATION_ORIGINS) {
        for (const ended_by of [...ACTIVATION_ENDINGS, undefined]) {
          await save({ ...begun({ ...(first as Activation), state: 'none' }), origin, ended_by })
          const [read] = await lock(at, [SEAT])
          expect([read?.origin, read?.ended_by]).toEqual([origin, ended_by])
        }
      }
    })

    test('spec 2.7: an agent’s activation is found however its URL is spelt, also one of before', async () => {
      const at = place()
      const spelt: DeploymentTarget = { ...SALES, agent_url: 'https://SALES.example:443/agent/' }
      const [first] = await lock(at, [spelt])
      const saved = begun(first as Activation)
      await save(saved)
      expect(await lock(at, [SALES])).toEqual([saved])
      const { principal_id, signal_agent_segment_id } = at
      await database().transact((tx) =>
        sqlOf(tx).run(
          `UPDATE signal_activations SET target_key = $3
           WHERE principal_id = $1 AND signal_agent_segment_id = $2`,
          [principal_id, signal_agent_segment_id, 'as it was spelt'],
        ),
      )
      expect(await lock(at, [SALES])).toEqual([saved])
      await save({ ...saved, reason: 'changed' })
      expect(await lock(at, [spelt])).toMatchObject([{ reason: 'changed' }])
    })

    test('of two who begin the same target at once, the second sees what the first did', async () => {
      const at = place()
      const second = another()
      const begin = (on: Database, task: string) =>
        on.transact(async (tx) => {
          const [found] = await store(on).lock(tx, at, [SANDBOX])
          if (found?.state !== 'none') return found?.task_id
          await store(on).save(tx, begun(found, task))
          return task
        })
      const tasks = await Promise.all([
        begin(database(), 't1'),
        begin(second, 't2'),
        begin(database(), 't3'),
        begin(second, 't4'),
      ])
      expect(new Set(tasks).size).toBe(1)
      await second.close()
    })

    test('those that a task is activating are found by it, and no others', async () => {
      const at = place()
      const task = randomUUID()
      const [one, two, three] = await lock(at, [SANDBOX, SEAT, SALES])
      const mine = begun(one as Activation, task)
      await save(mine)
      await save(begun(two as Activation))
      const ended = begun(three as Activation, task)
      await save({ ...ended, state: 'live' })
      expect(await database().transact((tx) => store().lockOfTask(tx, task))).toEqual([mine])
    })

    test('the last change of a principal is that of any of its activations', async () => {
      const at = place()
      expect(await store().lastChange(at.principal_id)).toBe(0)
      const [one, two] = await lock(at, [SANDBOX, SEAT])
      clock.advance(10)
      const later = begun(one as Activation)
      await save(later)
      await save({ ...begun(two as Activation), changed_at: 1 })
      expect(await store().lastChange(at.principal_id)).toBe(later.changed_at)
    })

    describe('what is to be taken off', () => {
      const claim = (on: Database = database()) =>
        on.transact((tx) => store(on).claimTakedowns(tx, { limit: 10, leaseMs: 1_000 }))
      const add = async (dueAt: number) => {
        const [none] = await lock(place(), [SANDBOX])
        const activation = begun(none as Activation)
        await database().transact((tx) => store().addTakedown(tx, activation, dueAt))
        return activation
      }

      test('is claimed when it is due, by one at a time, and again after its lease', async () => {
        const activation = await add(clock.now() + 100)
        expect(await claim()).toEqual([])
        clock.advance(100)
        const second = another()
        const claimed = await Promise.all([claim(), claim(second)])
        expect(claimed.flat()).toEqual([{ activation, tries: 0, lost: 1 }])
        expect(await claim()).toEqual([])
        clock.advance(1_000)
        expect(await claim(second)).toEqual([{ activation, tries: 0, lost: 2 }])
        await second.close()
        await database().transact((tx) => store().endTakedown(tx, activation.activation_id))
        clock.advance(1_000)
        expect(await claim()).toEqual([])
      })

      test('is added once, and postponed with a count', async () => {
        const activation = await add(clock.now())
        const { activation_id } = activation
        await database().transact((tx) => store().addTakedown(tx, activation, 0))
        expect(await claim()).toEqual([{ activation, tries: 0, lost: 1 }])
        await database().transact((tx) =>
          store().postponeTakedown(tx, activation_id, clock.now() + 5_000),
        )
        clock.advance(4_999)
        expect(await claim()).toEqual([])
        clock.advance(1)
        expect(await claim()).toEqual([{ activation, tries: 1, lost: 1 }])
        await database().transact((tx) => store().endTakedown(tx, activation_id))
      })
    })

    test('a claim of what is to be taken off counts as lost unless it is given back', async () => {
      const claim = (others = 10) =>
        database().transact((tx) =>
          store().claimTakedowns(tx, {
            limit: 10,
            leaseMs: 1_000,
            chooseLost: (due) => ({ lost: due.map(({ id }) => id), others }),
          }),
        )
      const [none] = await lock(place(), [SANDBOX])
      const activation = begun(none as Activation)
      const { activation_id } = activation
      await database().transact((tx) => store().addTakedown(tx, activation, clock.now()))
      expect(await claim(0)).toEqual([])
      const release = () => database().transact((tx) => store().releaseTakedown(tx, activation_id))
      expect(await claim()).toMatchObject([{ lost: 1 }])
      await release()
      expect(await claim()).toMatchObject([{ lost: 1 }])
      clock.advance(1_000)
      expect(await claim(0)).toMatchObject([{ lost: 2 }])
      await release()
      expect(await claim(0)).toMatchObject([{ lost: 2 }])
      await database().transact((tx) => store().endTakedown(tx, activation_id))
    })

    test('spec 2.7: accounts are granted once and revoked, each to its principal', async () => {
      const grants = createGrantStore(database())
      const id = `prn_${randomUUID()}`
      const change = (what: 'grant' | 'revoke', platform: string, account: string) =>
        database().transact((tx) => grants[what](tx, id, { platform, account }))
      expect(await change('grant', 'sandbox', 'b')).toBe(true)
      expect(await change('grant', 'sandbox', 'a')).toBe(true)
      expect(await change('grant', 'sandbox', 'a')).toBe(false)
      expect(await change('grant', 'https://sales.example', 'a')).toBe(true)
      expect(await grants.of(id)).toEqual([
        { platform: 'https://sales.example', account: 'a' },
        { platform: 'sandbox', account: 'a' },
        { platform: 'sandbox', account: 'b' },
      ])
      expect(await grants.of('prn_other')).toEqual([])
      expect(await change('revoke', 'sandbox', 'c')).toBe(false)
      expect(await change('revoke', 'sandbox', 'a')).toBe(true)
      expect(await grants.of(id)).toHaveLength(2)
    })
  },
  { clock },
)
