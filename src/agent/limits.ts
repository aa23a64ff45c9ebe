// What a call of a task may cost, whatever the wire.

import { defineLimits } from '../lib/limit.ts'
import { MAX_NESTING } from '../lib/nesting.ts'

export const CALL_LIMITS = defineLimits({
  callsPerMinute: {
    what: 'task calls of one principal, or of one address without a key',
    value: 6_000,
    unit: 'a minute',
    setting: 'ADWIRE_TASKS_PER_MINUTE',
    beyond: '429 `RATE_LIMITED` with `Retry-After`, before the body is read',
  },
  callSeconds: {
    what: 'time of a task call',
    value: 60,
    unit: 'seconds',
    setting: 'ADWIRE_CALL_TIMEOUT_SECONDS',
    beyond: '503 `SERVICE_UNAVAILABLE`; the work may still end',
  },
  nesting: {
    what: 'levels of a request',
    value: MAX_NESTING,
    unit: '',
    beyond: '400 `INVALID_REQUEST`, while the body is read',
  },
  answerBytes: {
    what: 'body of an answer',
    value: 16 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: '422 `UNSUPPORTED_FEATURE`: ask for less at once',
  },
})
