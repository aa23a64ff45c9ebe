import { expect, test } from 'vitest'
import { createA2aTaskStore } from '../../src/storage/stores/tasks/a2a.ts'
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

    test('a running task is settled once, by the first call', async () => {
      const made = await add()
      const outcomes = await Promise.all([
        settle(made, 'completed'),
        settle(made, 'canceled'),
        settle(made, 'completed'),
      ])
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await settle(made, 'canceled')).toBe(false)
    })

    test('a task of someone else is not settled', async () => {
      const made = await add()
      expect(await settle({ ...made, owner: 'prn_b' }, 'canceled')).toBe(false)
      expect((await store().get('prn_a', made.taskId))?.state).toBe('working')
    })

    test('what is kept for a principal is counted, in tasks and in bytes', async () => {
      expect(await store().kept('prn_counted')).toEqual({ tasks: 0, bytes: 0 })
      const running = await add({ owner: 'prn_counted' })
      await add({ owner: 'prn_counted', state: 'completed', body: '{"é":1}' })
      await add({ owner: 'prn_other', state: 'completed', body: '{}' })
      expect(await store().kept('prn_counted')).toEqual({ tasks: 2, bytes: 8 })
      await settle(running, 'completed')
      expect(await store().kept('prn_counted')).toEqual({ tasks: 2, bytes: 8 + 17 })
      clock.advance(A2A_TTL_MS)
      expect(await store().kept('prn_counted')).toEqual({ tasks: 0, bytes: 0 })
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
