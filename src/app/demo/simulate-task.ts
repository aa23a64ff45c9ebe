// `simulate_task`, served with --demo: goes through the requested statuses, so that new users see tasks, webhooks and
// polling at work within a minute (spec 3.2, 6.1).

import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import { taskError } from '../../protocol/errors.ts'
import type { AnyTask } from '../../protocol/task.ts'
import { constantCost } from '../../protocol/task-cost.ts'
import type { TaskEngine } from '../../tasks/task-engine.ts'
import type { StepOutcome, StepRun } from '../../tasks/work.ts'

const OUTCOMES = ['completed', 'failed', 'canceled', 'input-required'] as const

const simulateTaskRequest = z.looseObject({
  duration_seconds: z
    .number()
    .min(0)
    .max(3_600)
    .optional()
    .describe('How long it works in all; default 3.'),
  steps: z.int().min(1).max(100).optional().describe('Number of progress updates. Default 2.'),
  outcome: z
    .enum(OUTCOMES)
    .optional()
    .describe('How it ends, or that it waits for input and then completes; default completed.'),
})
type SimulateTaskRequest = z.infer<typeof simulateTaskRequest>

const simulateTaskResponse = z.strictObject({
  simulated: z.strictObject({
    duration_seconds: z.number().describe('How long it worked.'),
    steps: z.int().describe('Number of progress updates sent.'),
    input: z.unknown().optional().describe('What was provided, if it waited for input.'),
  }),
})
type SimulateTaskResponse = z.infer<typeof simulateTaskResponse>

interface State {
  /** Steps reported. */
  done: number
  hasRequested: boolean
}

type Outcome = StepOutcome<State, SimulateTaskResponse>

export function simulateTask(
  engine: TaskEngine,
  { inlineWaitMs }: { inlineWaitMs: number },
): AnyTask {
  return engine.longTask<SimulateTaskRequest, State, SimulateTaskResponse>({
    summary: 'Simulates a long-running task with the requested statuses and duration.',
    area: 'tasks',
    access: 'tasks',
    changes: true,
    request: simulateTaskRequest,
    response: simulateTaskResponse,
    cost: constantCost(20, 'nothing: one task'),
    inlineWaitMs,
    work: {
      task_type: 'simulate_task',
      deadlineMs: 24 * 60 * 60 * 1_000,
      begin: () => ({ done: 0, hasRequested: false }),
      step: async (run) => stepOf(run),
    },
  })
}

function stepOf({ request, state, input }: StepRun<SimulateTaskRequest, State>): Outcome {
  const { duration_seconds = 3, steps = 2, outcome = 'completed' } = request
  const { done, hasRequested } = state
  if (done < steps) {
    return {
      status: 'working',
      message: `step ${done + 1} of ${steps}`,
      progress: {
        percentage: Math.round((100 * done) / steps),
        current_step: `simulated step ${done + 1}`,
        total_steps: steps,
        step_number: done + 1,
      },
      state: { done: done + 1, hasRequested },
      afterMs: (duration_seconds * 1_000) / steps,
    }
  }
  if (outcome === 'input-required' && !hasRequested) {
    return {
      status: 'input-required',
      reason: 'APPROVAL_REQUIRED',
      message: 'the simulation waits for input',
      state: { done, hasRequested: true },
    }
  }
  if (outcome === 'failed') {
    const message = 'the request set the outcome of the simulation to failed'
    return { status: 'failed', errors: [taskError('SERVICE_UNAVAILABLE', message)], message }
  }
  if (outcome === 'canceled') {
    return {
      status: 'canceled',
      message: 'the request set the outcome of the simulation to canceled',
    }
  }
  const simulated = { duration_seconds, steps, ...defined({ input }) }
  return { status: 'completed', result: { simulated }, message: 'the simulation is complete' }
}
