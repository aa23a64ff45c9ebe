// `comply_test_controller`: what public graders force, simulate and seed (docs/interop.md). Only the table of a
// sandbox contains it, so no other server exposes the name. Every scenario uses the server's own code paths.

import { isNestedTooDeep } from '../lib/nesting.ts'
import { ProtocolError } from '../protocol/errors.ts'
import {
  type ComplyTestControllerRequest,
  type ComplyTestControllerResponse,
  complyTestControllerRequest,
  complyTestControllerResponse,
} from '../protocol/schemas/comply-test-controller.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import { type AnyTask, type CallContext, defineTask } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { type AnyScenario, ControllerError } from './scenario.ts'

const CONTROLLER_TASK = 'comply_test_controller'
const LIST_SCENARIOS = 'list_scenarios'

type Request = ComplyTestControllerRequest & Pick<RequestEnvelope, 'account'>

export interface ControllerOptions {
  scenarios: readonly AnyScenario[]
  /** Called for errors that no scenario meant to throw. */
  onFault: (error: unknown) => void
}

export function complyTestController({ scenarios, onFault }: ControllerOptions): AnyTask {
  const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]))
  return defineTask({
    name: CONTROLLER_TASK,
    summary: 'In a sandbox: forces states, simulates delivery and seeds what tests need',
    area: 'protocol',
    access: 'tasks',
    changes: true,
    request: complyTestControllerRequest,
    response: complyTestControllerResponse,
    // Repeating it has the same effect, so no key is required.
    alsoRequired: () => [],
    cost: constantCost(200, 'nothing: one scenario'),
    handle: async (request: Request, call) => {
      try {
        return { success: true, ...(await run(byName, request, call)) }
      } catch (error) {
        return refusal(error, onFault)
      }
    },
  })
}

async function run(
  byName: ReadonlyMap<string, AnyScenario>,
  { scenario: name, params = {}, account }: Request,
  call: CallContext,
): Promise<Omit<ComplyTestControllerResponse, 'success'>> {
  if (name === undefined) throw new ControllerError('INVALID_PARAMS', 'scenario is required')
  if (name === LIST_SCENARIOS) return { scenarios: [...byName.keys()] }
  // 3.0 has no account here: the whole sandbox is meant.
  if (account !== undefined && !(typeof account === 'object' && account.sandbox === true)) {
    throw new ControllerError('FORBIDDEN', 'only accounts with sandbox: true are accepted')
  }
  const scenario = byName.get(name)
  if (!scenario) {
    const known = [LIST_SCENARIOS, ...byName.keys()].join(', ')
    throw new ControllerError('UNKNOWN_SCENARIO', `the scenarios are ${known}`)
  }
  if (!call.principal) throw new ControllerError('FORBIDDEN', 'this needs a key of the sandbox')
  if (isNestedTooDeep(params)) throw new ControllerError('INVALID_PARAMS', 'params are too deep')
  const checked = checkShape(scenario.params, params)
  if (!checked.ok) {
    const faults = checked.issues.map(({ pointer, message }) => `/params${pointer}: ${message}`)
    throw new ControllerError('INVALID_PARAMS', faults.join(' '))
  }
  return scenario.run(checked.value, { owner: call.principal.principal_id, call, account })
}

function refusal(error: unknown, onFault: (error: unknown) => void): ComplyTestControllerResponse {
  // Graders only recognise a failed call if it reports the failure as every other task does.
  const failed = { status: 'failed', success: false as const }
  if (error instanceof ControllerError) {
    const { code, message, currentState: current_state } = error
    return { ...failed, error: code, error_detail: message, ...stateOf(current_state) }
  }
  // A refusal by the server's own rules is reported as an error in the request.
  if (error instanceof ProtocolError) {
    return { ...failed, error: 'INVALID_PARAMS', error_detail: error.message }
  }
  onFault(error)
  const error_detail = 'the scenario failed inside the server'
  return { ...failed, error: 'INTERNAL_ERROR', error_detail }
}

function stateOf(current_state: string | undefined): { current_state?: string } {
  return current_state === undefined ? {} : { current_state }
}
