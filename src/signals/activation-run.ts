// What a task of activating keeps between its steps (spec 3.3).

import type { TaskError } from '../protocol/errors.ts'
import type { ActivateSignalRequest } from '../protocol/schemas/activate-signal.ts'
import type { Known } from './access.ts'

/** What a task keeps between its steps; how each target stands is in the store. */
export interface RunState {
  phase: 'begin' | 'drive'
  caller: Known
  /** What was requested, for callers that query its status. */
  requested?: Pick<ActivateSignalRequest, 'signal_agent_segment_id' | 'deployments' | 'action'>
  /** The platforms were called, each at least once. */
  isLookedAt?: true
  /** By the target's key: those that were not live when the task began. */
  runs?: Record<string, TargetRun>
  errors?: TaskError[]
}

export interface TargetRun {
  /** Failures in a row. */
  tries: number
  /** When its connector, or the store, is queried next. */
  dueAt: number
  isSettled?: true
}
