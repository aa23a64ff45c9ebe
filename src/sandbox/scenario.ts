// One thing that graders can request from a sandbox: its name in the protocol, the shape of its params, and what it
// does. It refuses by throwing a ControllerError.

import type { z } from 'zod'
import type { AccountRef } from '../protocol/schemas/common.ts'
import type {
  CONTROLLER_ERRORS,
  ComplyTestControllerResponse,
} from '../protocol/schemas/comply-test-controller.ts'
import type { CallContext } from '../protocol/task.ts'

type ScenarioAnswer = Omit<ComplyTestControllerResponse, 'success'>

export interface ScenarioCall {
  /** The principal. */
  owner: string
  call: CallContext
  /** The account that the call names, if it names one. */
  account?: AccountRef | undefined
}

export interface Scenario<Params = unknown> {
  name: string
  params: z.ZodType<Params>
  run(params: Params, call: ScenarioCall): Promise<ScenarioAnswer>
}

/** A scenario with its type erased, for the table. */
// biome-ignore lint/suspicious/noExplicitAny: the table holds scenarios of all params
export type AnyScenario = Scenario<any>

export function defineScenario<Params>(scenario: Scenario<Params>): Scenario<Params> {
  return scenario
}

export type ControllerCode = (typeof CONTROLLER_ERRORS)[number]

/** What a scenario refuses by. */
export class ControllerError extends Error {
  override readonly name = 'ControllerError'
  readonly code: ControllerCode
  /** The current state of the target; undefined if there is nothing to report. */
  readonly currentState: string | undefined

  constructor(code: ControllerCode, message: string, currentState?: string) {
    super(message)
    this.code = code
    this.currentState = currentState
  }
}

export function notFound(what: string): ControllerError {
  return new ControllerError('NOT_FOUND', `there is no ${what} of this caller`)
}
