import { expect, test } from 'vitest'
import { createA2aTaskStore, createPushRegistrationStore } from '../../src/storage/stores/a2a.ts'
import { A2A_TTL_MS } from '../../src/transports/a2a/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
let count = 0
const task = (over = {}) => ({
  taskId: `task-${++count}`,
  owner: 'prn_a',
  contextId: 'c-1',
  skill: 'build_creative',
  state: 'working' as const,
  body: undefined,
  ...over,
})

onBothStores(
  'the store of A2A tasks',
  (database) => {
    const store = () => createA2aTaskStore(database(), clock)
    const add = async (over = {}) => {
      const made = task(over)
      await database().transact((tx) => store().add(tx, made, A2A_TTL_MS))
      return made
    }
    const settle = (key: { owner: string; taskId: string }, state: 'completed' | 'canceled') =>
      database().transact((tx) => store().settle(tx, key, { state, body: `{"s":"${state}"}` }))

    test('a task is found by its owner alone', async () => {
      const { taskId } = await add()
      expect(await store().get('prn_a', taskId)).toMatchObject({ taskId, state: 'working' })
      expect((await store().get('prn_a', taskId))?.body).toBeUndefined()
      expect(await store().get('prn_b', taskId)).toBeUndefined()
      expect(await store().get('prn_a', 'task-none')).toBeUndefined()
    })

    test('a running task is settled once, by whoever comes first', async () => {
      const made = await add()
      const outcomes = await Promise.all([
        settle(made, 'completed'),
        settle(made, 'canceled'),
        settle(made, 'completed'),
      ])
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await settle(made, 'canceled')).toBe(false)
    })

    test('a task of somebody else is not settled', async () => {
      const made = await add()
      expect(await settle({ ...made, owner: 'prn_b' }, 'canceled')).toBe(false)
      expect((await store().get('prn_a', made.taskId))?.state).toBe('working')
    })

    test('what was accepted for later is concluded, and what runs or has ended is not', async () => {
      const conclude = (key: { owner: string; taskId: string }) =>
        database().transact((tx) => store().conclude(tx, key, { state: 'canceled', body: '{}' }))
      const accepted = await add({ state: 'submitted', body: '{"task_id":"t"}' })
      expect(await conclude(accepted)).toBe(true)
      expect(await conclude(accepted)).toBe(false)
      expect(await conclude(await add())).toBe(false)
      expect(await conclude(await add({ state: 'completed', body: '{}' }))).toBe(false)
    })

    test('a task is forgotten after its time, also before it is swept', async () => {
      const { taskId } = await add()
      clock.advance(A2A_TTL_MS - 1)
      expect(await store().get('prn_a', taskId)).toBeDefined()
      clock.advance(1)
      expect(await store().get('prn_a', taskId)).toBeUndefined()
      expect(await database().transact((tx) => store().sweep(tx))).toBeGreaterThan(0)
      expect(await database().transact((tx) => store().sweep(tx))).toBe(0)
    })
  },
  { clock },
)

onBothStores(
  'the store of A2A push registrations',
  (database) => {
    const store = () => createPushRegistrationStore(database(), clock)
    const limits = { most: 3, ttlMs: A2A_TTL_MS }
    const registration = (over = {}) => ({
      owner: 'prn_a',
      taskId: 't-1',
      configId: 'one',
      url: 'https://buyer.example/hook',
      scheme: 'Bearer',
      secrets: '{"token":"s"}',
      ...over,
    })
    const put = (over = {}) =>
      database().transact((tx) => store().put(tx, registration(over), limits))

    test('a registration is listed for its owner and task, the oldest first', async () => {
      await put()
      clock.advance(1)
      await put({ configId: 'another', scheme: undefined, secrets: undefined })
      await put({ owner: 'prn_b' })
      await put({ taskId: 't-2' })
      expect(await store().list('prn_a', 't-1')).toEqual([
        registration(),
        registration({ configId: 'another', scheme: undefined, secrets: undefined }),
      ])
      expect(await store().list('prn_c', 't-1')).toEqual([])
    })

    test('putting it again replaces it', async () => {
      await put({ taskId: 't-3' })
      await put({ taskId: 't-3', url: 'https://buyer.example/other', secrets: undefined })
      expect(await store().list('prn_a', 't-3')).toEqual([
        registration({ taskId: 't-3', url: 'https://buyer.example/other', secrets: undefined }),
      ])
    })

    test('a task has only so many, and one that it has may still be replaced', async () => {
      for (const configId of ['a', 'b', 'c']) {
        expect(await put({ taskId: 't-4', configId })).toBe('kept')
      }
      expect(await put({ taskId: 't-4', configId: 'd' })).toBe('full')
      expect(await put({ taskId: 't-4', configId: 'a' })).toBe('kept')
      expect(await store().list('prn_a', 't-4')).toHaveLength(3)
    })

    test('deleting says whether there was one', async () => {
      await put({ taskId: 't-5' })
      const remove = (over = {}) =>
        database().transact((tx) => store().delete(tx, registration({ taskId: 't-5', ...over })))
      expect(await remove({ owner: 'prn_b' })).toBe(false)
      expect(await remove()).toBe(true)
      expect(await remove()).toBe(false)
    })

    test('registrations are forgotten after a day', async () => {
      await put({ taskId: 't-6' })
      clock.advance(A2A_TTL_MS)
      expect(await store().list('prn_a', 't-6')).toEqual([])
      expect(await database().transact((tx) => store().sweep(tx))).toBeGreaterThan(0)
    })
  },
  { clock },
)
