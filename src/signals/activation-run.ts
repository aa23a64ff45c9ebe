// What an activation task stores between its steps (spec 3.3).

import type { TaskError } from '../protocol/errors.ts'
import type { ActivateSignalRequest } from '../protocol/schemas/activate-signal.ts'
import type { Known } from './access.ts'

/** What a task stores between its steps; the state of each target is in the store. */
export interface RunState {
  phase: 'begin' | 'drive'
  caller: Known
  /** The request, for callers that query its status. */
  requested?: Pick<ActivateSignalRequest, 'signal_agent_segment_id' | 'deployments' | 'action'>
  /** The platforms were called, at least once each. */
  isLookedAt?: true
  /** By target key: the targets that were not live when the task started. */
  runs?: Record<string, TargetRun>
  errors?: TaskError[]
}

export interface TargetRun {
  /** Failures in a row. */
  tries: number
  /** When to query its connector, or the store, next. */
  dueAt: number
  isSettled?: true
}
