// `force_task_completion`: ends a task of the caller with the given result, and reports it as usual: the webhook has
// that result, and so has get_task_status. Repeating the call changes nothing; another result is refused.

import { z } from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import type { Transact } from '../lib/transaction.ts'
import type { Issue } from '../protocol/errors.ts'
import { isFinalStatus } from '../protocol/final-status.ts'
import { opaqueId } from '../protocol/schemas/common.ts'
import { type ChangePorts, changeTask } from '../tasks/change-task.ts'
import { type AnyScenario, ControllerError, defineScenario, notFound } from './scenario.ts'

export interface CompletionPorts extends ChangePorts {
  transact: Transact
  /** What is wrong with a task's response, by task name; nothing for an unknown task. */
  faultsOf: (task: string, answer: Readonly<Record<string, unknown>>) => readonly Issue[]
}

const MAX_RESULT_BYTES = 256 * 1_024

export function forceTaskCompletion(ports: CompletionPorts): AnyScenario {
  return defineScenario({
    name: 'force_task_completion',
    params: z.looseObject({ task_id: opaqueId, result: z.looseObject({}) }),
    run: ({ task_id, result }, { owner }) => {
      if (isLongerAsJson(result, MAX_RESULT_BYTES)) {
        const message = `/params/result: keep it below ${MAX_RESULT_BYTES} bytes`
        throw new ControllerError('INVALID_PARAMS', message)
      }
      return ports.transact(async (tx) => {
        const task = await ports.tasks.lock(tx, { task_id, owner })
        if (!task) throw notFound(`task ${task_id}`)
        const moved = { previous_state: task.status, current_state: 'completed' }
        if (isFinalStatus(task.status)) {
          const isSame = canonicalJson(task.result ?? null) === canonicalJson(result)
          if (task.status === 'completed' && isSame) return moved
          const message = `the task has ended as ${task.status}, with another result`
          throw new ControllerError('INVALID_TRANSITION', message, task.status)
        }
        refuseMisfit(ports.faultsOf(task.task_type, { status: 'completed', ...result }))
        const change = { status: 'completed' as const, result }
        const changed = await changeTask(ports, tx, { task, change })
        if (changed.ok) return moved
        throw new ControllerError('INVALID_TRANSITION', changed.message, task.status)
      })
    },
  })
}

/** What this server guarantees for its own responses beyond what the protocol requires. */
const OWN_PROMISES = ['/revision', '/confirmed_at', '/media_buy_status']

/**
 * Refuses a result that the task could not have returned: members with the wrong shape, or missing required members.
 * Unknown members are allowed, since releases add some.
 */
function refuseMisfit(issues: readonly Issue[]): void {
  const faults = issues.filter(({ keyword, pointer }) => {
    if (keyword === 'required') return isOutermost(pointer) && !OWN_PROMISES.includes(pointer)
    return keyword !== 'additionalProperties'
  })
  if (faults.length === 0) return
  const reported = faults.map(({ pointer, message }) => `/params/result${pointer}: ${message}`)
  throw new ControllerError('INVALID_PARAMS', reported.join(' '))
}

function isOutermost(pointer: string): boolean {
  return pointer.lastIndexOf('/') === 0
}
