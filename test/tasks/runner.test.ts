import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StorageUnavailable } from '../../src/lib/transaction.ts'
import { ProtocolError, taskError } from '../../src/protocol/errors.ts'
import type { TaskEngineOptions } from '../../src/tasks/task-engine.ts'
import { eventually } from '../support/eventually.ts'
import {
  callBy,
  DEADLINE_MS,
  gate,
  type Harness,
  LEASE_MS,
  type PaintOutcome,
  type PaintStep,
  taskHarness,
} from './task-harness.ts'

const done = (painted = 'red'): PaintOutcome => ({ status: 'completed', result: { painted } })

describe.each(['sqlite', 'postgres'] as const)('the runner on %s', (store) => {
  let harness: Harness
  let stops: (() => Promise<void>)[] = []
  beforeEach(async () => {
    harness = await taskHarness(store)
    stops = []
  })
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()))
    await harness.close()
  })

  /** One more process that runs steps. */
  function start(
    step: (run: PaintStep) => Promise<PaintOutcome>,
    options: Partial<TaskEngineOptions> = {},
    hooks: Parameters<Harness['engine']>[3] = {},
  ) {
    const { engine, paint } = harness.engine(step, options, {}, hooks)
    engine.runner.start()
    stops.push(engine.runner.stop)
    return { engine, paint }
  }
  const statuses = () => harness.recorded.reported.map(({ status }) => status)
  const settled = (count = 1) => eventually(() => expect(harness.steps).toHaveLength(count))

  test('spec 3.2: steps follow each other with what the last one left, to the end', async () => {
    const { tasks, recorded } = harness
    const key = await harness.begin()
    const seen: unknown[] = []
    start(async ({ state, request, attempt }) => {
      seen.push([state.coats, request.colour, attempt])
      if (state.coats === 2) return { ...done(), message: 'dry' }
      const coats = state.coats + 1
      const progress = { percentage: coats * 40, current_step: `coat ${coats}`, total_steps: 3 }
      return { status: 'working', progress, state: { coats } }
    })
    await eventually(() => expect(statuses()).toEqual(['working', 'working', 'completed']))
    expect(seen).toEqual([
      [0, 'red', 1],
      [1, 'red', 1],
      [2, 'red', 1],
    ])
    expect(recorded.reported.map(({ result }) => result)).toEqual([
      { percentage: 40, current_step: 'coat 1', total_steps: 3 },
      { percentage: 80, current_step: 'coat 2', total_steps: 3 },
      { painted: 'red' },
    ])
    expect(await tasks.get(key)).toMatchObject({ message: 'dry', result: { painted: 'red' } })
  })

  test('a pause is kept, and waiting without news notifies no one', async () => {
    await harness.begin()
    start(async ({ state }) =>
      state.coats === 0 ? { status: 'wait', state: { coats: 1 }, afterMs: 60_000 } : done(),
    )
    await settled()
    harness.clock.advance(59_999)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(harness.steps).toHaveLength(1)
    harness.clock.advance(1)
    await eventually(() => expect(statuses()).toEqual(['completed']))
  })

  test('what an outcome brings along commits with the status, or not at all', async () => {
    const key = await harness.begin()
    const { database, tasks } = harness
    const place = database.schema === undefined ? '' : `${database.schema}.`
    await database.transact((tx) => tx.run(`CREATE TABLE ${place}walls (colour TEXT)`))
    const walls = () => database.read.all<{ colour: string }>('SELECT colour FROM walls')
    start(async ({ attempt }) => ({
      ...done(),
      commit: async (tx) => {
        const { run } = tx as unknown as { run(sql: string): Promise<number> }
        await run("INSERT INTO walls (colour) VALUES ('red')")
        if (attempt === 1) throw new Error('the wall fell over')
      },
    }))
    await settled()
    expect(await walls()).toEqual([])
    expect((await tasks.get(key))?.status).toBe('submitted')
    harness.clock.advance(1_000)
    await eventually(() => expect(statuses()).toEqual(['completed']))
    expect(await walls()).toEqual([{ colour: 'red' }])
  })

  test('another process takes over when one dies in a step, and the late outcome is dropped', async () => {
    const key = await harness.begin()
    const dead = gate()
    let begun = 0
    // It has one slot, taken for good, and receives nothing until it is opened.
    const renew: typeof harness.tasks.renew = async (...given) => {
      await dead.opened
      return harness.tasks.renew(...given)
    }
    start(
      async () => {
        begun += 1
        await dead.opened
        return done('by the dead')
      },
      { concurrency: 1, tasks: { ...harness.tasks, renew } },
    )
    await eventually(() => expect(begun).toBe(1))
    start(async ({ state }) => {
      expect(state).toEqual({ coats: 0 })
      return done('by the living')
    })
    harness.clock.advance(LEASE_MS - 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(statuses()).toEqual([])
    harness.clock.advance(1)
    await eventually(() => expect(statuses()).toEqual(['completed']))
    dead.open()
    await eventually(() => expect(harness.steps.map(({ outcome }) => outcome)).toContain('late'))
    expect((await harness.tasks.get(key))?.result).toEqual({ painted: 'by the living' })
    expect(statuses()).toEqual(['completed'])
  })

  test('a step keeps its lease while it runs', async () => {
    await harness.begin()
    const hold = gate()
    const calls: string[] = []
    const step = (name: string) => async () => {
      calls.push(name)
      await hold.opened
      return done()
    }
    start(step('first'), { leaseMs: 60, concurrency: 1 })
    await eventually(() => expect(calls).toEqual(['first']))
    start(step('second'), { leaseMs: 60 })
    for (let round = 0; round < 10; round++) {
      await new Promise((resolve) => setTimeout(resolve, 40))
      harness.clock.advance(40)
    }
    expect(calls).toEqual(['first'])
    hold.open()
    await eventually(() => expect(statuses()).toEqual(['completed']))
  })

  test('a step that throws is tried again after longer and longer pauses', async () => {
    await harness.begin()
    const attempts: number[] = []
    start(async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt < 3) throw new Error('the platform hung up')
      return done()
    })
    await settled(1)
    expect(harness.steps[0]).toMatchObject({ outcome: 'threw', afterMs: 1_000 })
    harness.clock.advance(1_000)
    await settled(2)
    expect(harness.steps[1]).toMatchObject({ outcome: 'threw', afterMs: 2_000 })
    harness.clock.advance(2_000)
    await eventually(() => expect(statuses()).toEqual(['completed']))
    expect(attempts).toEqual([1, 2, 3])
    expect(harness.faults).toHaveLength(2)
  })

  test('after too many tries the task fails, and says nothing of what was thrown', async () => {
    const key = await harness.begin()
    const ended: unknown[] = []
    start(
      async () => {
        throw new Error('password=hunter2')
      },
      { maxTries: 3, backoff: { firstMs: 0, maxMs: 0 } },
      {
        onAbandon: async (_tx, { state }) => {
          ended.push(state)
        },
      },
    )
    await eventually(() => expect(statuses()).toEqual(['failed']))
    const task = await harness.tasks.get(key)
    expect(task?.errors).toMatchObject([{ code: 'SERVICE_UNAVAILABLE', recovery: 'transient' }])
    expect(JSON.stringify([task, harness.recorded.reported])).not.toContain('hunter2')
    expect(ended).toEqual([{ coats: 0 }])
    expect(harness.faults).toHaveLength(3)
  })

  describe('a step in which its process dies', () => {
    /** As a process that is killed while it has them: its claims are never ended. */
    const die = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await harness.database.transact((tx) =>
          harness.tasks.claimDue(tx, { limit: 9, leaseMs: LEASE_MS, types: ['paint'] }),
        )
        harness.clock.advance(LEASE_MS)
      }
    }

    test('is not run a fourth time: the task fails once, with what to do', async () => {
      const key = await harness.begin()
      await die(3)
      const ended: unknown[] = []
      let runs = 0
      const step = async () => {
        runs += 1
        return done()
      }
      const onAbandon = async (_tx: unknown, { state }: { state: unknown }) => {
        ended.push(state)
      }
      start(step, {}, { onAbandon })
      start(step, {}, { onAbandon })
      await eventually(() => expect(statuses()).toEqual(['failed']))
      expect((await harness.tasks.get(key))?.errors).toMatchObject([
        {
          code: 'TASK_ABANDONED',
          recovery: 'terminal',
          message: expect.stringContaining('crashed the server 3 times'),
          suggestion: expect.stringContaining('change the request'),
        },
      ])
      expect([runs, ended]).toEqual([0, [{ coats: 0 }]])
      expect(harness.steps).toMatchObject([{ outcome: 'abandoned' }])
    })

    test('may be run a third time, and then nothing is held against the task', async () => {
      const key = await harness.begin()
      await die(2)
      start(async ({ state }) =>
        state.coats === 1 ? done() : { status: 'wait', state: { coats: 1 }, afterMs: 10 },
      )
      await settled()
      expect(await harness.tasks.get(key)).toMatchObject({ status: 'submitted', lost: 0 })
      harness.clock.advance(10)
      await eventually(() => expect(statuses()).toEqual(['completed']))
    })

    test('is the only one of its kind that runs, and alone when it would be the last', async () => {
      for (let n = 0; n < 3; n++) await harness.begin()
      await die(1)
      await harness.begin()
      const running = new Set<string>()
      const seen: number[] = []
      const hold = gate()
      start(
        async ({ task }) => {
          running.add(task.task_id)
          seen.push(running.size)
          await hold.opened
          running.delete(task.task_id)
          return done()
        },
        { concurrency: 4 },
      )
      // One of the three that were lost, and the one that was not.
      await eventually(() => expect(running.size).toBe(2))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(running.size).toBe(2)
      hold.open()
      await eventually(() => expect(statuses()).toHaveLength(4))
      expect(Math.max(...seen)).toBe(2)
    })

    test('is none when the database was away and the process was not', async () => {
      await harness.begin()
      let isAway = false
      const lost: number[] = []
      const { transact } = harness.database
      start(
        async ({ task }) => {
          lost.push(task.lost)
          isAway = lost.length === 1
          return done()
        },
        {
          transact: (work) => {
            if (!isAway) return transact(work)
            isAway = false
            return Promise.reject(new StorageUnavailable('gone'))
          },
        },
      )
      await eventually(() => expect(statuses()).toEqual(['completed']))
      expect(harness.steps.map(({ outcome }) => outcome)).toEqual(['released', 'completed'])
      expect(lost).toEqual([1, 1])
    })
  })

  test('a step that refuses fails the task at once, with its errors', async () => {
    const key = await harness.begin()
    start(async () => {
      throw new ProtocolError('ACTIVATION_FAILED', 'the platform refused')
    })
    await eventually(() => expect(statuses()).toEqual(['failed']))
    const error = taskError('ACTIVATION_FAILED', 'the platform refused')
    expect((await harness.tasks.get(key))?.errors).toEqual([error])
    expect(harness.faults).toEqual([])
  })

  test('a task that is not done by its deadline fails and says so', async () => {
    const key = await harness.begin()
    const ended: unknown[] = []
    start(
      async () => ({ status: 'wait', state: { coats: 1 }, afterMs: 2 * DEADLINE_MS }),
      {},
      {
        onAbandon: async (_tx, { state }) => {
          ended.push(state)
        },
      },
    )
    await settled()
    harness.clock.advance(DEADLINE_MS)
    await eventually(() => expect(statuses()).toEqual(['failed']))
    expect((await harness.tasks.get(key))?.errors).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('within 600 s') },
    ])
    expect(ended).toEqual([{ coats: 1 }])
  })

  test('a step that runs past the deadline is aborted and its outcome dropped', async () => {
    await harness.begin()
    let [begun, aborted] = [false, false]
    const hold = gate()
    start(
      async ({ signal }) => {
        begun = true
        signal.addEventListener('abort', () => {
          aborted = true
        })
        await hold.opened
        return done()
      },
      { leaseMs: 30, concurrency: 1 },
    )
    await eventually(() => expect(begun).toBe(true))
    harness.clock.advance(DEADLINE_MS)
    await eventually(() => expect(aborted).toBe(true))
    hold.open()
    await eventually(() => expect(harness.steps.map(({ outcome }) => outcome)).toEqual(['late']))
    expect(statuses()).toEqual(['failed'])
  })

  test.each(['wait', 'working'] as const)(
    'spec 3.2: input reaches one step, also when that leaves the task to %s',
    async (between) => {
      const { task_id } = await harness.begin()
      const inputs: unknown[] = []
      const { engine } = start(async ({ state, input }) => {
        inputs.push(input)
        if (state.coats === 2) return done()
        const coats = state.coats + 1
        if (state.coats === 1)
          return { status: between, progress: {}, state: { coats }, afterMs: 0 }
        return { status: 'input-required', reason: 'APPROVAL_REQUIRED', state: { coats } }
      })
      await eventually(() => expect(statuses()).toEqual(['input-required']))
      expect(harness.recorded.reported[0]).toMatchObject({
        result: { reason: 'APPROVAL_REQUIRED' },
        message: expect.stringContaining('provide_task_input'),
      })
      const provide = engine.tasks.find(({ name }) => name === 'provide_task_input')
      const answer = { task_id, input: { colour: 'blue' }, approved: true }
      expect(await provide?.handle(answer, callBy('alice'))).toMatchObject({ status: 'working' })
      await eventually(() => expect(statuses().at(-1)).toBe('completed'))
      expect(inputs).toEqual([undefined, { input: { colour: 'blue' }, approved: true }, undefined])
    },
  )

  test('a task whose owner never answers fails at its deadline', async () => {
    const key = await harness.begin()
    start(async () => ({ status: 'input-required', reason: 'BUDGET', state: { coats: 0 } }))
    await eventually(() => expect(statuses()).toEqual(['input-required']))
    harness.clock.advance(DEADLINE_MS)
    await eventually(() => expect(statuses()).toEqual(['input-required', 'failed']))
    expect((await harness.tasks.get(key))?.errors?.[0]?.message).toContain(
      'input that did not come',
    )
  })

  test('a cancellation ends a running task at once, aborts its step and drops the outcome', async () => {
    const key = await harness.begin()
    const hold = gate()
    let aborted = false
    start(async ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      await hold.opened
      return done()
    })
    await eventually(async () => expect((await harness.tasks.get(key))?.run).toBe(1))
    // Canceled by a process that runs no steps.
    const undone: unknown[] = []
    const { engine } = harness.engine(
      async () => done(),
      {},
      {},
      {
        onCancel: async (_tx, { task, state }) => {
          undone.push([task.task_id, state])
        },
      },
    )
    expect(await engine.cancel(key, { reason: 'too red' })).toMatchObject({ status: 'canceled' })
    expect(statuses()).toEqual(['canceled'])
    await eventually(() => expect(aborted).toBe(true))
    hold.open()
    await eventually(() => expect(harness.steps.map(({ outcome }) => outcome)).toEqual(['late']))
    expect(statuses()).toEqual(['canceled'])
    expect(undone).toEqual([[key.task_id, { coats: 0 }]])
    expect(await harness.tasks.get(key)).toMatchObject({ message: 'canceled: too red' })
  })

  test('work may refuse its cancellation', async () => {
    const key = await harness.begin()
    const { engine } = harness.engine(
      async () => done(),
      {},
      {},
      {
        onCancel: async () => {
          throw new ProtocolError('NOT_CANCELLABLE', 'the paint is on the wall')
        },
      },
    )
    await expect(engine.cancel(key)).rejects.toThrow('the paint is on the wall')
    expect((await harness.tasks.get(key))?.status).toBe('submitted')
    expect(statuses()).toEqual([])
  })

  test('stopping aborts steps, and what they did not finish is due at once and no try', async () => {
    const key = await harness.begin()
    const hold = gate()
    let begun = 0
    const { engine } = harness.engine(async ({ signal }) => {
      begun += 1
      await hold.orAborted(signal)
      return done()
    })
    engine.runner.start()
    await eventually(() => expect(begun).toBe(1))
    await engine.runner.stop()
    // A look that was under way when stopping began may have claimed it once more.
    const outcomes = new Set(harness.steps.map(({ outcome }) => outcome))
    expect([...outcomes]).toEqual(['released'])
    const due_at = harness.clock.now()
    expect(await harness.tasks.get(key)).toMatchObject({ status: 'submitted', tries: 0, due_at })
    expect(harness.faults).toEqual([])
    start(async ({ attempt }) => done(`at try ${attempt}`))
    await eventually(() => expect(statuses()).toEqual(['completed']))
    expect((await harness.tasks.get(key))?.result).toEqual({ painted: 'at try 1' })
  })

  test('stopping keeps what a step finished, but not a failure that stopping may have caused', async () => {
    const finished = await harness.begin({ request: { colour: 'green' } })
    const failed = await harness.begin({ request: { colour: 'black' } })
    let begun = 0
    const { engine } = harness.engine(async ({ signal, request }) => {
      begun += 1
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      if (request.colour === 'green') return done('green')
      return { status: 'failed', errors: [taskError('ACTIVATION_FAILED', 'the fetch was cut')] }
    })
    engine.runner.start()
    await eventually(() => expect(begun).toBe(2))
    await engine.runner.stop()
    expect((await harness.tasks.get(finished))?.status).toBe('completed')
    expect((await harness.tasks.get(failed))?.status).toBe('submitted')
  })

  test('stopping does not wait for ever: a step that hears nothing is given back, too', async () => {
    const key = await harness.begin()
    const hold = gate()
    let begun = 0
    const { engine } = harness.engine(
      async () => {
        begun += 1
        await hold.opened
        return done('too late')
      },
      { stopMs: 30 },
    )
    engine.runner.start()
    await eventually(() => expect(begun).toBe(1))
    await engine.runner.stop()
    expect((await harness.tasks.get(key))?.due_at).toBe(harness.clock.now())
    hold.open()
    await eventually(() => expect(harness.steps.map(({ outcome }) => outcome)).toEqual(['late']))
    expect((await harness.tasks.get(key))?.status).toBe('submitted')
  })

  test('no more steps run at once than there are slots, and all tasks end once', async () => {
    for (let count = 0; count < 12; count++) await harness.begin()
    let running = 0
    let most = 0
    const step = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running -= 1
      return done()
    }
    start(step, { concurrency: 2 })
    start(step, { concurrency: 1 })
    await eventually(() => expect(statuses()).toHaveLength(12))
    expect(most).toBeLessThanOrEqual(3)
    expect(new Set(harness.recorded.reported.map(({ task_id }) => task_id)).size).toBe(12)
    expect(harness.steps).toHaveLength(12)
  })
})
