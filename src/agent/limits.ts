// What a call of a task may cost, whatever the transport.

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
    beyond: '422 `UNSUPPORTED_FEATURE`: request less at once',
  },
  keptRead: {
    what: 'answer of a reading task that is kept under an idempotency key',
    value: 262_144,
    unit: 'bytes',
    beyond: 'it is not kept: a repetition under the key reads again',
  },
})

export const REQUEST_KEY_LIMITS = defineLimits({
  keysOfOne: {
    what: 'keys for requests of one principal, addresses included',
    value: 20,
    unit: '',
    beyond: 'the key is not added: remove one first',
  },
  addresses: {
    what: 'addresses of key sets and agents on file, of all principals',
    value: 1_000,
    unit: '',
    beyond: 'the address is not added: remove one, or add the key itself',
  },
})

export const COST_LIMITS = defineLimits({
  heavyUnits: {
    what: 'cost from which a call counts as heavy',
    value: 1_000,
    unit: 'units',
    beyond: 'heavy calls of one caller run one at a time',
  },
  heavyAtOnce: {
    what: 'heavy calls at once, of all callers of an instance',
    value: 3,
    unit: '',
    beyond: 'the call waits; callers take turns',
  },
  unitsPerCaller: {
    what: 'cost of all calls that one caller has running or waiting',
    value: 200_000,
    unit: 'units',
    beyond: '429 `RATE_LIMITED` with `Retry-After`',
  },
  waitSeconds: {
    what: 'time that a heavy call waits for its turn',
    value: 20,
    unit: 'seconds',
    beyond: '429 `RATE_LIMITED` with `Retry-After`',
  },
})
