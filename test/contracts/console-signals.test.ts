import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Activation } from '../../src/signals/activation-state.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import { createConsoleQueries } from '../../src/storage/stores/console/queries.ts'
import { createSignalQueries } from '../../src/storage/stores/console/signals.ts'
import { createActivationStore } from '../../src/storage/stores/signals/activations.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { catalogueSignal } from '../support/catalogue.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'what the console asks about signals',
  (database) => {
    const queries = () => createSignalQueries(database())
    const activations = () => createActivationStore(database())
    const signals = () => createSignalStore(database(), { embeddedText })
    beforeEach(async () => {
      for (const table of ['signal_activations', 'signals']) {
        await database().transact((tx) => tx.run(`DELETE FROM ${table}`))
      }
    })

    const put = async (principal_id: string, id: string, state: Activation['state']) => {
      clock.advance(1)
      const place = { principal_id, signal_agent_segment_id: id }
      const target = { type: 'platform' as const, platform: 'dsp' }
      await database().transact(async (tx) => {
        const [locked] = await activations().lock(tx, place, [target])
        if (!locked || state === 'none') return
        const task_id = `task-${randomUUID()}`
        await activations().save(tx, { ...locked, state, task_id, changed_at: clock.now() })
      })
    }

    test('the activations of a signal are everyone’s, the latest first, without those never begun', async () => {
      await put('prn_a', 'one', 'live')
      await put('prn_b', 'one', 'failed')
      await put('prn_c', 'one', 'none')
      await put('prn_a', 'two', 'live')
      const found = await queries().activationsOf('one', 10)
      expect(found.map(({ principal_id, state }) => [principal_id, state])).toEqual([
        ['prn_b', 'failed'],
        ['prn_a', 'live'],
      ])
      expect(await queries().activationsOf('one', 1)).toHaveLength(1)
      expect(await queries().activationsOf('o\0ne', 10)).toEqual([])
      const each = await queries().activationsOfEach(['none', 'one', 'o\0ne'], 10)
      expect([...each]).toEqual([
        ['none', []],
        ['one', found],
        ['o\0ne', []],
      ])
      expect((await queries().activationsOfEach(['one'], 1)).get('one')).toEqual(found.slice(0, 1))
    })

    test('signals in a state come once each, by id, in pages, of all principals or one', async () => {
      for (const id of ['c', 'a', 'b']) {
        await put('prn_a', id, 'live')
        await put('prn_b', id, 'live')
      }
      await put('prn_b', 'd', 'live')
      await put('prn_a', 'e', 'activating')
      const ids = (over: object) => queries().idsInState({ state: 'live', limit: 10, ...over })
      expect(await ids({})).toEqual(['a', 'b', 'c', 'd'])
      expect(await ids({ limit: 2 })).toEqual(['a', 'b'])
      expect(await ids({ after: 'b', limit: 2 })).toEqual(['c', 'd'])
      expect(await ids({ principal_id: 'prn_a' })).toEqual(['a', 'b', 'c'])
      expect(await ids({ state: 'activating' })).toEqual(['e'])
      expect(await ids({ principal_id: '\0' })).toEqual([])
      expect(await ids({ after: '\0' })).toEqual([])
    })

    test('each provider is named once, as many as are wanted', async () => {
      expect(await queries().providers(5)).toEqual([])
      const named = ['Beta', 'Alpha', 'Beta', 'Gamma'].map((data_provider, n) =>
        catalogueSignal({ signal_agent_segment_id: `s-${n}`, data_provider }),
      )
      await database().transact((tx) => signals().put(tx, named))
      expect(await queries().providers(5)).toEqual(['Alpha', 'Beta', 'Gamma'])
      expect(await queries().providers(2)).toEqual(['Alpha', 'Beta'])
    })

    test('the catalogue is listed by id, in pages, by type and provider', async () => {
      const made = [
        ...['a', 'b', 'c'].map((id) => catalogueSignal({ signal_agent_segment_id: id })),
        catalogueSignal({ signal_agent_segment_id: 'd', signal_type: 'owned' }),
        catalogueSignal({ signal_agent_segment_id: 'e', data_provider: 'Beta' }),
      ]
      await database().transact((tx) => signals().put(tx, made))
      const ids = async (over: object) =>
        (await queries().catalogue({ limit: 9, ...over })).map(
          ({ signal }) => signal.signal_agent_segment_id,
        )
      expect(await ids({})).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(await ids({ limit: 2, after: 'b' })).toEqual(['c', 'd'])
      expect(await ids({ signal_type: 'owned' })).toEqual(['d'])
      expect(await ids({ data_provider: 'Beta' })).toEqual(['e'])
      expect(await ids({ data_provider: 'Beta', signal_type: 'owned' })).toEqual([])
      expect(await ids({ data_provider: '\0' })).toEqual([])
    })

    test('tasks whose ids were never returned cannot be viewed', async () => {
      expect(await queries().reportedTasks([])).toEqual(new Set())
      expect(await queries().reportedTasks(['none', 'n\0ne'])).toEqual(new Set())
    })

    test('a change of the catalogue and of an activation changes the topic signals alone', async () => {
      const look = () => createConsoleQueries(database()).fingerprints()
      const before = await look()
      await database().transact((tx) => signals().put(tx, [catalogueSignal()]))
      const changed = await look()
      await put('prn_a', 'one', 'live')
      const activated = await look()
      expect(changed.signals).not.toBe(before.signals)
      expect(activated.signals).not.toBe(changed.signals)
      expect({ ...activated, signals: '' }).toEqual({ ...before, signals: '' })
    })
  },
  { clock },
)
