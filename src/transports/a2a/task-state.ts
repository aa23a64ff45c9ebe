// Whose state an A2A task tells. A call as the specification shows it has one life: the task is in the state of the
// work. For who names a release of the protocol, or speaks by its profile, there are two: the A2A task ends when the
// call is answered, and how the work stands is the `status` of the answer.

import type { Answer } from '../../agent/answer.ts'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { namesVersion } from '../../protocol/releases/choose-version.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { STATUS } from '../http/task-errors.ts'
import type { A2aState } from './store.ts'

export type StateSubject = 'work' | 'call'

export function stateSubjectOf(
  { isProfile, request }: { isProfile: boolean; request: unknown },
  identifiers: Identifiers,
): StateSubject {
  if (isProfile) return 'call'
  if (!isObject(request)) return 'work'
  return namesVersion(request, identifiers) ? 'call' : 'work'
}

export function a2aStateOf(answer: Answer, reports: StateSubject): A2aState {
  if (reports === 'work') return answer.ok ? answer.callStatus : 'failed'
  // What the work waits for is answered by a further message, which only an open task takes.
  if (answer.ok) return answer.callStatus === 'input-required' ? 'input-required' : 'completed'
  const status = STATUS[answer.code]
  return status === 401 || status >= 500 ? 'failed' : 'completed'
}
