// Limits on calls to other agents, for callers that may have this server make them.

import { defineLimits } from '../lib/limit.ts'
import { MAX_NESTING } from '../lib/nesting.ts'

export const CALLER_LIMITS = defineLimits({
  requestBytes: {
    what: 'request of the agent-calling tool',
    value: 256 * 1_024,
    unit: 'bytes',
    beyond: '413, while the body is read',
  },
  responseBytes: {
    what: 'HTTP response of another agent',
    value: 4 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: '424 `AGENT_CALL_FAILED`; the rest is not read',
  },
  answerBytes: {
    what: 'answer of another agent that is handed on',
    value: 1_024 * 1_024,
    unit: 'bytes',
    beyond: '424 `AGENT_CALL_FAILED`: request less at once',
  },
  responseValues: {
    what: 'values and names of members in an HTTP response of another agent',
    value: 100_000,
    unit: '',
    beyond: '424 `AGENT_CALL_FAILED`, while it arrives; the rest is not read',
  },
  nesting: {
    what: 'levels of an answer of another agent',
    value: MAX_NESTING - 10,
    unit: '',
    beyond: '424 `AGENT_CALL_FAILED`',
  },
  errorText: {
    what: 'characters kept of another agent’s error message',
    value: 500,
    unit: '',
    beyond: 'the text is cut, and ends with …',
  },
  requests: {
    what: 'HTTP requests of one call of another agent, polls included',
    value: 100,
    unit: '',
    beyond: 'the call ends as if its time was up',
  },
  atOnce: {
    what: 'calls of other agents at the same time, of all principals',
    value: 64,
    unit: '',
    beyond: '429 `RATE_LIMITED` with `Retry-After`',
  },
  atOnceOfOne: {
    what: 'calls of other agents at the same time, of one principal',
    value: 4,
    unit: '',
    setting: 'ADWIRE_CALL_AGENT_AT_ONCE',
    beyond: '429 `RATE_LIMITED` with `Retry-After`',
  },
  seconds: {
    what: 'time of a call of another agent, waiting included; less than that of a task call',
    value: 50,
    unit: 'seconds',
    setting: 'ADWIRE_CALL_AGENT_SECONDS',
    beyond: 'the response includes how to continue, or is 502 `AGENT_UNREACHABLE`',
  },
  hops: {
    what: 'servers that one call may go through, each calling the next',
    value: 3,
    unit: '',
    beyond: '400 `INVALID_REQUEST`',
  },
})
