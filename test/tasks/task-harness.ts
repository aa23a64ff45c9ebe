// A task engine on a database of its own, with a fake clock, steps that the test decides, and a record
// of every event.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../../src/lib/transaction.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import type { PushNotificationConfig } from '../../src/protocol/schemas/push-notification-config.ts'
import type { AnyTask, CallContext } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { beginTask } from '../../src/tasks/change-task.ts'
import type { TaskEvent, TaskEvents } from '../../src/tasks/events.ts'
import type { LongTask } from '../../src/tasks/long-task.ts'
import type { StepReport } from '../../src/tasks/run-step.ts'
import type { NewTask, TaskKey } from '../../src/tasks/store.ts'
import { createTaskEngine, type TaskEngineOptions } from '../../src/tasks/task-engine.ts'
import type { StepOutcome, StepRun } from '../../src/tasks/work.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { type FakeClock, fakeClock } from '../support/fake-clock.ts'

interface PaintRequest {
  colour?: string
}
interface PaintState {
  coats: number
}
interface PaintResponse {
  painted: string
}
export type PaintStep = StepRun<PaintRequest, PaintState>
export type PaintOutcome = StepOutcome<PaintState, PaintResponse>

export const LEASE_MS = 30_000
export const DEADLINE_MS = 600_000

interface Registration {
  task: TaskKey
  config: PushNotificationConfig
}

/** Keeps events as a sender would: what the transaction rolls back was never reported. */
export function recordingEvents() {
  const reported: TaskEvent[] = []
  const registered: Registration[] = []
  let refusal: Error | undefined
  const events: TaskEvents = {
    changed: async (tx, event) => afterCommit(tx, () => reported.push(event)),
    register: async (tx, { owner, task_id }, config) => {
      if (refusal) throw refusal
      afterCommit(tx, () => registered.push({ task: { owner, task_id }, config }))
    },
  }
  return {
    events,
    reported,
    registered,
    refuse: (error: Error) => {
      refusal = error
    },
  }
}

function afterCommit(tx: Transaction, listener: () => void): void {
  ;(tx as Transaction & { afterCommit(listener: () => void): void }).afterCommit(listener)
}

export interface Harness {
  database: TestDatabase['database']
  clock: FakeClock
  recorded: ReturnType<typeof recordingEvents>
  steps: StepReport[]
  faults: unknown[]
  tasks: ReturnType<typeof createTaskStore>
  /** One process: its engine, and the task `paint` whose steps `step` decides. */
  engine(
    step: (run: PaintStep) => Promise<PaintOutcome>,
    options?: Partial<TaskEngineOptions>,
    definition?: Partial<LongTask<PaintRequest, PaintState, PaintResponse>>,
    hooks?: Partial<LongTask<PaintRequest, PaintState, PaintResponse>['work']>,
  ): { engine: ReturnType<typeof createTaskEngine>; paint: AnyTask }
  /** A task of type `paint` without a call. */
  begin(over?: Partial<NewTask>): Promise<TaskKey>
  close(): Promise<void>
}

export async function taskHarness(store: 'sqlite' | 'postgres' = 'sqlite'): Promise<Harness> {
  const clock = fakeClock()
  const { database, drop } = await testDatabase(store, { clock })
  const tasks = createTaskStore(database)
  const recorded = recordingEvents()
  const steps: StepReport[] = []
  const faults: unknown[] = []
  return {
    database,
    clock,
    recorded,
    steps,
    faults,
    tasks,
    engine: (step, options = {}, definition = {}, hooks = {}) => {
      const engine = createTaskEngine({
        transact: database.transact,
        onWake: database.onWake,
        tasks,
        events: recorded.events,
        clock,
        leaseMs: LEASE_MS,
        pollMs: 10,
        onFault: (error) => faults.push(error),
        onStep: (report) => steps.push(report),
        ...options,
      })
      const work = {
        task_type: 'paint',
        deadlineMs: DEADLINE_MS,
        begin: () => ({ coats: 0 }),
        step,
      }
      const paint = engine.longTask<PaintRequest, PaintState, PaintResponse>({
        summary: 'Paints something.',
        area: 'creative',
        access: 'tasks',
        changes: true,
        cost: constantCost(10, 'nothing'),
        request: z.looseObject({ colour: z.string().optional() }) as z.ZodType<PaintRequest>,
        response: z.looseObject({ painted: z.string() }) as z.ZodType<PaintResponse>,
        inlineWaitMs: 60_000,
        ...definition,
        work: { ...work, ...hooks },
      })
      return { engine, paint }
    },
    begin: async (over = {}) => {
      const task: NewTask = {
        task_id: randomUUID(),
        owner: 'prn_alice',
        task_type: 'paint',
        domain: 'creative',
        status: 'submitted',
        context: undefined,
        context_id: undefined,
        is_told: true,
        has_webhook: true,
        state: { coats: 0 },
        request: { colour: 'red' },
        idempotency_key: undefined,
        deadlineMs: DEADLINE_MS,
        ...over,
      }
      await database.transact((tx) => beginTask({ tasks }, tx, task))
      return { owner: task.owner, task_id: task.task_id }
    },
    close: drop,
  }
}

export function callBy(name: string, over: Partial<CallContext> = {}): CallContext {
  return {
    principal: { principal_id: `prn_${name}`, name, scopes: ['tasks'] },
    transport: 'http',
    version: RELEASES.version('unversioned'),
    calledOn: 'http://127.0.0.1',
    signal: new AbortController().signal,
    ...over,
  }
}

/** Ends when the test says so, or with the signal's reason. */
export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    open: () => open(),
    opened,
    orAborted: (signal: AbortSignal) =>
      Promise.race([
        opened,
        new Promise<never>((_, reject) => {
          const fail = () => reject(new Error('the step was aborted'))
          if (signal.aborted) fail()
          signal.addEventListener('abort', fail)
        }),
      ]),
  }
}
