// A whole server with two tasks of its own. The steps of `labour` do what their request says: die with
// the process, take a while, or end. `dawdle` is no task that runs long, and is slow. Says where it
// listens on standard output.

import { z } from 'zod'
import { readConfig } from '../../../dist/app/config.js'
import { wireApp } from '../../../dist/app/wire.js'
import { createLog } from '../../../dist/lib/log.js'
import { defineTask } from '../../../dist/protocol/task.js'
import { constantCost } from '../../../dist/protocol/task-cost.js'

const read = readConfig({ port: '0', ...JSON.parse(process.argv[2]) }, process.env)
if (!read.ok) throw new Error(read.errors.join())
const app = await wireApp(read.config, createLog({ level: 'error' }), {
  moreTasks: (engine) => [labour(engine), dawdle()],
})

function labour(engine) {
  return engine.longTask({
    summary: 'Does what its request says.',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    cost: constantCost(1, 'constant'),
    request: z.looseObject({
      is_deadly: z.boolean().optional(),
      steps: z.int().optional(),
      pause_ms: z.number().optional(),
    }),
    response: z.looseObject({ steps: z.int() }),
    inlineWaitMs: 20_000,
    work: {
      task_type: 'labour',
      deadlineMs: 600_000,
      begin: () => ({ done: 0 }),
      step: async ({ request: { is_deadly, steps = 1, pause_ms = 0 }, state, signal }) => {
        if (is_deadly) {
          process.kill(process.pid, 'SIGKILL')
          // For ever: the signal needs a moment, in which nothing else must happen.
          await new Promise(() => {})
        }
        await pause(pause_ms, signal)
        const done = state.done + 1
        if (done >= steps) return { status: 'completed', result: { steps: done } }
        return { status: 'wait', state: { done }, afterMs: 0 }
      },
    },
  })
}

function dawdle() {
  return defineTask({
    name: 'dawdle',
    summary: 'Takes its time.',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    cost: constantCost(1, 'constant'),
    request: z.looseObject({ pause_ms: z.number() }),
    response: z.looseObject({}),
    handle: async ({ pause_ms }) => {
      await new Promise((resolve) => setTimeout(resolve, pause_ms))
      return {}
    },
  })
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('aborted'))
    })
  })
}

process.on('SIGTERM', () => {
  setTimeout(() => process.exit(1), read.config.stopTimeoutSeconds * 1_000).unref()
  // The calls that were aborted still run.
  void app.stop().then(() => process.exit(0))
})
await app.start()
process.stdout.write(`listens on ${app.url()}\n`)
