// Which state an A2A task reports. In the specification's form a call has one lifecycle: the task has the state of
// the work. For clients that name a release of the protocol, or use its profile, there are two: the A2A task ends
// when the call is answered, and the state of the work is the `status` of the response.

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
  // Input that the work waits for arrives in a further message, and only an open task accepts one.
  if (answer.ok) return answer.callStatus === 'input-required' ? 'input-required' : 'completed'
  const status = STATUS[answer.code]
  return status === 401 || status >= 500 ? 'failed' : 'completed'
}
