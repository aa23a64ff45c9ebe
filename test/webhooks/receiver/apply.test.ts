import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { StorageUnavailable } from '../../../src/lib/transaction.ts'
import { sqlOf } from '../../../src/storage/sql/database.ts'
import { createInboxStore } from '../../../src/storage/stores/inbox/inbox.ts'
import type { ApplyReport } from '../../../src/webhooks/receiver/apply.ts'
import {
  type ApplyWorkerOptions,
  createApplyWorker,
} from '../../../src/webhooks/receiver/apply-worker.ts'
import type { WebhookMessage } from '../../../src/webhooks/receiver/message.ts'
import type { NewMessage } from '../../../src/webhooks/receiver/store.ts'
import { onBothStores, testDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { LIMITS, newMessage } from '../../support/inbox-contract.ts'

const START = Date.UTC(2026, 0, 1)
const SENDER = 'https://seller.example'
const clock = { now: () => Date.now() }

/** A worker on SQLite; handlers of the test end when it says so, unless it brings its own. */
async function house(changes: Partial<ApplyWorkerOptions> = {}) {
  const { database, drop } = await testDatabase('sqlite', { clock })
  const inbox = createInboxStore(database, { clock })
  const calls: { message: WebhookMessage; signal: AbortSignal; end(error?: Error): void }[] = []
  const reports: ApplyReport[] = []
  const faults: unknown[] = []
  const options: ApplyWorkerOptions = {
    transact: database.transact,
    onWake: database.onWake,
    inbox,
    clock,
    worker: 'w1',
    handle: (message, { signal }) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
        calls.push({ message, signal, end: (error) => (error ? reject(error) : resolve()) })
      }),
    onApplied: (report) => reports.push(report),
    onFault: (error) => faults.push(error),
    ...changes,
  }
  const worker = createApplyWorker(options)
  worker.start()
  onTestFinished(async () => {
    vi.useRealTimers()
    await worker.stop(0)
    await drop()
  })
  const accept = async (...messages: Partial<NewMessage>[]) => {
    const all = messages.map((message) => newMessage(message))
    await inbox.accept(all, LIMITS)
    await pass(0)
    return all
  }
  const states = async () =>
    (await inbox.list({})).reverse().map(({ state, reason }) => [state, reason])
  return { database, inbox, worker, options, calls, reports, faults, accept, states }
}

/** Lets time pass, and the database answer. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(0)
  }
}

beforeEach(() => {
  vi.useFakeTimers({
    now: START,
    toFake: [
      ...(['Date', 'performance', 'setTimeout', 'clearTimeout'] as const),
      ...(['setInterval', 'clearInterval'] as const),
    ],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('spec 6.4: what was acknowledged', () => {
  test('is handed to the application with its data, and marked once', async () => {
    const { accept, calls, states, reports } = await house()
    const envelope = { task_id: 't1', status: 'completed', result: { id: 7 } }
    const body = Buffer.from(JSON.stringify(envelope))
    await accept({ task_id: 't1', status: 'completed', body })
    expect(calls[0]?.message).toMatchObject({
      sender: SENDER,
      task_id: 't1',
      status: 'completed',
      route: 'main',
      payload: envelope,
      data: { id: 7 },
      event_at: START,
    })
    calls[0]?.end()
    await pass(60_000)
    expect(calls).toHaveLength(1)
    expect(await states()).toEqual([['applied', undefined]])
    expect(reports.map(({ outcome }) => outcome)).toEqual(['applied'])
  })

  test('is applied one at a time for each task, and side by side for several', async () => {
    const { accept, calls } = await house({ concurrency: 2 })
    await accept({ task_id: 'a' }, { task_id: 'a', event_at: START + 1 }, { task_id: 'b' })
    expect(calls.map(({ message }) => message.task_id)).toEqual(['a', 'b'])
    calls[0]?.end()
    await pass(0)
    expect(calls.map(({ message }) => message.task_id)).toEqual(['a', 'b', 'a'])
    await accept({ task_id: 'c' })
    expect(calls).toHaveLength(3)
  })

  test('is tried again with growing pauses when the handler throws, and then is a dead letter', async () => {
    const at: number[] = []
    const { accept, states, reports, faults } = await house({
      maxTries: 4,
      backoff: { firstMs: 1_000, maxMs: 2_000 },
      handle: () => {
        at.push(Date.now() - START)
        throw new Error('no')
      },
    })
    await accept({})
    await pass(999)
    expect(at).toEqual([0])
    await pass(60_000)
    expect(at).toEqual([0, 1_000, 3_000, 5_000])
    expect(await states()).toEqual([['dead', 'no']])
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'dead'])
    expect(faults).toHaveLength(4)
  })

  test('is handed over again when a dead letter is retried manually', async () => {
    let isWell = false
    const { accept, database, inbox, states } = await house({
      maxTries: 1,
      handle: () => {
        if (!isWell) throw new Error('no')
      },
    })
    await accept({})
    expect(await states()).toEqual([['dead', 'no']])
    isWell = true
    const [{ message_id } = { message_id: 0 }] = await inbox.list({})
    await database.transact((tx) => inbox.retry(tx, message_id))
    await pass(0)
    expect(await states()).toEqual([['applied', undefined]])
  })

  test('is no longer retried when it killed its process again and again', async () => {
    const { accept, database, inbox, calls, states } = await house({ maxTries: 2, concurrency: 0 })
    await accept({})
    for (const worker of ['dead-1', 'dead-2']) {
      const claim = (tx: Parameters<typeof inbox.claim>[0]) =>
        inbox.claim(tx, { limit: 1, leaseMs: 1_000, worker })
      expect((await database.transact(claim)).claimed).toHaveLength(1)
      await pass(1_000)
    }
    const next = createApplyWorker({
      transact: database.transact,
      onWake: database.onWake,
      inbox,
      clock,
      worker: 'w2',
      maxTries: 2,
      handle: () => void calls.push(undefined as never),
      onFault: () => {},
    })
    next.start()
    await pass(0)
    await next.stop(0)
    expect(calls).toEqual([])
    expect(await states()).toEqual([['dead', '2 attempts did not end']])
  })
})

describe('spec 6.4: a stale status', () => {
  test('is marked and not applied: an older one, and anything after the end', async () => {
    const stale: WebhookMessage[] = []
    const applied: (string | undefined)[] = []
    const { accept, states } = await house({
      handle: ({ status }) => void applied.push(status),
      handleStale: (message) => void stale.push(message),
    })
    const task_id = 'a'
    await accept({ task_id, status: 'working', event_at: START + 5 })
    await accept({ task_id, status: 'submitted', event_at: START + 4 })
    await accept({ task_id, status: 'completed', event_at: START + 5 })
    await accept({ task_id, status: 'working', event_at: START + 9 })
    await accept({ task_id, status: 'working', event_at: START + 5 })
    await pass(2_000)
    expect(applied).toEqual(['working', 'completed'])
    expect(stale).toHaveLength(3)
    expect((await states()).map(([state, reason]) => reason ?? state)).toEqual([
      'applied',
      'a later status was applied: working of 2026-01-01T00:00:00.005Z',
      'applied',
      'the task has ended: completed',
      'the task has ended: completed',
    ])
  })

  test('of one sender says nothing about the same task_id of another', async () => {
    const { accept, states } = await house({ handle: () => {} })
    await accept({ task_id: 'a', status: 'completed' })
    await accept({ task_id: 'a', status: 'working', sender: 'https://other.example' })
    expect(await states()).toEqual([
      ['applied', undefined],
      ['applied', undefined],
    ])
  })

  test('does not come from a message that failed while a later one was applied', async () => {
    let failures = 1
    const applied: (string | undefined)[] = []
    const { accept, states } = await house({
      handle: ({ status }) => {
        if (status === 'working' && failures-- > 0) throw new Error('later')
        applied.push(status)
      },
    })
    await accept({ task_id: 'a', status: 'working', event_at: START })
    await accept({ task_id: 'a', status: 'completed', event_at: START + 1 })
    await pass(5_000)
    expect(applied).toEqual(['completed'])
    expect((await states()).map(([state]) => state)).toEqual(['stale', 'applied'])
  })
})

describe('a lease', () => {
  test('is renewed while the handler is at it, so that no one else takes the message', async () => {
    const { accept, calls, database, inbox } = await house({ leaseMs: 3_000 })
    await accept({})
    await pass(20_000)
    const taken = await database.transact((tx) =>
      inbox.claim(tx, { limit: 9, leaseMs: 1_000, worker: 'w2' }),
    )
    expect(taken.claimed).toEqual([])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.signal.aborted).toBe(false)
  })

  test('that was lost aborts the handler, and its mark changes nothing', async () => {
    const { accept, calls, database, reports, states } = await house({ leaseMs: 3_000 })
    await accept({})
    await database.transact((tx) =>
      tx.run('UPDATE webhook_inbox SET attempts = attempts + 1, lease_until = $1', [
        START + 60_000,
      ]),
    )
    await pass(1_000)
    expect(calls[0]?.signal.aborted).toBe(true)
    await pass(0)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['late'])
    expect(await states()).toEqual([['leased', undefined]])
  })

  test('outlives a database that is away while the mark is written', async () => {
    let away = 0
    const { database, inbox, worker, options } = await house({ handle: () => {} })
    await worker.stop()
    const transact: typeof options.transact = (work) => {
      if (away > 0 && away-- > 0) return Promise.reject(new StorageUnavailable('away'))
      return database.transact(work)
    }
    const handle = () => {
      away = 3
    }
    const other = createApplyWorker({ ...options, transact, handle })
    other.start()
    await inbox.accept([newMessage()], LIMITS)
    await pass(5_000)
    await other.stop()
    expect((await inbox.list({})).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['applied', 1],
    ])
  })
})

describe('stopping', () => {
  test('waits for what is being applied and claims nothing more', async () => {
    const { accept, calls, inbox, worker, states } = await house()
    await accept({ task_id: 'a' })
    const stopped = worker.stop()
    await inbox.accept([newMessage({ task_id: 'b' })], LIMITS)
    await pass(3_000)
    expect(calls[0]?.signal.aborted).toBe(false)
    calls[0]?.end()
    await pass(0)
    await stopped
    expect((await states()).map(([state]) => state)).toEqual(['applied', 'pending'])
    expect(worker.inFlight()).toBe(0)
  })

  test('aborts what takes longer, which is given back as if it had not been begun', async () => {
    const { accept, calls, inbox, worker, reports, faults } = await house()
    await accept({})
    const stopped = worker.stop(2_000)
    await pass(2_000)
    await stopped
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['released'])
    expect((await inbox.list({})).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['pending', 0],
    ])
    expect(faults).toEqual([])
  })
})

onBothStores('spec 6.4: with its effect in the same transaction', (database) => {
  beforeEach(() => {
    vi.useRealTimers()
  })

  test('two workers apply each of 60 messages exactly once, though handlers throw', async () => {
    const inbox = createInboxStore(database())
    await database().transact((tx) =>
      tx.run(`CREATE TABLE ${placeOf(database())}effects (idempotency_key TEXT NOT NULL)`),
    )
    let calls = 0
    const workers = ['w1', 'w2'].map((worker) =>
      createApplyWorker({
        transact: database().transact,
        onWake: database().onWake,
        inbox,
        worker,
        clock,
        backoff: { firstMs: 1, maxMs: 5 },
        pollMs: 20,
        onFault: () => {},
        handleInTransaction: async (message, tx) => {
          const insert = 'INSERT INTO effects (idempotency_key) VALUES ($1)'
          await sqlOf(tx).run(insert, [message.idempotency_key])
          calls += 1
          if (calls % 5 === 0) throw new Error('after its effect')
        },
      }),
    )
    for (const worker of workers) worker.start()
    const all = Array.from({ length: 60 }, (_, index) =>
      newMessage({ task_id: `task-${index % 20}`, event_at: START + index }),
    )
    await inbox.accept(all, LIMITS)
    await eventually(async () => {
      const left = (await inbox.list({ limit: 100 })).filter(({ ended_at }) => !ended_at)
      expect(left.length).toBe(0)
    })
    await Promise.all(workers.map((worker) => worker.stop()))
    const effects = await database().read.all<{ idempotency_key: string }>('SELECT * FROM effects')
    const applied = (await inbox.list({ limit: 100, state: 'applied' })).map(
      (one) => one.idempotency_key,
    )
    expect(effects.map((one) => one.idempotency_key).sort()).toEqual(applied.sort())
    expect(new Set(applied).size).toBe(applied.length)
    // Of each task the last one is never stale.
    for (const last of all.slice(40)) expect(applied).toContain(last.idempotency_key)
    expect(calls).toBeGreaterThan(applied.length)
  })

  test('an effect is undone when the claim was lost before the mark', async () => {
    const inbox = createInboxStore(database())
    const table = `${placeOf(database())}undone`
    await database().transact((tx) => tx.run(`CREATE TABLE ${table} (id TEXT NOT NULL)`))
    const reports: ApplyReport[] = []
    const message = newMessage()
    const worker = createApplyWorker({
      transact: database().transact,
      onWake: database().onWake,
      inbox,
      worker: 'w1',
      clock,
      onFault: () => {},
      onApplied: (report) => void reports.push(report),
      handleInTransaction: async ({ idempotency_key }, tx) => {
        if (idempotency_key !== message.idempotency_key) return
        await sqlOf(tx).run('INSERT INTO undone (id) VALUES ($1)', [idempotency_key])
        // As another worker that took it over would have done.
        const taken = 'UPDATE webhook_inbox SET attempts = attempts + 1 WHERE idempotency_key = $1'
        await sqlOf(tx).run(taken, [idempotency_key])
      },
    })
    worker.start()
    await inbox.accept([message], LIMITS)
    await eventually(() => expect(reports.map(({ outcome }) => outcome)).toContain('late'))
    await worker.stop()
    expect(await database().read.all('SELECT * FROM undone')).toEqual([])
  })
})

/** What a table of this database is named with. */
function placeOf({ schema }: { schema?: string | undefined }): string {
  return schema === undefined ? '' : `${schema}.`
}
