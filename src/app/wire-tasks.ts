// Tasks that outlive a call: their runner, the tasks about tasks, and the webhooks they cause.

import { ProtocolError } from '../protocol/errors.ts'
import type { ChangePorts } from '../tasks/change-task.ts'
import type { TaskEvents } from '../tasks/events.ts'
import { createTaskEngine, type TaskEngine } from '../tasks/task-engine.ts'
import { subjectOfTask } from '../webhooks/sender/emit.ts'
import type { Sender } from '../webhooks/sender/sender.ts'
import type { Area, Parts } from './parts.ts'

export interface TaskArea extends Area {
  engine: TaskEngine
  /** For code outside the engine that starts and ends tasks. */
  changes: ChangePorts
}

const SWEEP_MS = 10 * 60 * 1_000
const DAY_MS = 24 * 60 * 60 * 1_000
/** Longer than any task runs: its channels are deleted when no more events can occur. */
const CHANNEL_MS = 90 * DAY_MS

export async function wireTasks(parts: Parts, sender: Sender): Promise<TaskArea> {
  const { config, log, clock, storage, metrics, releases, stopping } = parts
  const { transact, onWake, tasks } = storage
  // Only one server uses a data folder at a time: any process that held a claim there is dead.
  if (storage.database.dialect === 'sqlite') await transact(tasks.takeBackAll)
  const events = taskEvents(sender)
  const engine = createTaskEngine({
    transact,
    onWake,
    tasks,
    clock,
    events,
    releases,
    stopping,
    concurrency: config.taskConcurrency,
    leaseMs: config.taskLeaseSeconds * 1_000,
    stopMs: Math.max(config.stopTimeoutSeconds * 1_000 - 1_000, 0),
    onStep: ({ task_type, outcome }) => metrics.stepped(task_type, outcome),
    onFault: (error, claim) => {
      log.error({ err: error, task_id: claim?.task_id }, 'a step of a task failed')
    },
  })
  const sweep = parts.sweep({
    name: 'worker: delete old tasks',
    intervalMs: SWEEP_MS,
    sweep: async (now) => {
      const reported = now - config.historyDays * DAY_MS
      return (await transact((tx) => tasks.sweep(tx, { reported, untold: now - DAY_MS }))) > 0
    },
  })
  const runs = config.taskConcurrency > 0
  const changes = { tasks, events, releases }
  return { engine, changes, routes: [], workers: [...(runs ? [engine.runner] : []), sweep] }
}

function taskEvents(sender: Sender): TaskEvents {
  return {
    register: async (tx, { owner, task_id }, push) => {
      const checked = sender.check({
        owner,
        subject: subjectOfTask(task_id),
        name: 'push_notification_config',
        form: 'mcp',
        config: push,
        expires_at: (await tx.now()) + CHANNEL_MS,
      })
      if (!checked.ok) {
        const message = checked.issues.map((issue) => `${issue.pointer}: ${issue.message}`)
        throw new ProtocolError('INVALID_REQUEST', message.join('; '), { issues: checked.issues })
      }
      const kept = await sender.register(tx, checked.channel)
      if (kept === 'full') throw new Error('a new task has no registrations yet')
    },
    changed: async (tx, event) => {
      await sender.taskChanged(tx, event)
    },
  }
}
